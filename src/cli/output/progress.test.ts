import { expect, test } from "vitest";
import { createProgress, type Progress } from "./progress.ts";
import { describeTerminal } from "./terminal.ts";
import { textWidth } from "./text-width.ts";

function watch(
  isTTY: boolean,
  total: number,
): { readonly progress: Progress; readonly written: string[]; readonly advance: (ms: number) => void } {
  const written: string[] = [];
  let nowMs = 0;
  const progress = createProgress({
    terminal: describeTerminal({ isTTY, columns: 80 }, {}),
    total,
    noun: "charts",
    write: (text) => written.push(text),
    nowMs: () => nowMs,
  });
  return { progress, written, advance: (ms) => (nowMs += ms) };
}

test("where nobody watches, only lines are written", () => {
  const { progress, written } = watch(false, 10);
  progress.step("shop");
  progress.print("warning: x");
  progress.end();
  expect(written).toEqual(["warning: x\n"]);
});

test("one chart needs no bar", () => {
  const { progress, written } = watch(true, 1);
  progress.step("shop");
  progress.end();
  expect(written).toEqual([]);
});

test("a bar is drawn, gives way to a line, and is taken away", () => {
  const { progress, written } = watch(true, 4);
  progress.step("shop");
  expect(written.at(-1)).toContain("1/4 charts");
  progress.print("warning: x");
  expect(written.slice(1, 2)).toEqual(["\r\u001b[Kwarning: x\n"]);
  expect(written.at(-1)).toContain("shop");
  progress.end();
  expect(written.at(-1)).toBe("\r\u001b[K");
  progress.end();
  expect(written).toHaveLength(4);
});

test("it is redrawn at most ten times a second", () => {
  const { progress, written, advance } = watch(true, 1000);
  for (let step = 0; step < 1000; step++) {
    progress.step("shop");
    advance(1);
  }
  expect(written).toHaveLength(10);
});

test("a hostile label stays on the bar's line", () => {
  const { progress, written } = watch(true, 2);
  progress.step(`\u001b[2J\n${"x".repeat(500)}`);
  const line = (written[0] ?? "").slice("\r\u001b[K".length);
  expect(line).not.toContain("\n");
  expect(line).not.toContain("\u001b[2J");
  expect(textWidth(line)).toBeLessThan(80);
});
