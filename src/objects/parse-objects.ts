import type { Diagnostic } from "../core/diagnostic.ts";
import { excerpt } from "../core/escape.ts";
import { FairleadError, type Where } from "../core/error.ts";
import { locateDocuments, type LocatedDocument } from "../yaml/locate.ts";
import { formatValuePath, type ValuePath } from "../yaml/value-path.ts";
import { isYamlList, isYamlMap, type YamlValue } from "../yaml/value.ts";
import type { ObjectCollection } from "./object-collection.ts";
import type { KubernetesObject, ObjectKinds } from "./object-kind.ts";
import { readObject } from "./read-object.ts";

/** The manifests of a file. */
export interface ManifestText {
  /** The file's name for messages. */
  readonly file: string;
  readonly text: string;
}

/** Lists may hold lists. */
const maxListDepth = 8;

/**
 * Reads the objects of a text of manifests, YAML or JSON, into a collection: documents one after another, and
 * those of a `kind: List`. Kinds that are not asked for are passed over. Findings are `object-invalid`, `duplicate-key` and, where
 * the text ends being YAML, `file-unparsable`; the objects before that are read.
 */
export function parseObjects<Read extends KubernetesObject>(
  { file, text }: ManifestText,
  kinds: ObjectKinds<Read>,
  into: ObjectCollection<Read>,
): void {
  try {
    for (const document of locateDocuments(text, { file, code: "object-invalid" })) {
      readDocument(file, document, kinds, into);
    }
  } catch (error) {
    if (!(error instanceof FairleadError)) throw error;
    const message = `from here on the file is no YAML, and is not read: ${error.message}`;
    into.tell({ code: "file-unparsable", severity: "warning", message, where: error.where });
  }
}

function readDocument<Read extends KubernetesObject>(
  file: string,
  document: LocatedDocument,
  kinds: ObjectKinds<Read>,
  into: ObjectCollection<Read>,
): void {
  const whereOf = (path: ValuePath): Where => ({ file, ...nearestPosition(document, path) });
  let count = 0;
  for (const { path, manifest } of manifestsIn(document.value)) {
    if (!isYamlMap(manifest)) continue;
    const beginning = beginningOf(whereOf, manifest, path);
    const read = readObject(manifest, beginning, kinds);
    if (read === undefined) continue;
    count += 1;
    for (const problem of read.problems) {
      const severity = problem.isWarning === true ? "warning" : "error";
      into.tell({
        code: "object-invalid",
        severity,
        message: `${read.name}: ${problem.message}`,
        where: {
          ...beginning,
          ...whereOf([...path, ...problem.path]),
          valuePath: formatValuePath(problem.path),
        },
        ...(problem.hint === undefined ? {} : { hint: problem.hint }),
      });
    }
    if (read.object !== undefined) into.add(read.name, read.object);
  }
  if (count > 0) into.tell(...duplicateKeys(file, document));
}

function duplicateKeys(file: string, { duplicates }: LocatedDocument): Diagnostic[] {
  return duplicates.map(({ path, position }) => ({
    code: "duplicate-key",
    severity: "warning",
    message: `${excerpt(formatValuePath(path))} is given more than once; the last one counts`,
    where: { file, ...position, valuePath: formatValuePath(path) },
  }));
}

interface PlacedManifest {
  readonly path: ValuePath;
  readonly manifest: YamlValue;
}

/** A document, or what the list in it holds. */
function* manifestsIn(value: YamlValue, path: ValuePath = [], depth = 0): Generator<PlacedManifest> {
  const isList = isYamlMap(value) && typeof value["kind"] === "string" && value["kind"].endsWith("List");
  const items = isList ? value["items"] : undefined;
  if (!isYamlList(items) || depth >= maxListDepth) {
    yield { path, manifest: value };
    return;
  }
  for (const [index, item] of items.entries()) yield* manifestsIn(item, [...path, "items", index], depth + 1);
}

/** The object's own first line: where its first key stands. */
function beginningOf(whereOf: (path: ValuePath) => Where, manifest: object, path: ValuePath): Where {
  const [first = ""] = Object.keys(manifest);
  return whereOf(path.length === 0 ? [first] : path);
}

/** Where a value is written, or the nearest one around it that is written. */
function nearestPosition(document: LocatedDocument, path: ValuePath): Pick<Where, "line" | "column"> {
  for (let length = path.length; length > 0; length--) {
    const position = document.locate(path.slice(0, length));
    if (position !== undefined) return position;
  }
  return {};
}
