import { setTimeout as sleep } from "node:timers/promises";
import { FairleadError } from "../../../core/error.ts";
import type { ImageReference } from "../../../reference/reference.ts";
import type { Credentials } from "../../../registry/registry-api.ts";
import type { CriSent } from "./cri-api.ts";
import type { CriConnection } from "./cri-connection.ts";
import { type CriImage, otherNames, runtimeName } from "./cri-image-names.ts";

/** When to look for what a failed pull left, after the failure: runtimes note new images a moment later. */
const looksAfterMs: readonly number[] = [0, 100, 400];

/**
 * Pulls an image with the first credentials that the registry takes. What a failed pull leaves, such as an OCI
 * artifact that cannot be unpacked, is removed where it was not there before.
 * @param credentials none: anonymous
 * @returns the ID, which is the digest of the image's configuration
 */
export async function pullByCri(
  connection: CriConnection,
  reference: ImageReference,
  credentials: readonly Credentials[],
  signal: AbortSignal,
): Promise<string> {
  const name = runtimeName(reference);
  const before = await statusOf(connection, name, signal);
  try {
    return await pullWithEach(connection, name, credentials, signal);
  } catch (error) {
    // Only what began to unpack leaves something, and that fails with this code.
    if (error instanceof FairleadError && error.code === "runtime-failed") {
      await removeLeftover(connection, reference, before, signal);
    }
    throw error;
  }
}

async function pullWithEach(
  connection: CriConnection,
  name: string,
  credentials: readonly Credentials[],
  signal: AbortSignal,
): Promise<string> {
  const [first, ...others] = credentials.map(toAuth);
  for (let auth = first; ; auth = others.shift()) {
    const request: CriSent<"PullImageRequest"> = { image: { image: name }, auth };
    try {
      const { imageRef } = await connection.call("PullImage", request, signal);
      return imageRef;
    } catch (error) {
      const isRefused = error instanceof FairleadError && error.code === "registry-unauthorized";
      if (!isRefused || others.length === 0) throw error;
    }
  }
}

function toAuth(credentials: Credentials): CriSent<"AuthConfig"> {
  if (credentials.kind === "basic") {
    return { username: credentials.username, password: credentials.password };
  }
  const { kind, token } = credentials;
  return kind === "identity-token" ? { identityToken: token } : { registryToken: token };
}

async function removeLeftover(
  connection: CriConnection,
  reference: ImageReference,
  before: CriImage | undefined,
  signal: AbortSignal,
): Promise<void> {
  const name = runtimeName(reference);
  for (const waitMs of looksAfterMs) {
    await sleep(waitMs);
    const after = await statusOf(connection, name, signal);
    if (after === undefined) continue;
    // With other names it was there before, as another artifact with the same empty configuration.
    if (after.id === before?.id || otherNames(after, reference).length > 0) return;
    await connection.call("RemoveImage", { image: { image: name } }, signal);
    return;
  }
}

/** What a runtime finds by a full name, whatever that is. */
export async function statusOf(
  connection: CriConnection,
  name: string,
  signal: AbortSignal,
): Promise<CriImage | undefined> {
  const { image } = await connection.call("ImageStatus", { image: { image: name } }, signal);
  return image ?? undefined;
}
