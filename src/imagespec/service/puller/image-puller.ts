import { type ErrorCode, FairleadError, messageOf } from "../../../core/error.ts";
import { formatDuration } from "../../../helm/go/duration.ts";
import type { ImageSpec } from "../../../reference/image-spec.ts";
import type { Credentials } from "../../../registry/registry-api.ts";
import { deriveImageSpec } from "../../convert/image-string.ts";
import type { ImageService } from "../image-service.ts";
import { createPullBackOff } from "./pull-back-off.ts";
import { defaultPullPolicy, type PullPolicy } from "./pull-policy.ts";
import { createPullSlots } from "./pull-slots.ts";

/** What kubelet tells of the image of a container, with its own reasons and messages. */
export interface PullEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: "Pulling" | "Pulled" | "Failed" | "BackOff" | "ErrImageNeverPull" | "InspectFailed";
  readonly message: string;
}

/** Why a container waits for its image (k8s.io/kubernetes, pkg/kubelet/images/types.go; k8s.io/cri-api, pkg/errors). */
export type PullFailureReason =
  | "ErrImagePull"
  | "ImagePullBackOff"
  | "ErrImageNeverPull"
  | "InvalidImageName"
  | "ImageInspectError"
  | "RegistryUnavailable"
  | "SignatureValidationFailed";

export type PullOutcome =
  | { readonly id: string; readonly reason?: never; readonly message?: never }
  | { readonly id?: never; readonly reason: PullFailureReason; readonly message: string };

