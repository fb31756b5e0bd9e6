import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCheckout, repositoryRoot, type Checkout } from "../support/checkout.ts";
import { blocksOf, type FencedBlock } from "../support/markdown.ts";
import { describeWithTools } from "../support/tools.ts";

interface Step extends FencedBlock {
  /** Lines that the block prints, in this order, others between them. */
  readonly expectedLines: readonly string[];
}

const pages = globSync(["*.md", "docs/*.md", "examples/**/*.md"], { cwd: repositoryRoot }).sort();
const ciScript = path.join(repositoryRoot, ".ci", "run");
const ciText = existsSync(ciScript) ? readFileSync(ciScript, "utf8") : "";

await describeWithTools(["helm3"], "the commands of the documents run", (tools) => {
  for (const page of pages) {
    const steps = stepsOf(readFileSync(path.join(repositoryRoot, page), "utf8"));
    if (steps.length === 0) continue;
    describe(page, () => {
      let checkout: Checkout;

      beforeAll(async () => {
        checkout = await createCheckout(tools.helm3);
      });

      afterAll(() => checkout.remove());

      test.each(steps)("line $line", { timeout: 300_000 }, async ({ text, expectedLines }) => {
        const result = await checkout.shell(text);
        expect(result.exitCode, result.stderr).toBe(0);
        expect(missingLines(expectedLines, `${result.stdout}\n${result.stderr}`.split("\n"))).toEqual([]);
      });
    });
  }
});

/** The `sh` blocks of a page, without those that `.ci/run` runs itself, each with the output block after it. */
function stepsOf(markdown: string): readonly Step[] {
  const blocks = blocksOf(markdown);
  return blocks.flatMap((block, index) => {
    if (block.language !== "sh" || isRunByCi(block.text)) return [];
    const next = blocks[index + 1];
    return [{ ...block, expectedLines: next?.isOutput === true ? next.text.split("\n") : [] }];
  });
}

function isRunByCi(text: string): boolean {
  return text.split(/&&|\n/u).every((command) => ciText.includes(command.trim()));
}

/** The expected lines that do not come, in their order, among the printed ones. */
function missingLines(expected: readonly string[], printed: readonly string[]): readonly string[] {
  let next = 0;
  return expected.filter((line) => {
    const found = printed.indexOf(line, next);
    if (found !== -1) next = found + 1;
    return found === -1;
  });
}
