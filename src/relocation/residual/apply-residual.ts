import { FairleadError } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { parseManifests, type Manifest } from "../rendering/manifest.ts";
import { editScalars, type ScalarEdit } from "./edit-scalars.ts";
import { matchObjects, type Mismatch, type ObjectMatch } from "./match-objects.ts";
import type { ResidualObject } from "./residual-object.ts";

export interface ApplyOptions {
  /** Whether hooks may be missing, as Helm 3 keeps them from post-renderers; default: false. */
  readonly withoutHooks?: boolean;
  /** Whether an object is found by its name alone, as kustomize finds it; default: false. */
  readonly byName?: boolean;
}

export interface AppliedResidual {
  readonly text: string;
  /** The hooks of the plan that were not there. */
  readonly missingHooks: readonly ResidualObject[];
}

/** A manifest that knows the document of a stream that it comes from. */
interface PlacedManifest extends Manifest {
  readonly document: number;
}

/**
 * Makes the changes of a residual plan in manifests. Nothing else changes, not a byte; what is changed already
 * stays.
 * @throws FairleadError `residual-drift` where the plan has what the manifests do not have, or they hold its images
 *   elsewhere too; `render-failed` where a document is not YAML
 */
export function applyResidual(
  text: string,
  objects: readonly ResidualObject[],
  options: ApplyOptions = {},
): AppliedResidual {
  const parts = splitDocuments(text);
  const manifests = placeManifests(parts);
  const { matches, mismatches } = matchObjects(objects, manifests, options.byName === true);
  const isForgiven = ({ object, isMissing }: Mismatch): boolean =>
    options.withoutHooks === true && isMissing && object.hook !== undefined;
  const drift = mismatches.filter((mismatch) => !isForgiven(mismatch));
  if (drift.length > 0) throw driftError(drift, options.byName === true);
  for (const [document, group] of Map.groupBy(matches, ({ manifest }) => manifest.document)) {
    parts[document] = editScalars(parts[document] ?? "", group.flatMap(editsOf));
  }
  return { text: parts.join(""), missingHooks: mismatches.filter(isForgiven).map(({ object }) => object) };
}

function editsOf({ manifest, fields }: ObjectMatch<PlacedManifest>): ScalarEdit[] {
  const base = manifest.item === undefined ? [] : ["items", manifest.item];
  return fields
    .filter(({ text, wanted }) => text !== wanted)
    .map(({ field, path, wanted }) => ({
      path: [...base, ...path],
      wanted,
      // What is in base64 has no names that could be seen.
      changes: field.encoded === true ? [] : field.changes,
    }));
}

/** The documents of a stream and, between them, the lines that part them: joined, they are the stream. */
function splitDocuments(text: string): string[] {
  return text.split(/^(---[ \t]*(?:#.*)?)$/mu);
}

function placeManifests(parts: readonly string[]): PlacedManifest[] {
  const manifests: PlacedManifest[] = [];
  let template: string | undefined;
  for (const [document, part] of parts.entries()) {
    if (document % 2 === 1) continue;
    template = /^# Source: (?<name>.+)$/mu.exec(part)?.groups?.["name"] ?? template;
    const known = template === undefined ? {} : { template };
    for (const manifest of parseManifests(part)) manifests.push({ ...known, ...manifest, document });
  }
  return manifests;
}

const hookHint =
  "Helm 3 keeps hooks from post-renderers: --without-hooks goes on without them, and their images do not move";
const driftHint = "the chart, its values or Helm's are others than the plan's: run fairlead override again";

const nameHint =
  "kustomize finds objects by their names, and theirs are others each time; --residual post-renderer finds them";

function driftError(mismatches: readonly Mismatch[], byName: boolean): FairleadError {
  const lines = mismatches.map(({ object: { kind, namespace, name }, reason }) => {
    const place = namespace === "" ? name : `${namespace}/${name}`;
    return excerpt(`${kind} ${place}: ${reason}`, 400);
  });
  const onlyHooks = mismatches.every(({ object, isMissing }) => isMissing && object.hook !== undefined);
  const count = mismatches.length;
  const message = `the manifests differ from the residual plan in ${count} ${count === 1 ? "object" : "objects"}`;
  return new FairleadError("residual-drift", [message, ...lines].join("\n"), {
    hint: byName ? nameHint : onlyHooks ? hookHint : driftHint,
  });
}
