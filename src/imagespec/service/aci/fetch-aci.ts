import { rm } from "node:fs/promises";
import { FairleadError } from "../../../core/error.ts";
import { excerpt } from "../../../core/escape.ts";
import type { Call } from "../../../registry/transport/call.ts";
import { describeUrl, isSuccess } from "../../../registry/transport/http-exchange.ts";
import type { PullProgress } from "../image-service.ts";
import type { AppcPlatform, Label } from "./ac-types.ts";
import type { AciLimits } from "./aci-limits.ts";
import type { AciStore } from "./aci-store.ts";
import type { AciTransport } from "./aci-transport.ts";
import { describeQuery, discoverImage, statusFailure } from "./discovery.ts";
import type { ImageLocation } from "./discovery-template.ts";
import { labelOf } from "./image-manifest.ts";
import { checkSignature, type Keyring, maxSignatureBytes } from "./signature.ts";
import { type VerifiedArchive, verifyArchive } from "./verify-archive.ts";
import { defaultTag } from "./aci-request.ts";

/** One image that is wanted, as a pull or a dependency names it. */
export interface WantedImage {
  readonly name: string;
  /** Each must be that of the image, unless its ID is told. */
  readonly labels: readonly Label[];
  readonly id: string | undefined;
  readonly size?: number | undefined;
}

export interface FetchOptions {
  readonly store: AciStore;
  readonly transport: AciTransport;
  readonly keyring: Keyring;
  readonly platform: AppcPlatform;
  readonly limits: AciLimits;
}

export type Report = (progress: PullProgress) => void;

/** A fetched image, its uncompressed archive in a file of the store's work. */
export interface FetchedImage extends VerifiedArchive {
  readonly file: string;
}

/** Kept free beside what an image takes. */
const reservedBytes = 64 * 1024 * 1024;

/**
 * Discovers, fetches and verifies one image, signature included where a key is known for its name. The file that it
 * gives is the caller's to store or remove.
 * @throws FairleadError `aci-not-found`, `aci-invalid`, `signature-invalid`, `limit-exceeded`, `address-refused`,
 *   `registry-unreachable`, `registry-failed`, `registry-unauthorized`, `runtime-failed`, and the call's reason
 */
export async function fetchImage(
  wanted: WantedImage,
  options: FetchOptions,
  call: Call,
  report: Report,
): Promise<FetchedImage> {
  const { store, transport, keyring, limits } = options;
  const archiveFile = store.workFile();
  const file = store.workFile();
  try {
    report({ step: "resolving" });
    const query = { name: wanted.name, labels: withDefaults(wanted.labels, options.platform) };
    const locations = await discoverImage(query, transport, call);
    await requireSpace(store, reservedBytes);
    const maxBytes = Math.min(limits.maxArchiveBytes, maxArchiveBytesOf(wanted));
    const location = await download(locations, { file: archiveFile, maxBytes }, options, call, report);
    if (location === undefined) {
      throw new FairleadError("aci-not-found", `the ACI ${describeQuery(query)} is not where its host says`, {
        hint: locations.map(({ image }) => describeUrl(image)).join(", "),
      });
    }
    report({ step: "verifying" });
    const keys = keyring(wanted.name);
    if (keys.length > 0) {
      await checkSignature(archiveFile, await getSignature(location, transport, call), keys, call.signal);
    }
    report({ step: "unpacking" });
    const verified = await verifyArchive(archiveFile, file, {
      limits: { ...limits, maxImageBytes: Math.min(limits.maxImageBytes, await usableBytes(store)) },
      signal: call.signal,
      onBytes: (doneBytes) => report({ step: "unpacking", doneBytes }),
    });
    checkIdentity(verified, wanted, options.platform);
    return { ...verified, file };
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await rm(archiveFile, { force: true });
  }
}

/** Whether an image is of a size that was told, fetched or uncompressed. @throws FairleadError `aci-invalid` */
export function checkSize(
  { size, name }: WantedImage,
  { archiveBytes, imageBytes }: Pick<VerifiedArchive, "archiveBytes" | "imageBytes">,
): void {
  if (size === undefined || size === archiveBytes || size === imageBytes) return;
  throw mismatch(name, `is ${archiveBytes} bytes large, not ${size}`);
}

function withDefaults(labels: readonly Label[], platform: AppcPlatform): readonly Label[] {
  const defaults = { version: defaultTag, os: platform.os, arch: platform.arch };
  const missing = Object.entries(defaults).filter(([name]) => labels.every((label) => label.name !== name));
  return [...labels, ...missing.map(([name, value]) => ({ name, value }))];
}

/** What is compressed may be a little larger than what it becomes. */
function maxArchiveBytesOf({ size }: WantedImage): number {
  return size === undefined ? Number.POSITIVE_INFINITY : size + 64 * 1024 + Math.ceil(size / 100);
}

async function download(
  locations: readonly ImageLocation[],
  target: { readonly file: string; readonly maxBytes: number },
  { transport }: FetchOptions,
  call: Call,
  report: Report,
): Promise<ImageLocation | undefined> {
  for (const location of locations) {
    report({ step: "fetching", doneBytes: 0 });
    const onBytes = (doneBytes: number): void => report({ step: "fetching", doneBytes });
    const answer = await transport.download(location.image, { ...target, onBytes }, call);
    if (isSuccess(answer)) return location;
    if (answer.status !== 404 && answer.status !== 410) throw statusFailure(answer);
  }
  return undefined;
}

async function getSignature(
  { signature }: ImageLocation,
  transport: AciTransport,
  call: Call,
): Promise<Uint8Array> {
  const answer = await transport.get(signature, maxSignatureBytes, call);
  if (isSuccess(answer)) return answer.body;
  if (answer.status >= 500) throw statusFailure(answer);
  throw new FairleadError("signature-invalid", `the image has no signature at ${describeUrl(signature)}`, {
    hint: "a key is configured for images of this name, which must be signed with it",
  });
}

async function usableBytes(store: AciStore): Promise<number> {
  return Math.max(0, (await store.freeBytes()) - reservedBytes);
}

async function requireSpace(store: AciStore, bytes: number): Promise<void> {
  if ((await store.freeBytes()) > bytes) return;
  throw new FairleadError("runtime-failed", "the store of images has no space left", { hint: store.folder });
}

function checkIdentity(
  { id, manifest, ...sizes }: VerifiedArchive,
  wanted: WantedImage,
  platform: AppcPlatform,
): void {
  const { name } = wanted;
  if (wanted.id !== undefined && id !== wanted.id) throw mismatch(name, `has the ID ${id}, not ${wanted.id}`);
  if (manifest.name !== name) throw mismatch(name, `says that it is '${excerpt(manifest.name)}'`);
  checkSize(wanted, sizes);
  for (const label of wanted.labels) {
    const value = labelOf(manifest, label.name);
    if (value === label.value) continue;
    const told = value === undefined ? "does not have it" : `has '${excerpt(value)}'`;
    throw mismatch(name, `should have the label ${label.name} '${excerpt(label.value)}' and ${told}`);
  }
  // An image that says nothing of a platform is for all of them.
  for (const [key, value] of Object.entries({ os: platform.os, arch: platform.arch })) {
    const own = labelOf(manifest, key) ?? value;
    if (own !== value) throw mismatch(name, `is for ${key} '${excerpt(own)}', not ${value}`);
  }
}

function mismatch(name: string, reason: string): FairleadError {
  return new FairleadError("aci-invalid", `the image that was fetched as '${name}' ${reason}`);
}
