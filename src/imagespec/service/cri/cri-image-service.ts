import { createHash } from "node:crypto";
import { FairleadError } from "../../../core/error.ts";
import { excerpt } from "../../../core/escape.ts";
import { createRedactor } from "../../../core/redaction.ts";
import type { ImageSpec } from "../../../reference/image-spec.ts";
import { formatReference, type ImageReference } from "../../../reference/reference.ts";
import type { Credentials } from "../../../registry/registry-api.ts";
import { type Call, withCall } from "../../../registry/transport/call.ts";
import { createSingleFlight } from "../../../registry/transport/single-flight.ts";
import type {
  CallOptions,
  FilesystemUsage,
  ImageService,
  PullOptions,
  RemoveOptions,
  StoredImage,
} from "../image-service.ts";
import type { CriReceived } from "./cri-api.ts";
import { connectCri, type CriConnection } from "./cri-connection.ts";
import {
  type CriImage,
  howNamed,
  otherNames,
  referenceOf,
  runtimeName,
  toStoredImage,
  withoutDigest,
} from "./cri-image-names.ts";
import { pullByCri, statusOf } from "./cri-pull.ts";
import { withReconnects } from "./reconnect.ts";

export interface CriImageServiceOptions {
  /** `unix:///run/containerd/containerd.sock`, or another socket with its absolute path. */
  readonly endpoint: string;
  /**
   * Every credential that fits a repository, the most specific first, for pulls that bring none of their own
   * (see createSecretKeychain); default: none.
   */
  readonly findCredentials?:
    | ((repository: ImageReference) => readonly Credentials[] | Promise<readonly Credentials[]>)
    | undefined;
}

const pullTimeoutMs = 10 * 60_000;
const callTimeoutMs = 2 * 60_000;

/**
 * An image service on a container runtime, through runtime.v1 of Kubernetes' container runtime interface. Nothing is
 * connected before the first call, and a runtime that was restarted is found again.
 *
 * The runtime is asked by full names alone: it takes anything less for the beginning of an image's ID. What it answers
 * is compared with what was asked. Its RemoveImage takes every name of an image away, and nothing in the interface
 * puts a name back; so an image with other names stays, with the error `image-in-use`, until all of them are to go.
 * So does a pinned image. A name that is given between the look and the removal is not seen.
 *
 * @throws FairleadError `config-invalid` for an endpoint that is no socket
 */
export function createCriImageService(options: CriImageServiceOptions): ImageService {
  const connection = withReconnects(connectCri(options.endpoint));
  const pulls = createSingleFlight<string>();
  const closing = new AbortController();

  const begin = async <Result>(
    subject: string,
    { signal, timeoutMs = callTimeoutMs }: CallOptions,
    work: (call: Call) => Promise<Result>,
  ): Promise<Result> => {
    const signals = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
    return withCall(subject, { signal: signals, timeoutMs }, async (call) => {
      if (call.signal.aborted) throw call.signal.reason;
      return work(call);
    });
  };

  return {
    formats: new Set(["dockerImage"]),
    pullImage: async (spec: ImageSpec, pullOptions: PullOptions = {}) => {
      const reference = referenceOf(spec);
      const { onProgress, timeoutMs = pullTimeoutMs, signal } = pullOptions;
      const name = formatReference(reference);
      return begin(`the pull of ${name}`, { signal, timeoutMs }, async (call) => {
        onProgress?.({ step: "resolving" });
        const credentials = pullOptions.credentials ?? (await options.findCredentials?.(reference)) ?? [];
        onProgress?.({ step: "fetching" });
        const id = await pulls.run(keyOf(name, credentials), call, async (shared) =>
          withoutSecrets(credentials, async () =>
            pullByCri(connection, reference, credentials, shared.signal),
          ),
        );
        onProgress?.({ step: "done" });
        return id;
      });
    },
    isImagePresent: async (spec: ImageSpec, callOptions: CallOptions = {}) => {
      const reference = referenceOf(spec);
      return begin("the look for an image", callOptions, async ({ signal }) => {
        return (await findImage(connection, reference, signal)) !== undefined;
      });
    },
    removeImage: async (spec: ImageSpec, removeOptions: RemoveOptions = {}) => {
      const reference = referenceOf(spec);
      return begin("the removal of an image", removeOptions, async ({ signal }) => {
        const image = await findImage(connection, reference, signal);
        if (image === undefined) return;
        refuseToRemove(image, reference, removeOptions.allNames ?? false);
        await connection.call("RemoveImage", { image: { image: nameToRemove(image, reference) } }, signal);
      });
    },
    listImages: async (callOptions: CallOptions = {}) =>
      begin("the list of images", callOptions, async ({ signal }): Promise<readonly StoredImage[]> => {
        const { images } = await connection.call("ListImages", {}, signal);
        return images.map(toStoredImage).toSorted((left, right) => (left.id < right.id ? -1 : 1));
      }),
    imageStatus: async (spec: ImageSpec, callOptions: CallOptions = {}) => {
      const reference = referenceOf(spec);
      return begin("the look for an image", callOptions, async ({ signal }) => {
        const image = await findImage(connection, reference, signal);
        return image === undefined ? undefined : toStoredImage(image);
      });
    },
    imageFsInfo: async (callOptions: CallOptions = {}) =>
      begin("the look at file systems", callOptions, async ({ signal }) => {
        const { imageFilesystems } = await connection.call("ImageFsInfo", {}, signal);
        return imageFilesystems.map(toUsage);
      }),
    close: async () => {
      closing.abort();
      connection.close();
      await Promise.resolve();
    },
  };
}

