import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPullSlots } from "./pull-slots.ts";

test.each([
  ["one at a time", 1],
  ["two at a time", 2],
  ["any number", Infinity],
])("%s, in the order of their coming", async (_name, count) => {
  const slots = createPullSlots(count);
  const started: string[] = [];
  const names = ["a", "b", "c"];
  const gates = names.map(() => Promise.withResolvers<void>());
  const runs = gates.map(async ({ promise }, index) =>
    slots.run(undefined, async () => {
      started.push(names[index] ?? "");
      await promise;
    }),
  );
  await setImmediate();
  expect(started).toEqual(names.slice(0, count));
  for (const [index, gate] of gates.entries()) {
    gate.resolve();
    await setImmediate();
    expect(started).toEqual(names.slice(0, count + index + 1));
  }
  await Promise.all(runs);
});

test("who fails leaves room, and who goes is not waited for", async () => {
  const slots = createPullSlots(1);
  const gate = Promise.withResolvers<void>();
  const first = slots.run(undefined, async () => gate.promise);
  const controller = new AbortController();
  const second = slots.run(controller.signal, async () => Promise.resolve("second"));
  const third = slots.run(undefined, async () => Promise.resolve("third"));
  controller.abort(new Error("gone"));
  await expect(second).rejects.toThrow("gone");
  gate.reject(new Error("failed"));
  await expect(first).rejects.toThrow("failed");
  expect(await third).toBe("third");
  await expect(slots.run(controller.signal, async () => Promise.resolve())).rejects.toThrow("gone");
});
