import { FairleadError } from "../../core/error.ts";
import { parseReference, tryParseReference } from "../../reference/reference.ts";
import type { RegistryClient } from "../../registry/registry-api.ts";
import type { ImagePolicy, LatestReference } from "../objects/image-policy.ts";
import type { ImageRepository } from "../objects/image-repository.ts";
import type { AutomationObjects } from "../objects/objects.ts";
import { equalReferences, reflectDigest } from "../policy/latest-reference.ts";
import { type AccessOptions, findRepository } from "../policy/repository-access.ts";
import { selectLatest } from "../policy/select-latest.ts";
import { canonicalName } from "../scan.ts";
import type { AutomationState } from "../state/automation-state.ts";
import type { PolicyStatus } from "../state/object-status.ts";
import {
  isFinal,
  type Outcome,
  readyConditions,
  retryConditions,
  stalledConditions,
  wrapError,
} from "./outcome.ts";
import { digestSpec, handledRequest } from "./request.ts";

export interface PolicyPorts {
  readonly objects: Pick<AutomationObjects, "imageRepositories" | "namespaces">;
  readonly state: AutomationState;
  /** The client for a repository, with its credentials. @throws FairleadError */
  readonly connect: (repository: ImageRepository) => RegistryClient | Promise<RegistryClient>;
  readonly nowMs: () => number;
  readonly access?: AccessOptions;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Chooses the latest tag of an ImagePolicy among the tags of the last scan, and puts it into the state.
 * @throws FairleadError `state-invalid`, `aborted`; what is wrong with the policy is in the outcome
 */
export async function reconcilePolicy(
  policy: ImagePolicy,
  ports: PolicyPorts,
): Promise<Outcome<"ImagePolicy">> {
  const { meta, spec } = policy;
  const known = ports.state.status("ImagePolicy", meta) ?? statusOfObject(policy);
  if (spec.suspend) return { result: "suspended", status: known, diagnostics: [] };
  const outcome = await choose(policy, known, ports);
  ports.state.putStatus("ImagePolicy", meta, outcome.status);
  return outcome;
}

/** What the object itself says was chosen: from where another controller, or an earlier state, left off. */
function statusOfObject({ latestRef }: ImagePolicy): PolicyStatus {
  return { conditions: [], ...(latestRef === undefined ? {} : { latestRef }) };
}

async function choose(
  policy: ImagePolicy,
  known: PolicyStatus,
  ports: PolicyPorts,
): Promise<Outcome<"ImagePolicy">> {
  const { meta, spec } = policy;
  const observedSpec = digestSpec(spec);
  const kept: PolicyStatus = { ...known, ...handledRequest(meta), observedSpec };
  const failed = (reason: string, error: FairleadError): Outcome<"ImagePolicy"> => {
    const isStalled = stalling.has(reason);
    const conditions = (isStalled ? stalledConditions : retryConditions)(reason, error.message);
    return {
      result: isStalled ? "stalled" : "retry",
      status: { ...kept, conditions },
      diagnostics: [],
      error,
    };
  };
  if (spec.digestReflectionPolicy === "Always" && spec.intervalMs === undefined) {
    const message = "spec.interval must be set when spec.digestReflectionPolicy is set to 'Always'";
    return failed(
      "IntervalNotConfigured",
      new FairleadError("object-invalid", message, { where: meta.where }),
    );
  }
  let repository: ImageRepository;
  try {
    repository = findRepository(policy, ports.objects, ports.access);
  } catch (cause) {
    return failed(reasonOf(cause), wrapError("failed to get the referred ImageRepository", cause));
  }
  const tags = tagsOf(repository, ports.state);
  if (tags.length === 0) {
    const error = new FairleadError("policy-unresolved", "no tags in database", { where: meta.where });
    return failed("DependencyNotReady", error);
  }
  try {
    const { tag, attributes, diagnostics } = selectLatest(spec, tags, { where: meta.where });
    const chosen = { name: repository.spec.image, tag, attributes };
    let { digestTimeMs } = known;
    const latestRef = await reflectDigest(spec.digestReflectionPolicy, chosen, known.latestRef, async () => {
      digestTimeMs = ports.nowMs();
      return askForDigest(repository, chosen, ports);
    });
    const status: PolicyStatus = {
      ...kept,
      ...updatedReferences(known, latestRef),
      ...(digestTimeMs === undefined ? {} : { digestTimeMs }),
    };
    const conditions = readyConditions(readyMessage(status, latestRef));
    // A warning is given once for each state of the specification.
    const told = known.observedSpec === observedSpec && known.latestRef?.tag === tag ? [] : diagnostics;
    return {
      result: "ready",
      status: { ...status, conditions },
      ...(spec.intervalMs === undefined ? {} : { requeueAfterMs: spec.intervalMs }),
      diagnostics: told,
    };
  } catch (cause) {
    if (!(cause instanceof FairleadError) || isFinal(cause)) throw cause;
    return failed(reasonOf(cause), cause);
  }
}

/** The tags of the last scan; none where that was of another image, whose tags tell nothing of this one. */
function tagsOf({ meta, spec }: ImageRepository, state: AutomationState): readonly string[] {
  const reference = tryParseReference(spec.image);
  const scanned = state.status("ImageRepository", meta)?.canonicalImageName;
  return reference !== undefined && scanned === canonicalName(reference) ? state.tags(meta) : [];
}

const stalling: ReadonlySet<string> = new Set(["InvalidPolicy", "IntervalNotConfigured", "ImageURLInvalid"]);

/** The reason of the condition, as image-reflector-controller has it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof FairleadError)) return "Failure";
  switch (error.code) {
    case "policy-invalid":
      return "InvalidPolicy";
    case "access-denied":
      return "AccessDenied";
    case "object-missing":
      return "DependencyNotReady";
    case "reference-invalid":
      return "ImageURLInvalid";
    default:
      return "Failure";
  }
}

/** Whatever another reference takes the place of is the previous one. */
function updatedReferences(
  known: PolicyStatus,
  latestRef: LatestReference,
): Pick<PolicyStatus, "latestRef" | "observedPreviousRef"> {
  if (equalReferences(known.latestRef, latestRef)) return {};
  return { latestRef, ...(known.latestRef === undefined ? {} : { observedPreviousRef: known.latestRef }) };
}

async function askForDigest(
  repository: ImageRepository,
  { name, tag }: LatestReference,
  ports: PolicyPorts,
): Promise<string> {
  const text = `${name}:${tag}`;
  try {
    const options = { timeoutMs: repository.spec.timeoutMs, signal: ports.signal };
    const client = await ports.connect(repository);
    const { digest } = await client.headManifest(parseReference(text), options);
    return digest;
  } catch (cause) {
    if (isFinal(cause)) throw cause;
    throw wrapError(`failed fetching digest of ${text}`, cause);
  }
}

function readyMessage({ observedPreviousRef: previous }: PolicyStatus, latest: LatestReference): string {
  const digest = latest.digest === undefined ? "" : ` with digest ${latest.digest}`;
  const message = `Latest image tag for ${latest.name} resolved to ${latest.tag}${digest}`;
  if (previous === undefined || equalReferences(previous, latest)) return message;
  const previousDigest = previous.digest === undefined ? "" : `@${previous.digest}`;
  return `${message} (previously ${previous.name}:${previous.tag}${previousDigest})`;
}
