import { setTimeout as sleep } from "node:timers/promises";
import { FairleadError } from "../../../core/error.ts";
import type { CriConnection } from "../cri/cri-connection.ts";
import { statusOf } from "../cri/cri-pull.ts";
import type { CriImage } from "../cri/cri-image-names.ts";
import type { ContainerdConnection } from "./containerd-connection.ts";

/** What containerd's names of an imported ACI say of it. */
export const aciLabels = {
  name: "image-spec.fairlead.dev/aci-name",
  id: "image-spec.fairlead.dev/aci-id",
} as const;

/** A name that containerd has for an image. */
export interface AciRecord {
  readonly name: string;
  /** The digest of the manifest. */
  readonly target: string;
  /** Undefined where the image is no imported ACI. */
  readonly aci: { readonly name: string; readonly id: string } | undefined;
}

/** What a name stands for in containerd. */
export async function tryRecord(
  connection: ContainerdConnection,
  name: string,
  signal: AbortSignal,
): Promise<AciRecord | undefined> {
  const found = await connection.call("getImage", { name }, { signal, except: "not-found" });
  const image = found?.image ?? undefined;
  return image === undefined ? undefined : toRecord(image);
}

/** Every name of a manifest. */
export async function recordsOfTarget(
  connection: ContainerdConnection,
  target: string,
  signal: AbortSignal,
): Promise<readonly AciRecord[]> {
  return recordsBy(connection, `target.digest==${target}`, signal);
}

/** Every name of an ACI. @param id its own ID */
export async function recordsOfAci(
  connection: ContainerdConnection,
  id: string,
  signal: AbortSignal,
): Promise<readonly AciRecord[]> {
  return recordsBy(connection, `labels."${aciLabels.id}"==${id}`, signal);
}

async function recordsBy(
  connection: ContainerdConnection,
  filter: string,
  signal: AbortSignal,
): Promise<readonly AciRecord[]> {
  const answer = await connection.call("listImages", { filters: [filter] }, { signal });
  return (answer?.images ?? []).map(toRecord);
}

function toRecord(image: {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly target: { readonly digest: string } | null;
}): AciRecord {
  const { [aciLabels.name]: name, [aciLabels.id]: id } = image.labels;
  return {
    name: image.name,
    target: image.target?.digest ?? "",
    aci: name === undefined || id === undefined ? undefined : { name, id },
  };
}

const followTimeoutMs = 15_000;

/**
 * Waits until the container runtime interface shows what was changed below it, which it hears of a moment later.
 * @throws FairleadError `runtime-failed` where it does not
 */
export async function untilShown(
  cri: CriConnection,
  name: string,
  isShown: (image: CriImage | undefined) => boolean,
  signal: AbortSignal,
): Promise<CriImage | undefined> {
  const endsAtMs = Date.now() + followTimeoutMs;
  for (let waitMs = 5; ; waitMs = Math.min(waitMs * 2, 250)) {
    const image = await statusOf(cri, name, signal);
    if (isShown(image)) return image;
    if (Date.now() > endsAtMs) {
      throw new FairleadError(
        "runtime-failed",
        `the container runtime does not notice the change of ${name}`,
        {
          retryable: true,
        },
      );
    }
    await sleep(waitMs);
  }
}
