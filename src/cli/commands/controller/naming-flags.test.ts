import { expect, onTestFinished, test } from "vitest";
import { FairleadError } from "../../../core/error.ts";
import { parseListenAddress, startListener } from "../../../serving/listener.ts";
import { namingFlags } from "./naming-flags.ts";

test("an address that is taken, and one that is not this machine's", async () => {
  const taken = await startListener({ host: "127.0.0.1", port: 0 }, () => undefined);
  onTestFinished(async () => taken.close(0));
  for (const address of [taken.address, "192.0.2.1:1", "none.invalid:1"]) {
    const starting = startListener(parseListenAddress(address), () => undefined);
    await expect(namingFlags("--metrics-addr", starting), address).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining("cannot listen: ") as string,
      hint: "an address has to be free, and this machine's: give another by --metrics-addr",
    });
  }
});

test("another failure stays as it is", async () => {
  const error = new FairleadError("config-invalid", "x", { hint: "y" });
  await expect(namingFlags("--metrics-addr", Promise.reject(error))).rejects.toBe(error);
});
