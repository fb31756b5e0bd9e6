import type { LatestReference } from "../../automation/objects/image-policy.ts";
import type {
  AutomationStatus,
  PolicyStatus,
  RepositoryStatus,
} from "../../automation/state/object-status.ts";
import type { JsonObject } from "../conditions/status-patch.ts";

/** The status fields of an ImageRepository. */
export function repositoryFields({
  canonicalImageName,
  observedExclusionList,
  lastScan,
}: RepositoryStatus): JsonObject {
  return {
    canonicalImageName,
    observedExclusionList,
    lastScanResult: lastScan && {
      revision: lastScan.revision,
      tagCount: lastScan.tagCount,
      scanTime: formatTime(lastScan.timeMs),
      latestTags: lastScan.latestTags,
    },
  };
}

/** The status fields of an ImagePolicy, with the attributes of RFC-0005. */
export function policyFields({ latestRef, observedPreviousRef }: PolicyStatus): JsonObject {
  return {
    latestRef: latestRef && referenceFields(latestRef),
    observedPreviousRef: observedPreviousRef && referenceFields(observedPreviousRef),
  };
}

/** The status fields of an ImageUpdateAutomation. */
export function automationFields(status: AutomationStatus): JsonObject {
  const { lastAutomationRunTimeMs, lastPushTimeMs, lastPushCommit, observedSourceRevision } = status;
  return {
    lastAutomationRunTime: lastAutomationRunTimeMs && formatTime(lastAutomationRunTimeMs),
    lastPushCommit,
    lastPushTime: lastPushTimeMs && formatTime(lastPushTimeMs),
    observedPolicies:
      status.observedPolicies &&
      Object.fromEntries(
        Object.entries(status.observedPolicies).map(([name, reference]) => [
          name,
          referenceFields(reference),
        ]),
      ),
    observedSourceRevision,
  };
}

/** What the fields of an ImagePolicy's status say. */
export function policyStatusOf(fields: JsonObject): Pick<PolicyStatus, "latestRef" | "observedPreviousRef"> {
  const latestRef = tryReference(fields["latestRef"]);
  const observedPreviousRef = tryReference(fields["observedPreviousRef"]);
  return {
    ...(latestRef === undefined ? {} : { latestRef }),
    ...(observedPreviousRef === undefined ? {} : { observedPreviousRef }),
  };
}

/** What the fields of an ImageUpdateAutomation's status say. */
export function automationStatusOf(
  fields: JsonObject,
): Omit<AutomationStatus, "conditions" | "observedSpec" | "observedPushCommit"> {
  const lastAutomationRunTimeMs = tryTime(fields["lastAutomationRunTime"]);
  const lastPushTimeMs = tryTime(fields["lastPushTime"]);
  const { lastPushCommit, observedSourceRevision, observedPolicies } = fields;
  return {
    ...(lastAutomationRunTimeMs === undefined ? {} : { lastAutomationRunTimeMs }),
    ...(lastPushTimeMs === undefined ? {} : { lastPushTimeMs }),
    ...(typeof lastPushCommit === "string" ? { lastPushCommit } : {}),
    ...(typeof observedSourceRevision === "string" ? { observedSourceRevision } : {}),
    ...(isObject(observedPolicies) ? { observedPolicies: referencesOf(observedPolicies) } : {}),
  };
}

function referencesOf(fields: JsonObject): Readonly<Record<string, LatestReference>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const reference = tryReference(value);
      return reference === undefined ? [] : [[name, reference] as const];
    }),
  );
}

function referenceFields({ name, tag, digest, attributes }: LatestReference): JsonObject {
  const hasAttributes = Object.keys(attributes).length > 0;
  return { name, tag, ...(digest === undefined ? {} : { digest }), ...(hasAttributes ? { attributes } : {}) };
}

function tryReference(value: JsonObject[string]): LatestReference | undefined {
  if (!isObject(value)) return undefined;
  const { name, tag, digest, attributes } = value;
  if (typeof name !== "string" || typeof tag !== "string") return undefined;
  return {
    name,
    tag,
    ...(typeof digest === "string" ? { digest } : {}),
    attributes: isObject(attributes)
      ? Object.fromEntries(
          Object.entries(attributes).flatMap(([key, text]) =>
            typeof text === "string" ? [[key, text]] : [],
          ),
        )
      : {},
  };
}

function isObject(value: JsonObject[string]): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function tryTime(value: JsonObject[string]): number | undefined {
  const timeMs = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** RFC 3339, to the second, as Kubernetes writes times. */
function formatTime(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
}
