import type { ImagePolicySpec, LatestReference } from "../objects/image-policy.ts";

/** Whether two references are equal, attributes included (RFC-0005): else a change of the pattern alone is missed. */
export function equalReferences(
  left: LatestReference | undefined,
  right: LatestReference | undefined,
): boolean {
  if (left === undefined || right === undefined) return left === right;
  return (
    left.name === right.name &&
    left.tag === right.tag &&
    left.digest === right.digest &&
    equalAttributes(left.attributes, right.attributes)
  );
}

function equalAttributes(
  left: Readonly<Record<string, string>>,
  right: Readonly<Record<string, string>>,
): boolean {
  const entries = Object.entries(left);
  return (
    entries.length === Object.keys(right).length &&
    entries.every(([name, value]) => Object.hasOwn(right, name) && right[name] === value)
  );
}

/**
 * The chosen reference with its digest as the policy wants it (image-reflector-controller, updateImageRefs): never;
 * always the current one; or, for `IfNotPresent`, the one that is known while name and tag stay.
 * @param chosen without a digest
 * @param previous what was chosen before
 * @param head asks the registry for the digest of the chosen tag
 * @throws what `head` throws
 */
export async function reflectDigest(
  policy: ImagePolicySpec["digestReflectionPolicy"],
  chosen: LatestReference,
  previous: LatestReference | undefined,
  head: () => Promise<string>,
): Promise<LatestReference> {
  const { name, tag, attributes } = chosen;
  if (policy === "Never") return { name, tag, attributes };
  const known =
    policy === "IfNotPresent" && previous?.name === name && previous.tag === tag
      ? previous.digest
      : undefined;
  return { name, tag, digest: known || (await head()), attributes };
}
