import type { ImageSpec } from "../../../reference/image-spec.ts";
import { tryParseReference } from "../../../reference/reference.ts";

/** When an image is pulled (`imagePullPolicy` of a container). */
export type PullPolicy = "Always" | "IfNotPresent" | "Never";

/**
 * The policy of a container that has none: Always for the tag `latest`, and where there is neither a tag nor a digest
 * or ID; else IfNotPresent (k8s.io/kubernetes, pkg/apis/core/v1/defaults.go). The same goes for an ACI.
 * @param image an image string, or a spec
 */
export function defaultPullPolicy(image: string | ImageSpec): PullPolicy {
  const { tag, pin } = typeof image === "string" ? partsOfString(image) : partsOfSpec(image);
  return tag === "latest" || (tag === undefined && pin === undefined) ? "Always" : "IfNotPresent";
}

interface Parts {
  readonly tag?: string | undefined;
  /** A digest or an ID. */
  readonly pin?: string | undefined;
}

function partsOfString(image: string): Parts {
  const reference = tryParseReference(image);
  return reference === undefined ? { tag: "" } : { tag: reference.tag, pin: reference.digest };
}

function partsOfSpec({ dockerImage, aci }: ImageSpec): Parts {
  return dockerImage === undefined
    ? { tag: aci.tag, pin: aci.id }
    : { tag: dockerImage.tag, pin: dockerImage.digest };
}