/** The image of a container of a pod. */
export interface WantedImage {
  readonly podUid: string;
  /** As it stands in the container; it is what events name. */
  readonly image: string;
  /** Where the image string does not say it all; default: what the image string says. */
  readonly spec?: ImageSpec | undefined;
  /** Default: {@link defaultPullPolicy}. */
  readonly policy?: PullPolicy | undefined;
  /** In the order in which to try them; default: the image service's own. */
  readonly credentials?: readonly Credentials[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ImagePuller {
  /**
   * Sees that an image is there as its policy wants it, with kubelet's events on the way.
   * @throws FairleadError `aborted` where the signal ends it: that counts as no failure
   */
  ensureImage(wanted: WantedImage, record: (event: PullEvent) => void): Promise<PullOutcome>;
}

export interface ImagePullerOptions {
  readonly service: ImageService;
  /** Pulls at a time: 1 is kubelet's `serializeImagePulls`; default: any number. */
  readonly maxParallelPulls?: number | undefined;
  /** Milliseconds of a clock that does not go back; default: this process's. */
  readonly nowMs?: (() => number) | undefined;
}

const invalidCodes: ReadonlySet<ErrorCode> = new Set([
  "reference-invalid",
  "image-spec-invalid",
  "input-invalid",
]);

/**
 * The generic image puller of document 003: kubelet's image manager (k8s.io/kubernetes 1.34,
 * pkg/kubelet/images/image_manager.go) on structured images of any format. Where kubelet's own message for a failed
 * inspection has an empty name, this one has the image's.
 */
export function createImagePuller(options: ImagePullerOptions): ImagePuller {
  const { service, maxParallelPulls = Infinity, nowMs = (): number => performance.now() } = options;
  const backOff = createPullBackOff(nowMs);
  const slots = createPullSlots(maxParallelPulls);

  return {
    ensureImage: async (wanted, record) => {
      const { image, signal } = wanted;
      const spec = wanted.spec ?? deriveImageSpec(image);
      if (spec === undefined) return refuseName(image, "invalid reference format", record);
      const policy = wanted.policy ?? defaultPullPolicy(spec);
      if (policy !== "Always") {
        const found = await inspect(service, spec, signal);
        if ("error" in found) return refuseInspection(image, found.error, record);
        if (found.id !== undefined) {
          record(normal("Pulled", `Container image ${quote(image)} already present on machine`));
          return { id: found.id };
        }
        if (policy === "Never") return refuseNever(image, record);
      }
      return pull(wanted, spec, record);
    },
  };

  async function pull(
    wanted: WantedImage,
    spec: ImageSpec,
    record: (event: PullEvent) => void,
  ): Promise<PullOutcome> {
    const { podUid, image, credentials, signal } = wanted;
    const key = `${podUid}_${image}`;
    if (backOff.isWaiting(key)) {
      const message = `Back-off pulling image ${quote(image)}`;
      record(normal("BackOff", message));
      const last = backOff.lastFailure(key);
      return { reason: "ImagePullBackOff", message: last === undefined ? message : `${message}: ${last}` };
    }
    backOff.begin(key);
    record(normal("Pulling", `Pulling image ${quote(image)}`));
    const wantedAtMs = nowMs();
    try {
      const { id, tookMs, sizeBytes } = await slots.run(signal, async () => {
        const startedAtMs = nowMs();
        const pulledId = await service.pullImage(spec, { credentials, signal });
        const size = await sizeOf(service, spec, signal);
        return { id: pulledId, sizeBytes: size, tookMs: nowMs() - startedAtMs };
      });
      const times = `${goDuration(tookMs)} (${goDuration(nowMs() - wantedAtMs)} including waiting)`;
      const message = `Successfully pulled image ${quote(image)} in ${times}. Image size: ${sizeBytes} bytes.`;
      record(normal("Pulled", message));
      return { id };
    } catch (error) {
      if (signal?.aborted === true) throw abortedError(image, error);
      if (isInvalid(error)) return refuseName(image, messageOf(error), record);
      const message = messageOf(error);
      record(warning("Failed", `Failed to pull image ${quote(image)}: ${message}`));
      const failure = failureOf(image, error);
      backOff.fail(key, `${failure.reason}: ${failure.message}`);
      return failure;
    }
  }
}

/** As a runtime finds it for kubelet: where there is a digest or an ID, the tag beside it says nothing. */
async function inspect(
  service: ImageService,
  spec: ImageSpec,
  signal: AbortSignal | undefined,
): Promise<{ readonly id: string | undefined } | { readonly error: unknown }> {
  try {
    return { id: (await service.imageStatus(pinnedSpec(spec), { signal }))?.id };
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return { error };
  }
}

function pinnedSpec(spec: ImageSpec): ImageSpec {
  if (spec.dockerImage === undefined) {
    const { tag: _, ...aci } = spec.aci;
    return spec.aci.id === undefined ? spec : { aci };
  }
  const { tag: _, ...dockerImage } = spec.dockerImage;
  return spec.dockerImage.digest === undefined ? spec : { dockerImage };
}

/** The size is told where it is known; a pull does not fail for it. */
async function sizeOf(
  service: ImageService,
  spec: ImageSpec,
  signal: AbortSignal | undefined,
): Promise<number> {
  const found = await service.imageStatus(pinnedSpec(spec), { signal }).catch(() => undefined);
  return found?.sizeBytes ?? 0;
}

function failureOf(image: string, error: unknown): PullOutcome & { readonly reason: PullFailureReason } {
  const message = messageOf(error);
  const code = error instanceof FairleadError ? error.code : undefined;
  const because = (reason: PullFailureReason, what: string): PullOutcome & { reason: PullFailureReason } => ({
    reason,
    message: `image pull failed for ${image} because ${what}: ${message}`,
  });
  if (code === "registry-unreachable") return because("RegistryUnavailable", "the registry is unavailable");
  if (code === "signature-invalid") {
    return because("SignatureValidationFailed", "the signature validation failed");
  }
  return { reason: "ErrImagePull", message };
}

function refuseName(image: string, problem: string, record: (event: PullEvent) => void): PullOutcome {
  const parsing = `couldn't parse image name ${quote(image)}: ${problem}`;
  const message = `Failed to apply default image tag ${quote(image)}: ${parsing}`;
  record(warning("InspectFailed", message));
  return { reason: "InvalidImageName", message };
}

function refuseInspection(image: string, error: unknown, record: (event: PullEvent) => void): PullOutcome {
  if (isInvalid(error)) return refuseName(image, messageOf(error), record);
  const message = `Failed to inspect image ${quote(image)}: ${messageOf(error)}`;
  record(warning("InspectFailed", message));
  return { reason: "ImageInspectError", message };
}

function refuseNever(image: string, record: (event: PullEvent) => void): PullOutcome {
  const message = `Container image ${quote(image)} is not present with pull policy of Never`;
  record(warning("ErrImageNeverPull", message));
  return { reason: "ErrImageNeverPull", message };
}

function isInvalid(error: unknown): boolean {
  return error instanceof FairleadError && invalidCodes.has(error.code);
}

function abortedError(image: string, cause: unknown): FairleadError {
  return cause instanceof FairleadError && cause.code === "aborted"
    ? cause
    : new FairleadError("aborted", `the pull of ${quote(image)} was stopped`, { cause });
}

function normal(reason: PullEvent["reason"], message: string): PullEvent {
  return { type: "Normal", reason, message };
}

function warning(reason: PullEvent["reason"], message: string): PullEvent {
  return { type: "Warning", reason, message };
}

function quote(text: string): string {
  return JSON.stringify(text);
}

/** As Go writes a duration that was cut to milliseconds, such as `1.25s`. */
function goDuration(ms: number): string {
  return formatDuration(BigInt(Math.floor(ms)) * 1_000_000n);
}
