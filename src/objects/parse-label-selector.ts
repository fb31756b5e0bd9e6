import { asInt64, type LabelRequirement } from "./label-selector.ts";

const space = String.raw`[ \t\r\n]*`;
const word = String.raw`[^ \t\r\n=!(),<>]+`;
const term = new RegExp(
  String.raw`${space}(?:!${space}(?<absent>${word})|(?<key>${word})` +
    String.raw`(?:[ \t\r\n]${space}(?<set>in|notin)${space}\((?<values>[^=!()<>]*)\)` +
    String.raw`|${space}(?<sign>==?|!=|<|>)(?:${space}(?<value>${word}))?)?)${space}(?<end>,|$)`,
  "uy",
);
const blank = new RegExp(`^${space}$`, "u");
const item = new RegExp(`^${space}(?<value>(?:${word})?)${space}$`, "u");

const namePattern = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/u;
const prefixPattern = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/u;
const maxPrefixLength = 253;
/** An even number of commas before the closing bracket, which Kubernetes takes for an unfinished list. */
const openEnd = /(?:^|[^,])(?:,,)+$/u;

/**
 * Reads a label selector as Kubernetes does (`labels.Parse` of apimachinery): equality, `<` and `>` of whole numbers,
 * `in`, `notin`, a key that exists and one, after `!`, that does not. An empty text selects all; undefined: it is none.
 */
export function tryParseLabelSelector(text: string): readonly LabelRequirement[] | undefined {
  if (blank.test(text)) return [];
  const requirements: LabelRequirement[] = [];
  let end: string | undefined = ",";
  for (term.lastIndex = 0; end === ",";) {
    const groups = term.exec(text)?.groups;
    const requirement = groups === undefined ? undefined : readRequirement(groups);
    if (requirement === undefined) return undefined;
    requirements.push(requirement);
    end = groups?.["end"];
  }
  return requirements;
}

function readRequirement(groups: Readonly<Record<string, string | undefined>>): LabelRequirement | undefined {
  const { absent, key = absent ?? "", set, values = "", sign, value = "" } = groups;
  if (!isLabelKey(key)) return undefined;
  if (absent !== undefined) return { key, operator: "DoesNotExist", values: [] };
  if (set !== undefined) {
    const all = values.split(",").map((each) => item.exec(each)?.groups?.["value"] ?? "?");
    if (openEnd.test(all.join(",")) || !all.every(isLabelValue)) return undefined;
    return { key, operator: set === "in" ? "In" : "NotIn", values: all };
  }
  if (sign === undefined) return { key, operator: "Exists", values: [] };
  if (!isLabelValue(value)) return undefined;
  if (sign === "<" || sign === ">") {
    return asInt64(value) === undefined
      ? undefined
      : { key, operator: sign === "<" ? "Lt" : "Gt", values: [value] };
  }
  return { key, operator: sign === "!=" ? "NotIn" : "In", values: [value] };
}

function isLabelKey(text: string): boolean {
  const [name = "", prefix, ...others] = text.split("/").reverse();
  if (others.length > 0 || !namePattern.test(name)) return false;
  return prefix === undefined || (prefix.length <= maxPrefixLength && prefixPattern.test(prefix));
}

function isLabelValue(text: string): boolean {
  return text === "" || namePattern.test(text);
}
