import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { OciImage } from "../aci/oci-image.ts";
import type { ContainerdSent } from "./containerd-api.ts";
import type { ContainerdConnection } from "./containerd-connection.ts";

/** How an image is to be called. */
export interface ImageNames {
  /** In the order in which they are given; the last is there only when all are. */
  readonly names: readonly string[];
  /** What containerd is to know of each name. */
  readonly labels: Readonly<Record<string, string>>;
}

/** By this label the container runtime interface knows its images. */
const managedLabel = { "io.cri-containerd.image": "managed" };

/** For the case that this process is killed, and longer than any import takes. */
const leaseHours = 1;

/**
 * Puts an image into containerd and names it. Nothing is named before all of it is there, and what a killed import
 * has left is used by the next or collected as garbage.
 * @returns the ID that the container runtime interface gives it: the digest of its configuration
 */
export async function importImage(
  connection: ContainerdConnection,
  image: OciImage,
  { names, labels }: ImageNames,
  signal: AbortSignal,
): Promise<string> {
  const { manifest, config, layers } = image;
  const id = config.descriptor.digest;
  await withLease(connection, signal, async (lease) => {
    const call = { signal, lease };
    for (const layer of layers) {
      await connection.write({ ...layer.descriptor, open: () => layer.open() }, call);
    }
    await connection.write({ ...config.descriptor, open: () => Readable.from([config.bytes]) }, call);
    await connection.write(
      {
        ...manifest.descriptor,
        labels: referencesOf(image),
        open: () => Readable.from([manifest.bytes]),
      },
      call,
    );
    const { mediaType, digest, size } = manifest.descriptor;
    const target = { mediaType, digest, size: String(size) };
    for (const name of [id, ...names]) {
      await putName(connection, { name, target, labels: { ...labels, ...managedLabel } }, signal);
    }
  });
  return id;
}

/** The labels by which containerd's garbage collector sees what a manifest needs. */
function referencesOf({ config, layers }: OciImage): Readonly<Record<string, string>> {
  const prefix = "containerd.io/gc.ref.content.";
  return Object.fromEntries([
    [`${prefix}config`, config.descriptor.digest],
    ...layers.map(({ descriptor }, index) => [`${prefix}l.${index}`, descriptor.digest] as const),
  ]);
}

async function withLease(
  connection: ContainerdConnection,
  signal: AbortSignal,
  work: (lease: string) => Promise<void>,
): Promise<void> {
  const id = `fairlead-${randomUUID()}`;
  const expires = new Date(Date.now() + leaseHours * 3_600_000).toISOString();
  await connection.call("createLease", { id, labels: { "containerd.io/gc.expire": expires } }, { signal });
  try {
    await work(id);
  } finally {
    // It ends by itself where this fails.
    const ending = { signal: AbortSignal.timeout(5_000), except: "not-found" } as const;
    await connection.call("deleteLease", { id }, ending).catch(() => undefined);
  }
}

async function putName(
  connection: ContainerdConnection,
  image: NonNullable<ContainerdSent<"CreateImageRequest">["image"]>,
  signal: AbortSignal,
): Promise<void> {
  const created = await connection.call("createImage", { image }, { signal, except: "already-exists" });
  if (created === undefined) await connection.call("updateImage", { image }, { signal });
}
