import { formatValuePath } from "../../yaml/value-path.ts";
import type { RenderedPlace } from "../result.ts";
import type { Manifest } from "./manifest.ts";
import type { RenderedImage } from "./rendered-image.ts";

/** Where a rendered image stands, for results. */
export function placeOfImage(manifest: Manifest, image: RenderedImage): RenderedPlace {
  const { apiVersion, kind, namespace, name, template } = manifest;
  return {
    apiVersion,
    kind,
    namespace,
    name,
    field: formatValuePath(image.path),
    ...(image.container === undefined ? {} : { container: image.container }),
    ...(template === undefined ? {} : { template }),
    form: image.form,
  };
}
