import { arch } from "node:os";
import { FairleadError } from "../../../core/error.ts";
import type { ImageSpec } from "../../../reference/image-spec.ts";
import { type Call, withCall } from "../../../registry/transport/call.ts";
import { createSingleFlight } from "../../../registry/transport/single-flight.ts";
import type { CallOptions, ImageService, PullProgress, StoredImage } from "../image-service.ts";
import { type AppcPlatform, toAppcPlatform } from "./ac-types.ts";
import { type AciLimits, defaultAciLimits } from "./aci-limits.ts";
import { type AciRequest, defaultTag, toAciRequest } from "./aci-request.ts";
import { type AciStore, type ImageRecord, openAciStore } from "./aci-store.ts";
import { type AciTransportOptions, createAciTransport } from "./aci-transport.ts";
import { type OciImage, toOciImage } from "./oci-image.ts";
import { pullAci } from "./pull-aci.ts";
import { loadKeyring, type TrustedKey } from "./signature.ts";

/** How ACIs are found, trusted and kept. */
export interface AciImageServiceOptions extends AciTransportOptions {
  /** Where the images are kept; made where it is missing, and shared with other processes. */
  readonly folder: string;
  /** In Go's words; default: Linux on the machine's own architecture. */
  readonly platform?: { readonly os: string; readonly architecture: string } | undefined;
  /** Default: none, so that no image need be signed. */
  readonly trustedKeys?: readonly TrustedKey[] | undefined;
  readonly limits?: Partial<AciLimits> | undefined;
}

/** An {@link ImageService} of ACIs, which other runtimes can be given as OCI images. */
export interface AciImageService extends ImageService {
  /**
   * A stored image with its dependencies as an OCI image.
   * @throws FairleadError `aci-not-found`, `aci-invalid`, `limit-exceeded`, `runtime-failed`
   */
  toOciImage(spec: ImageSpec, options?: CallOptions): Promise<OciImage>;
}

const pullTimeoutMs = 10 * 60_000;
const callTimeoutMs = 2 * 60_000;
const steps: readonly PullProgress["step"][] = ["resolving", "fetching", "verifying", "unpacking", "done"];

/** Node's names of architectures that are not Go's. */
const goArchitectures: Readonly<Record<string, string>> = { ia32: "386", x64: "amd64" };

/**
 * Opens an image service of ACIs (appc specification 0.8): discovered, verified, with their dependencies, in a store
 * of its own.
 * @throws FairleadError `config-invalid` for a key or a proxy that is none, `state-invalid` or `runtime-failed` for a
 *   folder that cannot be used
 */
export async function createAciImageService(options: AciImageServiceOptions): Promise<AciImageService> {
  const { os, architecture } = options.platform ?? { os: "linux", architecture: ownArchitecture() };
  const keyring = await loadKeyring(options.trustedKeys ?? []);
  const transport = createAciTransport(options);
  const limits = { ...defaultAciLimits, ...options.limits };
  const store = await openAciStore(options.folder);
  const platform = toAppcPlatform(os, architecture);
  return new StoredAciService(store, platform, (request, call, report) =>
    pullAci(request, { store, transport, keyring, platform, limits }, call, report),
  );
}

function ownArchitecture(): string {
  return goArchitectures[arch()] ?? arch();
}

type PullWork = (
  request: AciRequest,
  call: Call,
  report: (progress: PullProgress) => void,
) => Promise<string>;

class StoredAciService implements AciImageService {
  readonly formats: ReadonlySet<"aci"> = new Set(["aci"] as const);
  readonly #store: AciStore;
  readonly #platform: AppcPlatform;
  readonly #pull: PullWork;
  readonly #flight = createSingleFlight<string>();
  readonly #listeners = new Map<string, Set<(progress: PullProgress) => void>>();
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(store: AciStore, platform: AppcPlatform, pull: PullWork) {
    this.#store = store;
    this.#platform = platform;
    this.#pull = pull;
  }

