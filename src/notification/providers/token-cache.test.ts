import { expect, test } from "vitest";
import { createTokenCache } from "./token-cache.ts";

test("a token is asked for once, until its last minute", async () => {
  let nowMs = 0;
  let made = 0;
  const cache = createTokenCache(() => nowMs);
  const make = async (): Promise<{ readonly token: string; readonly expiresAtMs: number }> => {
    made += 1;
    return { token: `t${made}`, expiresAtMs: nowMs + 3_600_000 };
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
  const cache = createTokenCache(() => 0);
  await expect(cache.get("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await cache.get("a", () => Promise.resolve({ token: "t", expiresAtMs: 1e9 }))).toBe("t");
});
