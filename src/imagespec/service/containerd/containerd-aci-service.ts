import { FairleadError } from "../../../core/error.ts";
import type { ImageSpec } from "../../../reference/image-spec.ts";
import { type Call, withCall } from "../../../registry/transport/call.ts";
import { createSingleFlight } from "../../../registry/transport/single-flight.ts";
import type { AciImageService } from "../aci/aci-image-service.ts";
import { connectCri, type CriConnection } from "../cri/cri-connection.ts";
import type { CriImage } from "../cri/cri-image-names.ts";
import { statusOf } from "../cri/cri-pull.ts";
import { withReconnects } from "../cri/reconnect.ts";
import type { CallOptions, ImageService, PullOptions, RemoveOptions, StoredImage } from "../image-service.ts";
import { type AciNames, aciNames, nameOfId, tryReadAciName } from "./aci-names.ts";
import {
  aciLabels,
  type AciRecord,
  recordsOfAci,
  recordsOfTarget,
  tryRecord,
  untilShown,
} from "./aci-records.ts";
import { connectContainerd, type ContainerdConnection } from "./containerd-connection.ts";
import { importImage } from "./import-image.ts";

export interface ContainerdAciOptions {
  /** The socket of containerd. */
  readonly endpoint: string;
  /** Where ACIs are found, verified and kept; closed with the service. */
  readonly aci: AciImageService;
}

/** An {@link ImageService} of ACIs that containerd can start. */
export interface ContainerdAciService extends ImageService {
  /**
   * The name that the container runtime has for the image of a spec once it was pulled.
   * @throws FairleadError `image-format-unsupported`, `image-spec-invalid`
   */
  runtimeName(spec: ImageSpec): string;
  /**
   * Removes an image by its ID or its full name in the container runtime, with all its names there, and from the store
   * what nothing else in the runtime comes from.
   * @returns whether it was an imported ACI; nothing is done where it was not
   */
  tryRemoveByName(name: string, options?: CallOptions): Promise<boolean>;
}

const pullTimeoutMs = 10 * 60_000;
const callTimeoutMs = 2 * 60_000;

/**
 * An image service that gives containerd the ACIs of another as OCI images. What is present is what containerd has.
 * @throws FairleadError `config-invalid` for an endpoint that is no socket
 */
export function createContainerdAciService({ endpoint, aci }: ContainerdAciOptions): ContainerdAciService {
  return new ImportedAciService(connectContainerd(endpoint), withReconnects(connectCri(endpoint)), aci);
}

class ImportedAciService implements ContainerdAciService {
  readonly formats: ReadonlySet<"aci"> = new Set(["aci"] as const);
  readonly #containerd: ContainerdConnection;
  readonly #cri: CriConnection;
  readonly #aci: AciImageService;
  readonly #imports = createSingleFlight<string>();
  readonly #closing = new AbortController();

  constructor(containerd: ContainerdConnection, cri: CriConnection, aci: AciImageService) {
    this.#containerd = containerd;
    this.#cri = cri;
    this.#aci = aci;
  }

  runtimeName(spec: ImageSpec): string {
    const { byTag, name, id = "" } = aciNames(spec);
    return byTag === undefined || id !== "" ? nameOfId(name, id) : byTag;
  }

