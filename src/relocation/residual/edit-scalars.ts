import { FairleadError } from "../../core/error.ts";
import { doubleQuoted } from "../../yaml/dump.ts";
import { loadYaml } from "../../yaml/load.ts";
import type { ScalarRange, ScalarRanges } from "../../yaml/records.ts";
import { formatValuePath, getAt, type ValuePath } from "../../yaml/value-path.ts";
import type { YamlValue } from "../../yaml/value.ts";
import { differencesOf } from "../verify/difference.ts";
import { changeText } from "./change-text.ts";
import type { ResidualChange } from "./residual-object.ts";

/** A text of a document and what it is to become. */
export interface ScalarEdit {
  readonly path: ValuePath;
  readonly wanted: string;
  /** What makes the one of the other, for a text that its scalar does not write on one line. */
  readonly changes: readonly ResidualChange[];
}

/**
 * A YAML document in which some scalars are changed: their own characters alone, where their style allows it, and
 * else the scalar as a whole, in double quotes. The document is read again, so that nothing else can have changed.
 * @throws FairleadError `residual-drift` where a scalar cannot be changed without another one, as behind an alias
 */
export function editScalars(document: string, edits: readonly ScalarEdit[]): string {
  const wanted = new Map(edits.map((edit) => [formatValuePath(edit.path), edit.wanted]));
  let edited = document;
  for (const edit of edits) {
    const scalarRanges: ScalarRanges = new Map();
    const { value } = loadYaml(edited, { scalarRanges });
    const leaf = getAt(value, edit.path);
    const range = rangeAt(value, edit.path, scalarRanges);
    // An alias has brought it about already.
    if (leaf === edit.wanted) continue;
    if (range === undefined || typeof leaf !== "string") throw cannotEdit(edit.path);
    edited = editScalar(edited, { ...edit, leaf, range }, (text) => isWanted(text, value, edit.path, wanted));
  }
  return edited;
}

function rangeAt(value: YamlValue, path: ValuePath, ranges: ScalarRanges): ScalarRange | undefined {
  const container = getAt(value, path.slice(0, -1));
  const step = path.at(-1);
  return container === undefined || step === undefined ? undefined : ranges.get(container)?.get(step);
}

function editScalar(
  document: string,
  edit: ScalarEdit & { readonly leaf: string; readonly range: ScalarRange },
  isRight: (document: string) => boolean,
): string {
  const { start, end } = edit.range;
  const raw = document.slice(start, end);
  for (const text of [inPlace(raw, edit), doubleQuoted(edit.wanted) + (/\s*$/u.exec(raw)?.[0] ?? "")]) {
    if (text === undefined) continue;
    const edited = document.slice(0, start) + text + document.slice(end);
    if (isRight(edited)) return edited;
  }
  throw cannotEdit(edit.path);
}

/** The scalar as it is written with its text replaced; whether that means the same is told by reading it. */
function inPlace(
  raw: string,
  { leaf, wanted, changes }: ScalarEdit & { readonly leaf: string },
): string | undefined {
  const at = leaf === "" ? -1 : raw.indexOf(leaf);
  // The names in a block are written as they are read, though its lines are not.
  return at === -1 ? changeText(raw, changes) : raw.slice(0, at) + wanted + raw.slice(at + leaf.length);
}

/** Whether a document differs in nothing but what is wanted, and at the path at least. */
function isWanted(
  document: string,
  before: YamlValue,
  path: ValuePath,
  wanted: ReadonlyMap<string, string>,
): boolean {
  const after = tryLoad(document);
  if (after === undefined || getAt(after, path) !== wanted.get(formatValuePath(path))) return false;
  return differencesOf(before, after).every(
    (difference) => difference.after === wanted.get(formatValuePath(difference.path)),
  );
}

function tryLoad(document: string): YamlValue | undefined {
  try {
    return loadYaml(document).value;
  } catch {
    return undefined;
  }
}

function cannotEdit(path: ValuePath): FairleadError {
  const valuePath = formatValuePath(path);
  return new FairleadError(
    "residual-drift",
    `${valuePath} cannot be changed without changing something else`,
    { where: { valuePath } },
  );
}
