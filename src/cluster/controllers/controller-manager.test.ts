import { expect, test } from "vitest";
import { createLogger } from "../../core/log.ts";
import type { ControllerGroup } from "./controller-group.ts";
import { ControllerManager } from "./controller-manager.ts";

const log = createLogger({ level: "error", format: "text", write: () => undefined });

/** A group whose work goes on until it is broken off, under a leadership that a test ends. */
function start(): {
  readonly manager: ControllerManager;
  readonly running: Promise<void>;
  readonly told: readonly string[];
  readonly lose: () => void;
} {
  const told: string[] = [];
  const brokenOff = Promise.withResolvers<void>();
  const leadership = new AbortController();
  const group: ControllerGroup = {
    name: "sample",
    synced: Promise.resolve(),
    hasSynced: true,
    watch: () => told.push("watch"),
    start: () => told.push("start"),
    stop: async (graceMs) => {
      told.push(`stop ${graceMs}`);
      if (graceMs === 0) brokenOff.resolve();
      await brokenOff.promise;
    },
  };
  const manager = new ControllerManager({
    groups: [group],
    election: {
      acquire: async () =>
        Promise.resolve({
          signal: leadership.signal,
          release: async () => {
            told.push("release");
            return Promise.resolve();
          },
        }),
    },
    onLeading: (isLeading) => told.push(isLeading ? "leads" : "leads no more"),
    log,
  });
  manager.watch();
  return { manager, running: manager.run(), told, lose: () => leadership.abort() };
}

test("who leads no more breaks its work off at once, and ends", async () => {
  const { running, told, lose } = start();
  await expect.poll(() => told).toContain("start");
  lose();
  expect(told.at(-1)).toBe("stop 0");
  await expect(running).rejects.toMatchObject({ code: "aborted" });
  expect(told).toContain("leads no more");
});

test("who leads no more while it ends in peace has no grace left", async () => {
  const { manager, running, told, lose } = start();
  await expect.poll(() => told).toContain("start");
  const stopped = manager.stop(10_000);
  lose();
  expect(told.slice(-2)).toEqual(["stop 10000", "stop 0"]);
  await stopped;
  await running;
  expect(told.at(-1)).toBe("release");
});
