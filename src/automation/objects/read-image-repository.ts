import { tryParseReference } from "../../reference/reference.ts";
import { explainInvalidReference } from "../../reference/invalid-reference.ts";
import type { FieldReader } from "../../objects/field-reader.ts";
import type { ImageRepository } from "./image-repository.ts";
import type { ObjectMeta } from "../../objects/object-meta.ts";
import { optionalField } from "../../objects/optional-field.ts";
import { readLocalReference } from "../../objects/read-meta.ts";

/** What an ImageRepository excludes that says nothing of it: signatures of cosign are no images. */
export const defaultExclusionList: readonly string[] = [String.raw`^.*\.sig$`];
const maxExclusions = 25;
const minTimeoutMs = 1000;

/**
 * Reads an ImageRepository.
 * @param options.takesAnyImage what is wrong with the image is left to the scan to tell, for objects that the API server
 *   has taken; default: false
 */
export function readImageRepository(
  fields: FieldReader,
  meta: ObjectMeta,
  { takesAnyImage = false }: { readonly takesAnyImage?: boolean } = {},
): ImageRepository {
  const spec = fields.requiredMap("spec");
  const image = spec.requiredText("image");
  if (image !== "" && !takesAnyImage) checkImage(spec, image);
  if (!spec.has("interval")) spec.problem("interval", "is required");
  const intervalMs = spec.duration("interval") ?? 0;
  const exclusionList = spec.texts("exclusionList", { maxItems: maxExclusions });
  const object: ImageRepository = {
    kind: "ImageRepository",
    meta,
    spec: {
      image,
      intervalMs,
      timeoutMs: Math.max(spec.duration("timeout", { withHours: false }) ?? intervalMs, minTimeoutMs),
      ...optionalField("secretRef", readLocalReference(spec, "secretRef")),
      ...optionalField("proxySecretRef", readLocalReference(spec, "proxySecretRef")),
      ...optionalField("certSecretRef", readLocalReference(spec, "certSecretRef")),
      ...optionalField("serviceAccountName", spec.text("serviceAccountName", { maxLength: 253 })),
      suspend: spec.boolean("suspend"),
      insecure: spec.boolean("insecure"),
      ...optionalField("accessFrom", readAccessFrom(spec)),
      exclusionList: exclusionList.length === 0 ? defaultExclusionList : exclusionList,
      provider: spec.choice("provider", ["generic", "aws", "azure", "gcp"], "generic"),
    },
  };
  spec.warnOfOthers();
  return object;
}

/** As image-reflector-controller puts it (ImageURLInvalid). */
function checkImage(spec: FieldReader, image: string): void {
  const scheme = /^(?<scheme>[^/]*):\/\//u.exec(image)?.groups?.["scheme"];
  if (scheme !== undefined) {
    spec.problem("image", `should not start with URL scheme; remove '${scheme.slice(0, 20)}://'`);
    return;
  }
  const reference = tryParseReference(image);
  if (reference === undefined) {
    spec.problem("image", "is no image name", explainInvalidReference(image));
  } else if (reference.digest !== undefined) {
    spec.problem("image", "should not contain a digest", `remove '@${reference.digest}'`);
  } else if (reference.tag !== undefined) {
    spec.problem("image", `should not contain a tag; remove ':${reference.tag}'`);
  }
}

function readAccessFrom(spec: FieldReader): readonly Readonly<Record<string, string>>[] | undefined {
  const accessFrom = spec.map("accessFrom");
  if (accessFrom === undefined) return undefined;
  if (!accessFrom.has("namespaceSelectors")) accessFrom.problem("namespaceSelectors", "is required");
  const selectors = accessFrom.maps("namespaceSelectors").map((selector) => {
    const labels = selector.textMap("matchLabels");
    selector.warnOfOthers();
    return labels;
  });
  accessFrom.warnOfOthers();
  return selectors;
}
