import { escapeLine } from "../../core/escape.ts";
import type { Explanation, Loss, LossReason } from "../../automation/policy/explanation.ts";
import type { ImageSpec } from "../../reference/image-spec.ts";
import type { Colours } from "./terminal.ts";

/** What a policy has chosen. */
export interface ChosenImage {
  readonly policy: string;
  /** Undefined where the ImageRepository is not known. */
  readonly reference?: string;
  readonly image?: ImageSpec;
  readonly tag: string;
  readonly digest?: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const reasonTexts: Readonly<Record<LossReason, string>> = {
  tie: "equal to the chosen one",
  older: "behind the chosen one",
  "out-of-range": "out of range",
  unparsable: "no version",
  filtered: "not matched by the pattern",
  excluded: "excluded by the repository",
  "invalid-tag": "no tag at all",
};

/** Of each reason a person is shown so many tags. */
const shownLosses = 20;

/** The chosen image for people, safe to print. */
export function formatSelection(chosen: ChosenImage, colours: Colours): string {
  const { reference, tag, attributes } = chosen;
  const lines = [
    `${colours.bold("latest")}  ${escapeLine(reference ?? tag)}`,
    ...Object.entries(attributes).map(([name, value]) => `  ${escapeLine(`${name} = ${value}`)}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Why the other tags lost, by reason, for people. */
export function formatLosses({ losses, counts, omitted }: Explanation, colours: Colours): string {
  const lines: string[] = [];
  for (const [reason, text] of Object.entries(reasonTexts) as [LossReason, string][]) {
    const count = counts[reason];
    if (count === 0) continue;
    const listed = losses.filter((loss) => loss.reason === reason).slice(0, shownLosses);
    lines.push(`${colours.bold(text)} (${count})`);
    for (const loss of listed) lines.push(`  ${escapeLine(describeLoss(loss))}`);
    if (count > listed.length) lines.push(`  and ${count - listed.length} more`);
  }
  if (omitted > 0) lines.push(`${omitted} tags were counted, but not kept`);
  return lines.map((line) => `${line}\n`).join("");
}

function describeLoss({ tag, extracted, detail }: Loss): string {
  const compared = extracted === undefined ? "" : ` as '${extracted}'`;
  return detail === undefined || detail === "" ? `${tag}${compared}` : `${tag}${compared}: ${detail}`;
}
