import { expect, test } from "vitest";
import { createExpiringCache, type Expiring } from "./expiring-cache.ts";

test("a value is asked for once, until its last minute", async () => {
  let nowMs = 0;
  let made = 0;
  const cache = createExpiringCache<string>(() => nowMs, 60_000);
  const make = async (): Promise<Expiring<string>> => {
    made += 1;
    return { value: `t${made}`, expiresAtMs: nowMs + 3_600_000 };
  };
  const ask = (): Promise<string> => cache.get("a", make);
  expect(await Promise.all([ask(), ask()])).toEqual(["t1", "t1"]);
  nowMs = 3_500_000;
  expect(await ask()).toBe("t1");
  nowMs = 3_550_000;
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(["t2", "t2", "t2"]);
  expect(await cache.get("b", make)).toBe("t3");
});

test("a failure is not kept", async () => {
  const cache = createExpiringCache<string>(() => 0, 60_000);
  await expect(cache.get("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await cache.get("a", () => Promise.resolve({ value: "t", expiresAtMs: 1e9 }))).toBe("t");
});
