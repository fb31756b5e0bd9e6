import type { ImageSpec } from "../../reference/image-spec.ts";

/** The formats of images, by the member of an ImageSpec that names them. */
export type ImageFormat = "dockerImage" | "aci";

/** The labels by which a node says whose images its runtime can start; their value is `true`. */
export const nodeFormatLabels: Readonly<Record<ImageFormat, string>> = {
  aci: "image-format.fairlead.dev/aci",
  dockerImage: "image-format.fairlead.dev/docker",
};

/** The format of a spec. */
export function formatOf(spec: ImageSpec): ImageFormat {
  return spec.aci === undefined ? "dockerImage" : "aci";
}

/**
 * The terms of the node affinity that a pod with an ACI needs: a node with every format of the pod. A pod with
 * Docker images alone runs anywhere.
 */
export function nodeSelectorTermsFor(formats: ReadonlySet<ImageFormat>): readonly object[] | undefined {
  if (!formats.has("aci")) return undefined;
  const needed = (["aci", "dockerImage"] as const).filter((format) => formats.has(format));
  return [
    {
      matchExpressions: needed.map((format) => ({
        key: nodeFormatLabels[format],
        operator: "In",
        values: ["true"],
      })),
    },
  ];
}
