import { escapeJson, escapeLine } from "../../core/escape.ts";
import type { Outcome } from "../../automation/run/outcome.ts";
import type { ObjectOutcome, RunReport } from "../../automation/run/run-automation.ts";
import type { StatusKind } from "../../automation/state/object-status.ts";
import { formatJson } from "../../relocation/report/json-text.ts";
import type { Colours } from "./terminal.ts";
import { formatUnifiedDiff } from "./unified-diff.ts";
import { formatUpdate } from "./update-text.ts";

/** All outcomes of a run, in the order in which they came to be. */
export function outcomesOf(report: RunReport): readonly ObjectOutcome<StatusKind, Outcome<StatusKind>>[] {
  return [...report.repositories, ...report.policies, ...report.automations];
}

/** What a run did to Git, safe to print; a dry run shows it as a unified diff. */
export async function formatRun({ automations }: RunReport, colours: Colours): Promise<string> {
  const parts: string[] = [];
  for (const { meta, outcome } of automations) {
    const name = colours.bold(escapeLine(`${meta.namespace}/${meta.name}`));
    const { update, push, result } = outcome;
    if (push !== undefined) {
      const [head = ""] = push.summary.split("\n");
      parts.push(`${name}: ${escapeLine(head)}\n`, formatUpdate(update ?? { files: [] }, colours));
    } else if (update !== undefined) {
      const [subject = ""] = update.message.split("\n");
      parts.push(`${name}: would commit: ${escapeLine(subject)}\n`);
      parts.push(await formatUnifiedDiff(update.files, colours));
    } else parts.push(`${name}: ${quietResult(result)}\n`);
  }
  return parts.join("");
}

function quietResult(result: Outcome<StatusKind>["result"]): string {
  if (result === "ready") return "up to date";
  return result === "suspended" ? "suspended" : "failed";
}

/** What a run did, for programs. */
export function describeRun(report: RunReport, { oneLine }: { readonly oneLine: boolean }): string {
  const described = {
    repositories: report.repositories.map((entry) => describe(entry)),
    policies: report.policies.map((entry) => describe(entry)),
    automations: report.automations.map((entry) => {
      const { push, update } = entry.outcome;
      const files = update?.files.map(({ path, changes }) => ({ path, changes }));
      return { ...describe(entry), push, message: update?.message, files };
    }),
  };
  return oneLine ? `${escapeJson(JSON.stringify(described))}\n` : formatJson(described);
}

function describe<Kind extends StatusKind>({
  meta,
  outcome,
}: ObjectOutcome<Kind>): Readonly<Record<string, unknown>> {
  const { result, status, diagnostics } = outcome;
  return { namespace: meta.namespace, name: meta.name, result, status, diagnostics };
}
