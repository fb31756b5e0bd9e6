import { FairleadError } from "../core/error.ts";
import { formatReference, type ImageReference, tryParseReference } from "../reference/reference.ts";
import { dockerHub } from "../reference/registry-host.ts";
import type { RegistryClient } from "../registry/registry-api.ts";
import type { ImageRepository } from "./objects/image-repository.ts";
import { createExclusion } from "./policy/exclusion-list.ts";
import {
  isFinal,
  type Outcome,
  readyConditionOf,
  readyConditions,
  retryConditions,
  stalledConditions,
  wrapError,
} from "./run/outcome.ts";
import { digestSpec, handledRequest, isRequested } from "./run/request.ts";
import type { AutomationState } from "./state/automation-state.ts";
import type { RepositoryStatus } from "./state/object-status.ts";
import { sortTags, tagChecksum } from "./state/tag-list.ts";

export interface ScanPorts {
  readonly state: AutomationState;
  /** The client for a repository, with its credentials. @throws FairleadError */
  readonly connect: (repository: ImageRepository) => RegistryClient | Promise<RegistryClient>;
  readonly nowMs: () => number;
  readonly signal?: AbortSignal | undefined;
}

const latestTagCount = 10;
const minWaitMs = 1000;

/** What decides which tags a scan finds. */
type ScanSpec = Pick<ImageRepository["spec"], "image" | "exclusionList">;

/**
 * Lists the tags of an ImageRepository if it is time, and puts them and its status into the state.
 * @throws FairleadError `state-invalid`, `aborted`; what the registry does is in the outcome
 */
export async function reconcileRepository(
  repository: ImageRepository,
  ports: ScanPorts,
): Promise<Outcome<"ImageRepository">> {
  const { meta, spec } = repository;
  const known = ports.state.status("ImageRepository", meta);
  if (spec.suspend) return { result: "suspended", status: known ?? { conditions: [] }, diagnostics: [] };
  const kept: RepositoryStatus = { ...known, conditions: [], ...handledRequest(meta) };
  const outcome = await scanIfDue(repository, known, kept, ports);
  // A scan that was made stands in the state already, together with its tags.
  ports.state.putStatus("ImageRepository", meta, outcome.status);
  return outcome;
}

async function scanIfDue(
  repository: ImageRepository,
  known: RepositoryStatus | undefined,
  kept: RepositoryStatus,
  ports: ScanPorts,
): Promise<Outcome<"ImageRepository">> {
  const { meta, spec } = repository;
  const failed = (
    result: "retry" | "stalled",
    reason: string,
    error: FairleadError,
  ): Outcome<"ImageRepository"> => {
    const conditions = (result === "stalled" ? stalledConditions : retryConditions)(reason, error.message);
    return { result, status: { ...kept, conditions }, diagnostics: [], error };
  };
  const reference = tryParseReference(spec.image);
  const problem = imageProblem(spec.image, reference);
  if (reference === undefined || problem !== undefined) {
    return failed(
      "stalled",
      "ImageURLInvalid",
      new FairleadError("object-invalid", problem ?? "", { where: meta.where }),
    );
  }
  const waitMs = isRequested(meta, known) ? 0 : waitFor(repository, known, ports);
  if (waitMs > 0) return ready(kept, waitMs);
  let client: RegistryClient;
  try {
    client = await ports.connect(repository);
  } catch (cause) {
    return failed(
      "retry",
      "AuthenticationFailed",
      wrapError("failed to configure authentication options", cause),
    );
  }
  try {
    const options = { timeoutMs: spec.timeoutMs, signal: ports.signal };
    const listed = await client.listTags(reference, options);
    const tags = sortTags(withoutExcluded(listed, spec.exclusionList));
    const status: RepositoryStatus = {
      ...kept,
      canonicalImageName: canonicalName(reference),
      observedExclusionList: spec.exclusionList,
      observedSpec: digestScan(spec),
      lastScan: {
        revision: tagChecksum(tags),
        tagCount: tags.length,
        timeMs: ports.nowMs(),
        latestTags: tags.slice(0, latestTagCount),
      },
    };
    const outcome = ready(status, spec.intervalMs);
    ports.state.putTags(meta, outcome.status, tags);
    return outcome;
  } catch (cause) {
    if (isFinal(cause)) throw cause;
    return failed("retry", "ReadOperationFailed", wrapError("scan failed", cause));
  }
}

function ready(status: RepositoryStatus, requeueAfterMs: number): Outcome<"ImageRepository"> {
  const { tagCount = 0, revision = "" } = status.lastScan ?? {};
  const message = `successful scan: found ${tagCount} tags with checksum ${revision}`;
  const conditions = readyConditions(message);
  return { result: "ready", status: { ...status, conditions }, requeueAfterMs, diagnostics: [] };
}

/**
 * How long the last scan will do: no time where there is none, where another image or exclusion list is asked for,
 * where no tag is known, and where an attempt since then has failed, be it one that somebody has asked for.
 */
function waitFor(
  { spec }: ImageRepository,
  known: RepositoryStatus | undefined,
  { nowMs }: Pick<ScanPorts, "nowMs">,
): number {
  if (known?.lastScan === undefined || known.observedSpec !== digestScan(spec)) return 0;
  if (readyConditionOf(known.conditions)?.status === "False") return 0;
  const waitMs = known.lastScan.timeMs + spec.intervalMs - nowMs();
  if (waitMs < minWaitMs || waitMs > spec.intervalMs) return 0;
  return known.lastScan.tagCount === 0 ? 0 : waitMs;
}

function digestScan({ image, exclusionList }: ScanSpec): string {
  return digestSpec(image, exclusionList.toSorted());
}

/** What Flux says of an image that names more than a repository, or less. */
function imageProblem(image: string, reference: ImageReference | undefined): string | undefined {
  const [scheme = "", ...others] = image.split("://");
  if (others.length > 0) return `.spec.image value should not start with URL scheme; remove '${scheme}://'`;
  if (reference === undefined) return `.spec.image value is no image: ${image}`;
  const { tag, digest } = reference;
  if (digest !== undefined) return `.spec.image value should not contain a digest; remove '@${digest}'`;
  return tag === undefined ? undefined : `.spec.image value should not contain a tag; remove ':${tag}'`;
}

/** The repository's name as Flux's status has it, with Docker Hub's older host. */
/** The name that a scan notes for an image: whole, without tag and digest. */
export function canonicalName({ registry, path, writtenPath }: ImageReference): string {
  return formatReference({
    registry: registry === dockerHub ? `index.${dockerHub}` : registry,
    path,
    writtenPath,
  });
}

const signatures = String.raw`^.*\.sig$`;

function withoutExcluded(tags: readonly string[], exclusionList: readonly string[]): readonly string[] {
  // The default is looked for in every tag there is.
  const [only, ...others] = exclusionList;
  if (only === signatures && others.length === 0) return tags.filter((tag) => !tag.endsWith(".sig"));
  const exclude = createExclusion(exclusionList);
  return tags.filter((tag) => exclude(tag) === undefined);
}
