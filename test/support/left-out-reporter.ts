import type { Reporter, TestModule } from "vitest/node";
import { leftOutPrefix } from "./left-out.ts";

/** Ends a run with one line for each test that was left out, and why. */
export class LeftOutReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const notes = modules
      .flatMap((module) => [...module.children.allTests("skipped")])
      .map((testCase) => testCase.result())
      .flatMap((result) => (result.state === "skipped" ? [result.note ?? ""] : []))
      .filter((note) => note.startsWith(leftOutPrefix));
    for (const note of new Set(notes)) console.log(note);
  }
}
