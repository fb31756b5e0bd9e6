import { expect, test } from "vitest";
import { ShortMemory } from "./short-memory.ts";

function memory(maxEntries?: number): {
  readonly short: ShortMemory<string>;
  readonly asked: (string | undefined)[];
  readonly make: (last: string | undefined) => Promise<string>;
  readonly pass: (ms: number) => void;
} {
  let nowMs = 0;
  const asked: (string | undefined)[] = [];
  const options = { maxAgeMs: 4_000, nowMs: () => nowMs };
  return {
    short: new ShortMemory(maxEntries === undefined ? options : { ...options, maxEntries }),
    asked,
    make: async (last) => {
      asked.push(last);
      return `value ${asked.length}`;
    },
    pass: (ms) => void (nowMs += ms),
  };
}

test("a thousand who ask at a time, and those that come soon, are one question", async () => {
  const { short, asked, make, pass } = memory();
  const values = await Promise.all(Array.from({ length: 1000 }, async () => short.get("a", make)));
  expect(new Set(values)).toEqual(new Set(["value 1"]));
  pass(3_999);
  expect(await short.get("a", make)).toBe("value 1");
  expect(asked).toEqual([undefined]);
  pass(1);
  expect(await short.get("a", make)).toBe("value 2");
  expect(asked).toEqual([undefined, "value 1"]);
});

test("the age counts from the question on, not from the answer", async () => {
  const { short, make, pass } = memory();
  const answer = Promise.withResolvers<string>();
  const first = short.get("a", () => answer.promise);
  pass(4_000);
  answer.resolve("late");
  expect(await first).toBe("late");
  expect(await short.get("a", make)).toBe("value 1");
});

test("what is renewed is there for all", async () => {
  const { short, make } = memory();
  await short.get("a", make);
  expect(await short.renew("a", make)).toBe("value 2");
  expect(await short.get("a", make)).toBe("value 2");
});

test("a failure is told to all who ask within a second, and then tried again with what was there before", async () => {
  const { short, asked, make, pass } = memory();
  await short.get("a", make);
  pass(4_000);
  await expect(short.get("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  pass(999);
  await expect(short.get("a", make)).rejects.toThrow("no");
  pass(1);
  expect(await short.get("a", make)).toBe("value 2");
  expect(asked).toEqual([undefined, "value 1"]);
});

test("it has a size", async () => {
  const { short, asked, make, pass } = memory(2);
  await short.get("old", make);
  pass(4_000);
  await short.get("a", make);
  await short.get("b", make);
  await short.get("a", make);
  expect(asked).toHaveLength(3);
  await short.get("c", make);
  await short.get("a", make);
  expect(asked).toHaveLength(5);
});
