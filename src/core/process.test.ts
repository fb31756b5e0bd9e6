import { describe, expect, test } from "vitest";
import { run } from "./process.ts";

const node = process.execPath;

describe("run", () => {
  test("gives exit code and output, and hands over standard input", async () => {
    const script = "process.stdin.pipe(process.stdout); console.error('told'); process.exitCode = 3";
    expect(await run(node, ["-e", script], { stdin: "text" })).toEqual({
      exitCode: 3,
      stdout: "text",
      stderr: "told\n",
    });
  });

  test("a program that is not there", async () => {
    await expect(run("no-such-program", [])).rejects.toMatchObject({ code: "tool-missing" });
  });

  test("no shell reads the arguments", async () => {
    const { stdout } = await run(node, ["-e", "console.log(process.argv[1])", "$(id);`id`"]);
    expect(stdout).toBe("$(id);`id`\n");
  });

  test("a time limit", async () => {
    const running = run(node, ["-e", "setTimeout(() => {}, 20000)"], { timeoutMs: 100 });
    await expect(running).rejects.toMatchObject({ code: "timeout" });
  });

  test("too much output", async () => {
    const running = run(node, ["-e", "for (;;) console.log('x'.repeat(1000))"], { maxOutputBytes: 10_000 });
    await expect(running).rejects.toMatchObject({ code: "limit-exceeded" });
  });

  test("an interruption, also before the start", async () => {
    const args = ["-e", "setTimeout(() => {}, 20000)"];
    const early = run(node, args, { signal: AbortSignal.abort() });
    await expect(early).rejects.toMatchObject({ code: "aborted" });
    const later = run(node, args, { signal: AbortSignal.timeout(100) });
    await expect(later).rejects.toMatchObject({ code: "aborted" });
  });

  test("what a stopped program started itself keeps nobody waiting", async () => {
    const startedMs = performance.now();
    const running = run("sh", ["-c", "sleep 5 & wait"], { timeoutMs: 100 });
    await expect(running).rejects.toMatchObject({ code: "timeout" });
    expect(performance.now() - startedMs).toBeLessThan(3000);
  });
});
