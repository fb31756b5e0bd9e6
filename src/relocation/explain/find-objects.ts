import { FairleadError } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { findSimilar } from "../../core/similar-text.ts";
import type { Manifest } from "../rendering/manifest.ts";

/** An object as users name it: `Deployment/web`, with its namespace before it where the chart writes one. */
export function nameOfObject({
  kind,
  name,
  namespace,
}: Pick<Manifest, "kind" | "name" | "namespace">): string {
  return namespace === "" ? `${kind}/${name}` : `${namespace}/${kind}/${name}`;
}

/**
 * The objects that `KIND/NAME` or `NAMESPACE/KIND/NAME` names; kinds in any case. Several are found only where
 * nothing but their order tells them apart.
 * @throws FairleadError `input-invalid` where there is none, and where several namespaces or versions have one
 */
export function findObjects(manifests: readonly Manifest[], text: string): readonly Manifest[] {
  const asked = text.toLowerCase();
  const found = manifests.filter(
    (manifest) =>
      nameOfObject(manifest).toLowerCase() === asked ||
      `${manifest.kind}/${manifest.name}`.toLowerCase() === asked,
  );
  const exact = found.filter((manifest) => nameOfObject(manifest).toLowerCase() === asked);
  const chosen = exact.length > 0 ? exact : found;
  const names = [...new Set(chosen.map((manifest) => nameOfObject(manifest)))];
  if (names.length > 1) {
    throw new FairleadError("input-invalid", `several objects are called ${excerpt(text)}`, {
      hint: `name one of ${names.join(", ")}`,
    });
  }
  if (chosen.length === 0) throw missingObject(manifests, text);
  return chosen;
}

const maxNames = 20;

function missingObject(manifests: readonly Manifest[], text: string): FairleadError {
  const names = [...new Set(manifests.map((manifest) => nameOfObject(manifest)))];
  const short = manifests.map(({ kind, name }) => `${kind}/${name}`);
  const similar = findSimilar(text, [...names, ...short]);
  const there = names.length === 0 ? "nothing" : names.slice(0, maxNames).join(", ");
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : "";
  return new FairleadError("input-invalid", `the chart renders no ${excerpt(text)}`, {
    hint: `${similar === undefined ? "" : `did you mean ${similar}? `}It renders ${there}${more}`,
  });
}
