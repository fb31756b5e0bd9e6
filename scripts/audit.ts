import path from "node:path";
import { z } from "zod";
import { messageOf } from "../src/core/error.ts";
import { run, type RunResult } from "../src/core/process.ts";
import { tools, toolNames, type ToolName } from "../tools/catalog.ts";
import { installTool } from "../tools/install.ts";
import { readPins, withSources } from "../tools/sources.ts";

const repositoryRoot = path.join(import.meta.dirname, "..");
const timeoutMs = 10 * 60_000;

/** What one database knows about one set of dependencies; "left out" where it does not answer. */
interface Finding {
  readonly outcome: "clean" | "vulnerable" | "left out";
  readonly details: string;
}

const npmAnswer = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string(), range: z.string() })).optional(),
  message: z.string().optional(),
});

async function auditNpm(): Promise<Finding> {
  const { stdout } = await run("npm", ["audit", "--json"], { cwd: repositoryRoot, timeoutMs });
  const { vulnerabilities, message } = npmAnswer.parse(JSON.parse(stdout));
  if (vulnerabilities === undefined) {
    return { outcome: "left out", details: `the registry has no answer: ${message ?? "no reason given"}` };
  }
  const lines = Object.entries(vulnerabilities).map(
    ([name, { severity, range }]) => `${name} ${range}: ${severity}`,
  );
  return { outcome: lines.length === 0 ? "clean" : "vulnerable", details: lines.join("\n") };
}

async function auditTool(name: ToolName, govulncheck: string): Promise<Finding> {
  const tool = tools[name];
  const env = { ...process.env, GOFLAGS: "-mod=readonly", GOWORK: "off", CGO_ENABLED: "0" };
  const result = await withSources(tool, await readPins(tool.module ?? name), (cwd) =>
    run(govulncheck, [tool.package], { cwd, env, timeoutMs }),
  );
  return { outcome: outcomeOf(result), details: (result.stdout + result.stderr).trim() };
}

/** govulncheck ends with 3 where it found something that the program calls, with 1 where it could not look. */
function outcomeOf({ exitCode }: RunResult): Finding["outcome"] {
  if (exitCode === 0) return "clean";
  return exitCode === 3 ? "vulnerable" : "left out";
}

/** Prints each finding as it comes; fails where something is vulnerable, and under CI where something is left out. */
async function main(): Promise<number> {
  const audits: [string, () => Promise<Finding>][] = [["npm dependencies", auditNpm]];
  for (const name of toolNames) {
    audits.push([`tools/${name}`, async () => auditTool(name, (await installTool("govulncheck")).path)]);
  }
  const outcomes = new Set<Finding["outcome"]>();
  for (const [title, audit] of audits) {
    const { outcome, details } = await audit().catch((error: unknown): Finding => ({
      outcome: "left out",
      details: messageOf(error),
    }));
    outcomes.add(outcome);
    console.log(`${title}: ${outcome}`);
    if (outcome !== "clean" && details !== "") console.log(details.replaceAll(/^/gmu, "  "));
  }
  const fails = outcomes.has("vulnerable") || (outcomes.has("left out") && process.env["CI"] === "true");
  return fails ? 1 : 0;
}

process.exitCode = await main();
