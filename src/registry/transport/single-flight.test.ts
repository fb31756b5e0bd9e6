import { expect, test } from "vitest";
import { withCall } from "./call.ts";
import { createSingleFlight } from "./single-flight.ts";

test("does the work once for all who want it at once", async () => {
  const flight = createSingleFlight<number>();
  let count = 0;
  const work = async (): Promise<number> => Promise.resolve((count += 1));
  const join = async (key: string): Promise<number> =>
    withCall("test", {}, (call) => flight.run(key, call, work));
  expect(await Promise.all([join("a"), join("a"), join("b")])).toEqual([1, 1, 2]);
  expect(await join("a")).toBe(3);
});

test("goes on for the others when one gives up, and ends when all do", async () => {
  const flight = createSingleFlight<string>();
  const result = Promise.withResolvers<string>();
  let signal: AbortSignal | undefined;
  const join = async (controller: AbortController): Promise<string> =>
    withCall("test", { signal: controller.signal }, (call) =>
      flight.run("a", call, async (shared) => {
        signal = shared.signal;
        return result.promise;
      }),
    );
  const [first, second] = [new AbortController(), new AbortController()];
  const [one, two] = [join(first), join(second)];
  first.abort();
  await expect(one).rejects.toMatchObject({ code: "aborted" });
  expect(signal?.aborted).toBe(false);
  second.abort();
  await expect(two).rejects.toMatchObject({ code: "aborted" });
  expect(signal?.aborted).toBe(true);
});