/** Pulls are the same where they name the same image and may say the same of who they are. */
function keyOf(name: string, credentials: readonly Credentials[]): string {
  return `${name} ${createHash("sha256").update(JSON.stringify(credentials)).digest("base64")}`;
}

async function findImage(
  connection: CriConnection,
  reference: ImageReference,
  signal: AbortSignal,
): Promise<CriImage | undefined> {
  const image = await statusOf(connection, runtimeName(reference), signal);
  if (image === undefined) return undefined;
  const named = howNamed(image, reference);
  if (named !== "untagged") return named === "named" ? image : undefined;
  // Its tag may have moved on to another image.
  const holder = await statusOf(connection, formatReference(withoutDigest(reference)), signal);
  return holder === undefined ? image : undefined;
}

function refuseToRemove(image: CriImage, reference: ImageReference, allNames: boolean): void {
  const name = formatReference(reference);
  if (image.pinned) {
    throw new FairleadError("image-in-use", `${name} is pinned in the container runtime`, {
      hint: "Unpin it in the runtime's own configuration first.",
    });
  }
  const others = otherNames(image, reference);
  if (allNames || others.length === 0) return;
  throw new FairleadError(
    "image-in-use",
    `${name} cannot be removed alone: the runtime would remove ${excerpt(others.join(", "), 1_000)} too`,
    { hint: "Remove the image with all of its names, or leave it." },
  );
}

/** The tag where the image has it, else the digest. */
function nameToRemove(image: CriImage, reference: ImageReference): string {
  return howNamed(image, reference) === "named" && reference.tag !== undefined
    ? formatReference(withoutDigest(reference))
    : runtimeName(reference);
}

/** Registries and runtimes may repeat in an error what they were given, and its cause holds that too. */
async function withoutSecrets<Result>(
  credentials: readonly Credentials[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (credentials.length === 0 || !(error instanceof FairleadError)) throw error;
    const secrets = credentials.map((entry) => (entry.kind === "basic" ? entry.password : entry.token));
    const { code, message, hint, retryable } = error;
    throw new FairleadError(code, createRedactor(secrets)(message), { hint, retryable });
  }
}

function toUsage({ fsId, usedBytes, inodesUsed }: CriReceived<"FilesystemUsage">): FilesystemUsage {
  return {
    mountpoint: fsId?.mountpoint ?? "",
    usedBytes: Number(usedBytes?.value ?? 0),
    inodesUsed: Number(inodesUsed?.value ?? 0),
  };
}
