import { FairleadError } from "../../../core/error.ts";
import { excerpt } from "../../../core/escape.ts";
import type { ImageSpec } from "../../../reference/image-spec.ts";
import { formatOf } from "../../convert/node-formats.ts";
import { storedSpecPrefix, tryReadStored } from "../../convert/stored-spec.ts";

/** What a call of the container runtime interface says of the image that it is about. */
export interface RequestedImage {
  /** As kubelet gives it: with `:latest` where the pod has neither tag nor digest. */
  readonly image: string;
  /** Those of the pod. */
  readonly annotations: Readonly<Record<string, string>>;
  /** The image of the pod, where `image` is its ID in the runtime. */
  readonly userSpecifiedImage: string;
}

const kubeletDefault = ":latest";

/**
 * The spec that a pod's annotations have for an image: that of the container whose image it is. An annotation whose
 * image is another belongs to another container, or is stale.
 * @returns undefined where the image string says all
 * @throws FairleadError `image-spec-invalid` where containers with one image string want it in different formats
 */
export function requestedSpec({
  image,
  annotations,
  userSpecifiedImage,
}: RequestedImage): ImageSpec | undefined {
  const names = new Set([image, userSpecifiedImage]);
  if (image.endsWith(kubeletDefault)) names.add(image.slice(0, -kubeletDefault.length));
  names.delete("");
  const found = Object.entries(annotations)
    .filter(([key]) => key.startsWith(storedSpecPrefix))
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([, stored]) => [...names].flatMap((name) => tryReadStored(name, stored) ?? []));
  if (new Set(found.map(formatOf)).size > 1) {
    throw new FairleadError(
      "image-spec-invalid",
      `containers of the pod want '${excerpt(image)}' as an ACI and as a Docker image`,
      { hint: "Name one of them by its ID or digest: a runtime is asked by the image string alone." },
    );
  }
  return found[0];
}
