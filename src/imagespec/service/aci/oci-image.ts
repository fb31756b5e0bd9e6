import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { FairleadError } from "../../../core/error.ts";
import type { AppcPlatform } from "./ac-types.ts";
import type { AciStore } from "./aci-store.ts";
import { parseImageManifest } from "./image-manifest.ts";
import { ownedPaths, toOciConfig } from "./oci-config.ts";
import { layerBytes, type LayerOptions } from "./oci-layer.ts";
import { type RenderedImage, renderingOrder, type RenderingStep } from "./rendering-order.ts";

export interface OciDescriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** A manifest or configuration. */
export interface OciDocument {
  readonly descriptor: OciDescriptor;
  readonly bytes: Uint8Array;
}

/** A layer: an uncompressed tar archive, whose digest is its diff ID too. */
export interface OciLayer {
  readonly descriptor: OciDescriptor;
  /** The layer's bytes, made anew each time; they fail where the image was removed meanwhile. */
  open(): Readable;
}

/** An ACI with its dependencies as an OCI image. */
export interface OciImage {
  readonly manifest: OciDocument;
  readonly config: OciDocument;
  /** The first is at the bottom. */
  readonly layers: readonly OciLayer[];
}

const manifestType = "application/vnd.oci.image.manifest.v1+json";
const configType = "application/vnd.oci.image.config.v1+json";
const layerType = "application/vnd.oci.image.layer.v1.tar";

/**
 * Makes an OCI image of a stored ACI: a layer for each image that it is made of, in the order in which appc lays them
 * over one another. The same images give the same digests.
 * @param platform for what the image leaves open
 * @throws FairleadError `aci-not-found` for an image that is not stored, `aci-invalid` or `limit-exceeded` for one
 *   that no OCI image can be, and the signal's reason
 */
export async function toOciImage(
  store: AciStore,
  id: string,
  platform: AppcPlatform,
  signal: AbortSignal,
): Promise<OciImage> {
  const steps = renderingOrder(id, (wanted) => findImage(store, wanted));
  const { manifest } = findImage(store, id);
  const owned = new Set(ownedPaths(manifest));
  const owners = new Map<string, { readonly uid: number; readonly gid: number }>();
  const layers: OciLayer[] = [];
  for (const step of steps) {
    const options = optionsOf(step);
    const descriptor = await describeLayer(
      streamLayer(store, step, {
        ...options,
        // What is laid over it later is the file that counts.
        onEntry: (path, { uid, gid }) => {
          if (owned.has(path)) owners.set(path, { uid, gid });
        },
      }),
      signal,
    );
    layers.push({
      descriptor,
      open: () => Readable.from(streamLayer(store, step, options), { objectMode: false }),
    });
  }
  const descriptors = layers.map(({ descriptor }) => descriptor);
  const diffIds = descriptors.map(({ digest }) => digest);
  const config = toDocument(
    configType,
    toOciConfig(manifest, platform, diffIds, (path) => owners.get(path)),
  );
  const document = {
    schemaVersion: 2,
    mediaType: manifestType,
    config: config.descriptor,
    layers: descriptors,
  };
  return { manifest: toDocument(manifestType, document), config, layers };
}

function findImage(store: AciStore, id: string): RenderedImage {
  const found = store.tryImage(id);
  if (found === undefined) throw new FairleadError("aci-not-found", `the image ${id} is not stored`);
  const { imageBytes, dependencies } = found;
  return { id, imageBytes, dependencies, manifest: parseImageManifest(found.manifest) };
}

function optionsOf({ image, filter }: RenderingStep): LayerOptions {
  return { imageBytes: image.imageBytes, filter };
}

async function* streamLayer(
  store: AciStore,
  { image }: RenderingStep,
  options: LayerOptions,
): AsyncGenerator<Buffer, void> {
  const file = await store.openImage(image.id);
  try {
    yield* layerBytes(file, options);
  } finally {
    await file.close();
  }
}

async function describeLayer(chunks: AsyncIterable<Buffer>, signal: AbortSignal): Promise<OciDescriptor> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    hash.update(chunk);
    size += chunk.length;
  }
  return { mediaType: layerType, digest: `sha256:${hash.digest("hex")}`, size };
}

function toDocument(mediaType: string, value: object): OciDocument {
  const bytes = Buffer.from(JSON.stringify(value));
  const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  return { descriptor: { mediaType, digest, size: bytes.length }, bytes };
}
