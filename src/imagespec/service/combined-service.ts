import { FairleadError } from "../../core/error.ts";
import type { ImageSpec } from "../../reference/image-spec.ts";
import { formatOf } from "../convert/node-formats.ts";
import type { ImageFormat, ImageService } from "./image-service.ts";

/**
 * One image service of several formats, each from a service of its own, which are closed with it. An image that
 * several list is that of the last: a runtime lists an imported ACI among its own.
 */
export function combineImageServices(services: readonly ImageService[]): ImageService {
  const serviceOf = (spec: ImageSpec): ImageService => {
    const format = formatOf(spec);
    const service = services.find(({ formats }) => formats.has(format));
    if (service !== undefined) return service;
    throw new FairleadError("image-format-unsupported", `images of the format ${format} are not taken`);
  };
  return {
    formats: new Set<ImageFormat>(services.flatMap(({ formats }) => [...formats])),
    pullImage: async (spec, options) => serviceOf(spec).pullImage(spec, options),
    isImagePresent: async (spec, options) => serviceOf(spec).isImagePresent(spec, options),
    removeImage: async (spec, options) => serviceOf(spec).removeImage(spec, options),
    imageStatus: async (spec, options) => serviceOf(spec).imageStatus(spec, options),
    listImages: async (options) => {
      const lists = await Promise.all(services.map(async (service) => service.listImages(options)));
      return [...new Map(lists.flat().map((image) => [image.id, image])).values()].toSorted((left, right) =>
        left.id < right.id ? -1 : 1,
      );
    },
    imageFsInfo: async (options) =>
      (await Promise.all(services.map(async (service) => service.imageFsInfo(options)))).flat(),
    close: async () => {
      await Promise.all(services.map(async (service) => service.close()));
    },
  };
}
