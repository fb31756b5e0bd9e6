import type { Credentials } from "../../registry/registry-api.ts";
import type { ImageSpec } from "../../reference/image-spec.ts";
import type { ImageFormat } from "../convert/node-formats.ts";

export type { ImageFormat };

/**
 * The image functions of a container runtime on structured images (document 003, "Kubelet/container runtime
 * changes"). Every function throws `image-format-unsupported` before any I/O for a format that is not in
 * {@link ImageService.formats}, and `reference-invalid` or `image-spec-invalid` for a spec that is no image.
 */
export interface ImageService {
  readonly formats: ReadonlySet<ImageFormat>;
  /**
   * Fetches an image, whatever is there already; those who want the same at once share one pull.
   * @returns the ID that the runtime gives it
   * @throws FairleadError `image-not-found` or `aci-not-found`, `registry-unauthorized`, `runtime-unreachable`,
   *   `runtime-failed`, `aci-invalid`, `signature-invalid`, `timeout`, `aborted`
   */
  pullImage(spec: ImageSpec, options?: PullOptions): Promise<string>;
  /**
   * Whether exactly this image is there: its tag, and its digest or ID where it has one. A runtime that keeps no
   * tag of an image that was pulled by tag and digest goes by the digest, unless it knows that tag of another image
   * or another tag of this one.
   */
  isImagePresent(spec: ImageSpec, options?: CallOptions): Promise<boolean>;
  /**
   * Removes the name that the spec gives an image, and the image where that was its last name. A digest or ID
   * without a tag names the image itself. An image that is not there is no error.
   * @throws FairleadError `image-in-use` where another image needs it, or where it would lose names that were not
   *   asked for
   */
  removeImage(spec: ImageSpec, options?: RemoveOptions): Promise<void>;
  /** Every image, in the order of their IDs. */
  listImages(options?: CallOptions): Promise<readonly StoredImage[]>;
  /** What is known of an image; undefined where it is not present. */
  imageStatus(spec: ImageSpec, options?: CallOptions): Promise<StoredImage | undefined>;
  /** The file systems that hold images. */
  imageFsInfo(options?: CallOptions): Promise<readonly FilesystemUsage[]>;
  /** Ends connections and closes files; what is running, and what is asked of it later, is `aborted`. */
  close(): Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** For the whole call, retries included; default: 10 minutes for a pull, else 2 minutes. */
  readonly timeoutMs?: number | undefined;
}

export interface RemoveOptions extends CallOptions {
  /** Whether the image goes with every other name that it has; default: false. */
  readonly allNames?: boolean | undefined;
}

export interface PullOptions extends CallOptions {
  /** Those that kubelet's matching finds, in their order; default: what the service was made with. */
  readonly credentials?: readonly Credentials[] | undefined;
  readonly onProgress?: ((progress: PullProgress) => void) | undefined;
}

/** How far a pull is. */
export interface PullProgress {
  readonly step: "resolving" | "fetching" | "verifying" | "unpacking" | "done";
  readonly doneBytes?: number;
  readonly totalBytes?: number;
}

export interface StoredImage {
  readonly id: string;
  readonly format: ImageFormat;
  /** The names it has, as specs with a tag, without a digest. */
  readonly names: readonly ImageSpec[];
  /** `repository@digest` of Docker images; the ID of an ACI. */
  readonly digests: readonly string[];
  readonly sizeBytes: number;
  readonly pinned: boolean;
}

export interface FilesystemUsage {
  /** The folder on which it is mounted, or that holds the images. */
  readonly mountpoint: string;
  readonly usedBytes: number;
  readonly inodesUsed: number;
}