  async pullImage(spec: ImageSpec, options: PullOptions = {}): Promise<string> {
    const names = aciNames(spec);
    const { onProgress, timeoutMs = pullTimeoutMs } = options;
    return this.#call(`the pull of ${names.name}`, { ...options, timeoutMs }, async (call) => {
      const aciId = await this.#aci.pullImage(spec, {
        signal: call.signal,
        timeoutMs,
        onProgress: (progress) => {
          if (progress.step !== "done") onProgress?.(progress);
        },
      });
      const key = JSON.stringify([aciId, names.byTag ?? null]);
      const id = await this.#imports.run(key, call, async (shared) => this.#import(names, aciId, shared));
      onProgress?.({ step: "done" });
      return id;
    });
  }

  async isImagePresent(spec: ImageSpec, options: CallOptions = {}): Promise<boolean> {
    return (await this.imageStatus(spec, options)) !== undefined;
  }

  async imageStatus(spec: ImageSpec, options: CallOptions = {}): Promise<StoredImage | undefined> {
    const names = aciNames(spec);
    return this.#call("the look for an image", options, async ({ signal }) => {
      const image = await this.#find(names, signal);
      return image === undefined ? undefined : toStoredImage(image);
    });
  }

  async removeImage(spec: ImageSpec, options: RemoveOptions = {}): Promise<void> {
    const names = aciNames(spec);
    const { allNames = false } = options;
    return this.#call("the removal of an image", options, async ({ signal }) => {
      const image = await this.#find(names, signal);
      if (image !== undefined) await this.#remove(names, image, allNames, signal);
      await ignoreUse(this.#aci.removeImage(spec, { signal, allNames }));
    });
  }

  async listImages(options: CallOptions = {}): Promise<readonly StoredImage[]> {
    return this.#call("the list of images", options, async ({ signal }) => {
      const { images } = await this.#cri.call("ListImages", {}, signal);
      return images
        .filter(isAci)
        .map(toStoredImage)
        .toSorted((left, right) => (left.id < right.id ? -1 : 1));
    });
  }

  async imageFsInfo(options: CallOptions = {}): ReturnType<ImageService["imageFsInfo"]> {
    return this.#aci.imageFsInfo(options);
  }

  async tryRemoveByName(name: string, options: CallOptions = {}): Promise<boolean> {
    return this.#call("the removal of an image", options, async ({ signal }) => {
      const record = await tryRecord(this.#containerd, name, signal);
      if (record?.aci === undefined) return false;
      const records = await recordsOfTarget(this.#containerd, record.target, signal);
      await this.#cri.call("RemoveImage", { image: { image: name } }, signal);
      for (const aci of new Map(
        records.flatMap((one) => (one.aci === undefined ? [] : [[one.aci.id, one.aci]])),
      ).values()) {
        // Dependencies that moved on give another image of the same ACI.
        if ((await recordsOfAci(this.#containerd, aci.id, signal)).length === 0)
          await this.#forget(aci, signal);
      }
      return true;
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#aci.close();
    this.#containerd.close();
    this.#cri.close();
  }

  async #import({ name, byTag }: AciNames, aciId: string, { signal }: Call): Promise<string> {
    const image = await this.#aci.toOciImage({ aci: { name, id: aciId } }, { signal });
    const byId = nameOfId(name, aciId);
    const labels = { [aciLabels.name]: name, [aciLabels.id]: aciId };
    const names = byTag === undefined ? [byId] : [byId, byTag];
    const id = await importImage(this.#containerd, image, { names, labels }, signal);
    for (const shown of names) await untilShown(this.#cri, shown, (found) => found?.id === id, signal);
    return id;
  }

  async #find({ name, id, byTag }: AciNames, signal: AbortSignal): Promise<CriImage | undefined> {
    const byId = id === undefined ? undefined : nameOfId(name, id);
    const image = await statusOf(this.#cri, byTag ?? byId ?? "", signal);
    return byId === undefined || image?.repoDigests.includes(byId) === true ? image : undefined;
  }

  async #remove(
    { name, id, byTag }: AciNames,
    image: CriImage,
    allNames: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const asked = byTag ?? nameOfId(name, id ?? "");
    const record = await tryRecord(this.#containerd, asked, signal);
    if (record?.aci === undefined) return;
    const { aci, target } = record;
    const records = await recordsOfTarget(this.#containerd, target, signal);
    const own = records.filter((one) => one.aci?.id === aci.id && one.name !== image.id);
    const byId = nameOfId(aci.name, aci.id);
    const others = own.filter((one) => one.name !== asked && one.name !== byId);
    if (image.pinned) throw new FairleadError("image-in-use", `${asked} is pinned in the container runtime`);
    if (byTag === undefined && others.length > 0 && !allNames) {
      const names = others.map((one) => one.name).join(", ");
      throw new FairleadError("image-in-use", `the image has other names: ${names}`, {
        hint: "Remove it with all of its names, or leave it.",
      });
    }
    const isLast = allNames || others.length === 0;
    const gone = isLast ? own.map((one) => one.name) : [asked];
    const isAlone = records.every((one) => one.name === image.id || gone.includes(one.name));
    for (const one of isAlone ? [...gone, image.id] : gone) {
      await this.#containerd.call("deleteImage", { name: one, sync: true }, { signal, except: "not-found" });
    }
    for (const one of gone) await untilShown(this.#cri, one, (found) => found === undefined, signal);
    if (isAlone) await untilShown(this.#cri, image.id, (found) => found === undefined, signal);
  }

  /** Takes an ACI with its names out of the store, unless another needs it: then its names alone. */
  async #forget(aci: NonNullable<AciRecord["aci"]>, signal: AbortSignal): Promise<void> {
    const stored = await this.#aci.imageStatus({ aci }, { signal });
    await ignoreUse(this.#aci.removeImage({ aci }, { signal, allNames: true }));
    for (const name of stored?.names ?? []) await this.#aci.removeImage(name, { signal });
  }

  async #call<Result>(
    subject: string,
    { signal, timeoutMs = callTimeoutMs }: CallOptions,
    work: (call: Call) => Promise<Result>,
  ): Promise<Result> {
    const signals = signal === undefined ? [this.#closing.signal] : [this.#closing.signal, signal];
    return withCall(subject, { signal: AbortSignal.any(signals), timeoutMs }, async (call) => {
      call.signal.throwIfAborted();
      return work(call);
    });
  }
}

/** What is in use in the store is a dependency of another image there. */
async function ignoreUse(removal: Promise<void>): Promise<void> {
  await removal.catch((error: unknown) => {
    if (!(error instanceof FairleadError) || error.code !== "image-in-use") throw error;
  });
}

function isAci({ repoTags, repoDigests }: CriImage): boolean {
  return [...repoTags, ...repoDigests].some((name) => tryReadAciName(name) !== undefined);
}

function toStoredImage(image: CriImage): StoredImage {
  const names = [...image.repoTags, ...image.repoDigests].flatMap((text) => tryReadAciName(text) ?? []);
  return {
    id: image.id,
    format: "aci",
    names: names.flatMap(({ name, tag }) => (tag === undefined ? [] : [{ aci: { name, tag } }])),
    digests: names.flatMap(({ id }) => id ?? []),
    sizeBytes: Number(image.size),
    pinned: image.pinned,
  };
}
