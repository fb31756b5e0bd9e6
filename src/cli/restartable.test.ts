import { describe, expect, test } from "vitest";
import { stackExhausted } from "../helm/render/stack-exhausted.ts";
import type { CliIo } from "./io.ts";
import { describeTerminal } from "./output/terminal.ts";
import { createRestartableRun, type RestartableRun } from "./restartable.ts";

function start(): { readonly run: RestartableRun; readonly printed: string[] } {
  const printed: string[] = [];
  const io: CliIo = {
    stdin: async () => Promise.resolve(new Uint8Array()),
    stdout: (text) => void printed.push(`out ${text}`),
    stderr: (text) => void printed.push(`err ${text}`),
    env: {},
    stdoutTerminal: describeTerminal({}, {}),
    stderrTerminal: describeTerminal({}, {}),
    signal: new AbortController().signal,
  };
  return { run: createRestartableRun(io), printed };
}

describe("a run whose templates run out of stack", () => {
  const before: readonly [string, (io: CliIo) => unknown, mustRestart: boolean][] = [
    ["that has done nothing", () => undefined, true],
    ["that has told what it does", (io) => io.stderr("work"), true],
    ["that has printed", (io) => io.stdout("a result"), false],
    ["that has read its input", async (io) => io.stdin(), false],
  ];
  test.each(before)("%s", async (_name, work, mustRestart) => {
    const { run, printed } = start();
    await work(run.io);
    printed.length = 0;
    stackExhausted.publish(undefined);
    run.io.stdout("result");
    run.io.stderr("error");
    expect(run.mustRestart()).toBe(mustRestart);
    expect(run.io.signal.aborted).toBe(mustRestart);
    expect(printed).toEqual(mustRestart ? [] : ["out result", "err error"]);
  });
});

test("a run that has stack enough is as without", () => {
  const { run, printed } = start();
  run.io.stdout("result");
  run.io.stderr("warning");
  expect(run.mustRestart()).toBe(false);
  expect(printed).toEqual(["out result", "err warning"]);
});
