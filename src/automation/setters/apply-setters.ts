import type { Diagnostic } from "../../core/diagnostic.ts";
import { FairleadError } from "../../core/error.ts";
import { applyEdits, editScalar, type TextEdit } from "../../yaml/scalar-edit.ts";
import { readWrittenNodes, type WrittenNode, type WrittenText } from "../../yaml/written-nodes.ts";
import { ChangedObjects } from "./changed-objects.ts";
import { refuseDowngrades } from "./downgrade.ts";
import { markerToken, tryParseMarker } from "./marker.ts";
import type { MarkedScalar } from "./marked-scalar.ts";
import { MarkerTargets } from "./marker-target.ts";
import type { SetterChange } from "./setter-change.ts";
import { resolveSetter, type SetterPolicies } from "./setter-value.ts";

export interface AppliedSetters {
  /** The text given where nothing changes. */
  readonly text: string;
  /** In the order of their places. */
  readonly changes: readonly SetterChange[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Writes what policies have chosen into the marked scalars of a YAML text. No character changes but those of the
 * scalars; where an empty value or a block does, the result is read again to make sure that all else means the same. A text that cannot be read,
 * or holds a key twice, stays as it is, with a diagnostic `file-unparsable`.
 * @param file the file's name for diagnostics
 */
export function applySetters(text: string, policies: SetterPolicies, file: string): AppliedSetters {
  if (!text.includes(markerToken)) return { text, changes: [], diagnostics: [] };
  try {
    return applyTo(text, readWrittenNodes(text, { file, code: "input-invalid" }), policies, file);
  } catch (error) {
    if (!(error instanceof FairleadError)) throw error;
    const { message, where } = error;
    const hint = "its markers are not followed; it may be a template";
    const diagnostic: Diagnostic = { code: "file-unparsable", severity: "warning", message, where, hint };
    return { text, changes: [], diagnostics: [diagnostic] };
  }
}

function applyTo(text: string, written: WrittenText, policies: SetterPolicies, file: string): AppliedSetters {
  const diagnostics: Diagnostic[] = [];
  const marked = refuseDowngrades(
    findMarked(text, written, policies, diagnostics),
    policies,
    file,
    diagnostics,
  );
  const edits: (TextEdit & MarkedScalar)[] = [];
  for (const found of marked) {
    if (found.oldValue === found.newValue) continue;
    const edit = editScalar(text, found.scalar, found.newValue);
    const problem = edit === undefined ? "an empty value stands here that has no place" : tagProblem(found);
    if (edit !== undefined && problem === undefined) edits.push({ ...edit, ...found });
    else diagnostics.push(warn(problem ?? "", { file, line: found.line }));
  }
  diagnostics.sort((left, right) => (left.where.line ?? 0) - (right.where.line ?? 0));
  if (edits.length === 0) return { text, changes: [], diagnostics };
  edits.sort((left, right) => left.start - right.start);
  const edited = applyEdits(text, edits);
  // What stood in quotes or was plain is replaced by a token of its kind; anything else is read again.
  const isCertain = edits.every(({ scalar }) => scalar.layout === undefined);
  if (!isCertain && !isWanted(written, edited, edits)) {
    const message = "its values cannot be changed without changing something else";
    const where = { file, line: edits[0]?.line ?? 1 };
    diagnostics.push({ code: "file-refused", severity: "warning", message, where });
    return { text, changes: [], diagnostics };
  }
  const objects = new ChangedObjects(written.nodes);
  const changes = edits.map(({ scalar, line, setter, oldValue, newValue }) => {
    return { line, object: objects.of(scalar), setter, oldValue, newValue };
  });
  return { text: edited, changes, diagnostics };
}

function findMarked(
  text: string,
  written: WrittenText,
  policies: SetterPolicies,
  diagnostics: Diagnostic[],
): readonly MarkedScalar[] {
  const targets = new MarkerTargets(text, written);
  const marked = new Map<WrittenNode, MarkedScalar>();
  for (const comment of written.comments) {
    const marker = tryParseMarker(text.slice(comment.start, comment.end));
    if (marker === undefined) continue;
    const where = written.cursor.where(comment.start);
    const tell = (diagnostic: Omit<Diagnostic, "severity" | "where">): void => {
      diagnostics.push({ ...diagnostic, severity: "warning", where });
    };
    if (marker.kind === "malformed") {
      tell({
        code: "marker-unknown",
        message:
          "this looks like a marker and is none: a marker is a JSON object of strings, and nothing more",
      });
      continue;
    }
    const { setter } = marker;
    const value = resolveSetter(setter, policies);
    if (value.kind === "problem") tell(value.diagnostic);
    if (value.kind !== "value") continue;
    const target = targets.find(comment, value.part);
    if (target.kind === "none" || marked.has(target.scalar)) {
      const { reason, hint } =
        target.kind === "none" ? target : { reason: "the value has another marker already", hint: undefined };
      tell({ code: "marker-unknown", message: reason, ...(hint === undefined ? {} : { hint }) });
      continue;
    }
    const { scalar } = target;
    const isBlock = scalar.layout?.block !== undefined;
    marked.set(scalar, {
      scalar,
      line: written.cursor.where(scalar.start).line ?? 1,
      setter,
      policyKey: value.policyKey,
      part: value.part,
      oldValue: isBlock ? scalar.text.replace(/\n+$/u, "") : scalar.text,
      newValue: value.value,
    });
  }
  return [...marked.values()];
}

const textTags: ReadonlySet<string> = new Set(["str", "!"]);

/** Under a tag of its own a text may be a number or bytes, which no image is. */
function tagProblem({ scalar: { tag }, newValue }: MarkedScalar): string | undefined {
  if (tag === undefined || textTags.has(tag) || tag.startsWith("!")) return undefined;
  return `the value is tagged !!${tag}, and ${JSON.stringify(newValue)} is a string`;
}

/** Whether the edited text reads like the one before, but for the edited scalars. */
function isWanted(before: WrittenText, edited: string, edits: readonly MarkedScalar[]): boolean {
  const after = tryRead(edited);
  if (after?.nodes.length !== before.nodes.length || after.comments.length !== before.comments.length) {
    return false;
  }
  const wanted = new Map(edits.map(({ scalar, newValue }) => [scalar, newValue]));
  return before.nodes.every((node, index) => {
    const other = after.nodes[index];
    if (other?.kind !== node.kind || other.key !== node.key || other.isKey !== node.isKey) return false;
    const value = wanted.get(node);
    if (value === undefined) return other.text === node.text && other.isPlain === node.isPlain;
    return other.text.replace(/\n+$/u, "") === value;
  });
}

function tryRead(text: string): WrittenText | undefined {
  try {
    return readWrittenNodes(text);
  } catch (error) {
    if (error instanceof FairleadError) return undefined;
    throw error;
  }
}

function warn(message: string, where: Diagnostic["where"]): Diagnostic {
  return { code: "marker-unknown", severity: "warning", message, where };
}