  async pullImage(spec: ImageSpec, options: Parameters<ImageService["pullImage"]>[1] = {}): Promise<string> {
    const request = toAciRequest(spec);
    const key = JSON.stringify([request.name, request.tag ?? null, request.id ?? null]);
    const listen = forward(options.onProgress);
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listen));
    try {
      const id = await this.#call(`the pull of ${request.name}`, options, pullTimeoutMs, (call) =>
        this.#flight.run(key, call, (shared) => this.#begin(key, request, shared)),
      );
      listen({ step: "done" });
      return id;
    } finally {
      listeners.delete(listen);
      if (listeners.size === 0 && this.#listeners.get(key) === listeners) this.#listeners.delete(key);
    }
  }

  async isImagePresent(spec: ImageSpec, options: CallOptions = {}): Promise<boolean> {
    return (await this.imageStatus(spec, options)) !== undefined;
  }

  async imageStatus(spec: ImageSpec, options: CallOptions = {}): Promise<StoredImage | undefined> {
    const request = toAciRequest(spec);
    return this.#read(options, () => {
      const found = this.#find(request);
      return found === undefined ? undefined : toStoredImage(found);
    });
  }

  async removeImage(
    spec: ImageSpec,
    options: Parameters<ImageService["removeImage"]>[1] = {},
  ): Promise<void> {
    const request = toAciRequest(spec);
    const { allNames = false } = options;
    return this.#read(options, () => {
      const found = this.#find(request);
      if (found === undefined) return;
      const isById = request.tag === undefined && request.id !== undefined;
      if (isById || allNames) this.#store.removeImage(found.id, allNames);
      else this.#store.removeTag(request.name, request.tag ?? defaultTag);
    });
  }

  async listImages(options: CallOptions = {}): Promise<readonly StoredImage[]> {
    return this.#read(options, () => this.#store.images().map(toStoredImage));
  }

  async imageFsInfo(options: CallOptions = {}): ReturnType<ImageService["imageFsInfo"]> {
    return this.#read(options, () => {
      const images = this.#store.images();
      const usedBytes = images.reduce((sum, { imageBytes }) => sum + imageBytes, 0);
      return [{ mountpoint: this.#store.folder, usedBytes, inodesUsed: images.length }];
    });
  }

  async toOciImage(spec: ImageSpec, options: CallOptions = {}): Promise<OciImage> {
    const request = toAciRequest(spec);
    const subject = `making an OCI image of ${request.name}`;
    return this.#call(subject, options, pullTimeoutMs, async ({ signal }) => {
      const found = this.#find(request);
      if (found !== undefined) return toOciImage(this.#store, found.id, this.#platform, signal);
      throw new FairleadError("aci-not-found", `the image ${request.name} is not stored`);
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closing.abort();
    await Promise.allSettled(this.#running);
    this.#store.close();
  }

  #find({ name, tag, id }: AciRequest): ImageRecord | undefined {
    const named = tag === undefined && id !== undefined ? id : this.#store.tryTag(name, tag ?? defaultTag);
    const found =
      named === undefined || (id !== undefined && id !== named) ? undefined : this.#store.tryImage(named);
    return found?.name === name ? found : undefined;
  }

  /** The work of a pull, which is waited for when the service is closed. */
  async #begin(key: string, request: AciRequest, call: Call): Promise<string> {
    const report = (progress: PullProgress): void => {
      for (const listener of this.#listeners.get(key) ?? []) listener(progress);
    };
    const work = this.#pull(request, call, report);
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }

  async #read<Result>(options: CallOptions, work: () => Result): Promise<Result> {
    return this.#call("the call", options, callTimeoutMs, async () => Promise.resolve(work()));
  }

  async #call<Result>(
    subject: string,
    { signal, timeoutMs }: CallOptions,
    defaultTimeoutMs: number,
    work: (call: Call) => Promise<Result>,
  ): Promise<Result> {
    const signals = signal === undefined ? [this.#closing.signal] : [this.#closing.signal, signal];
    if (signals.some(({ aborted }) => aborted)) throw new FairleadError("aborted", `${subject} was stopped`);
    return withCall(
      subject,
      { signal: AbortSignal.any(signals), timeoutMs: timeoutMs ?? defaultTimeoutMs },
      work,
    );
  }
}

/** Tells of steps in their order alone: those of a dependency come again. */
function forward(
  onProgress: ((progress: PullProgress) => void) | undefined,
): (progress: PullProgress) => void {
  let reached = 0;
  return (progress) => {
    const step = steps.indexOf(progress.step);
    if (step < reached) return;
    reached = step;
    onProgress?.(progress);
  };
}

function toStoredImage({ id, name, tags, imageBytes }: ImageRecord): StoredImage {
  return {
    id,
    format: "aci",
    names: tags.map((tag) => ({ aci: { name, tag } })),
    digests: [id],
    sizeBytes: imageBytes,
    pinned: false,
  };
}
