import { describe, expect, test } from "vitest";
import { createLogger } from "../../core/log.ts";
import type { NotificationEvent } from "../event.ts";
import type { Alert } from "../objects/alert.ts";
import { cleanMetadata, withoutToken } from "./clean-metadata.ts";
import { combineMetadata, metadataSources, type MetadataSource } from "./combine-metadata.ts";
import { conflictEvent, logMetadata } from "./conflict-report.ts";

const [annotations, eventMetadata, summary, controller] = metadataSources;

function event(
  metadata: Record<string, string>,
  apiVersion = "helm.toolkit.fluxcd.io/v2",
): NotificationEvent {
  return {
    involvedObject: { apiVersion, kind: "HelmRelease", namespace: "apps", name: "podinfo" },
    severity: "info",
    timestamp: "2026-11-22T08:00:00Z",
    message: "done",
    reason: "Succeeded",
    metadata,
    reportingController: "helm-controller",
  };
}

function alert(spec: Partial<Alert["spec"]> = {}): Alert {
  return {
    kind: "Alert",
    apiVersion: "notification.toolkit.fluxcd.io/v1beta3",
    meta: {
      namespace: "apps",
      name: "all",
      uid: "1-2",
      labels: {},
      annotations: {},
      generation: 1,
      where: {},
    },
    spec: {
      providerRef: { name: "chat" },
      eventSources: [],
      eventSeverity: "info",
      inclusionList: [],
      exclusionList: [],
      eventMetadata: {},
      suspend: false,
      ...spec,
    },
  };
}

/** An event and an Alert in which these sources give the key `summary`, each with its own name for a value. */
function given(sources: readonly MetadataSource[]): {
  readonly event: NotificationEvent;
  readonly alert: Alert;
} {
  return {
    event: event({
      ...(sources.includes(annotations) && { "event.toolkit.fluxcd.io/summary": annotations }),
      ...(sources.includes(controller) && { "helm.toolkit.fluxcd.io/summary": controller }),
    }),
    alert: alert({
      ...(sources.includes(eventMetadata) && { eventMetadata: { summary: eventMetadata } }),
      ...(sources.includes(summary) && { summary }),
    }),
  };
}

describe("the order of precedence", () => {
  const subsets = Array.from({ length: 2 ** metadataSources.length }, (_, bits) =>
    metadataSources.filter((_source, index) => (bits & (1 << index)) !== 0),
  );

  test.each(subsets.map((sources) => [sources.join(" + ") || "no source", sources] as const))(
    "%s",
    (_name, sources) => {
      const { event, alert } = given(sources);
      const winner = sources.at(-1);
      const combined = combineMetadata(event, alert);
      expect({ ...combined.metadata }).toEqual(winner === undefined ? {} : { summary: winner });
      expect({ ...combined.origins }).toEqual(winner === undefined ? {} : { summary: winner });
      expect(combined.conflicts).toEqual(sources.length > 1 ? [{ key: "summary", sources }] : []);
      expect(combined.usesSummary).toBe(sources.includes(summary));
    },
  );

  test("equal values are a conflict as well", () => {
    const { conflicts } = combineMetadata(
      event({ "event.toolkit.fluxcd.io/a": "same", "helm.toolkit.fluxcd.io/a": "same" }),
      alert(),
    );
    expect(conflicts).toEqual([{ key: "a", sources: [annotations, controller] }]);
  });

  test("keys and conflicts are sorted", () => {
    const combined = combineMetadata(
      event({
        "event.toolkit.fluxcd.io/z": "1",
        "event.toolkit.fluxcd.io/10": "1",
        "event.toolkit.fluxcd.io/9": "1",
      }),
      alert({ eventMetadata: { "9": "2", z: "2", "10": "2" } }),
    );
    expect(combined.conflicts.map(({ key }) => key)).toEqual(["10", "9", "z"]);
  });
});

describe("clean-up", () => {
  test.each<
    [name: string, apiVersion: string, metadata: Record<string, string>, expected: readonly string[]]
  >([
    [
      "keeps both prefixes",
      "helm.toolkit.fluxcd.io/v2",
      {
        "event.toolkit.fluxcd.io/a": "",
        "helm.toolkit.fluxcd.io/b": "",
        "image.toolkit.fluxcd.io/c": "",
        d: "",
      },
      ["event.toolkit.fluxcd.io/a", "helm.toolkit.fluxcd.io/b"],
    ],
    [
      "drops checksum and digest of the controller, in any case",
      "helm.toolkit.fluxcd.io/v2",
      {
        "helm.toolkit.fluxcd.io/checksum": "",
        "helm.toolkit.fluxcd.io/Digest": "",
        "helm.toolkit.fluxcd.io/chec\u212asum": "",
        "event.toolkit.fluxcd.io/digest": "",
      },
      ["event.toolkit.fluxcd.io/digest"],
    ],
    [
      "keeps of the core group what begins with a slash",
      "v1",
      { "/revision": "", revision: "", "v1/revision": "" },
      ["/revision"],
    ],
    ["takes a version that is none for the core group", "a/b/c", { "a/x": "", "/x": "" }, ["/x"]],
    [
      "keeps the token for telling duplicates",
      "helm.toolkit.fluxcd.io/v2",
      { "helm.toolkit.fluxcd.io/token": "" },
      ["helm.toolkit.fluxcd.io/token"],
    ],
  ])("%s", (_name, apiVersion, metadata, expected) => {
    expect(Object.keys(cleanMetadata(event(metadata, apiVersion)).metadata)).toEqual(expected);
  });

  test("takes away the token afterwards", () => {
    const cleaned = withoutToken(
      event({ "helm.toolkit.fluxcd.io/token": "", "event.toolkit.fluxcd.io/token": "kept" }),
    );
    expect({ ...cleaned.metadata }).toEqual({ "event.toolkit.fluxcd.io/token": "kept" });
  });
});

describe("the report of conflicts", () => {
  const { event: conflicting, alert: owner } = given([annotations, summary, controller]);
  const combined = combineMetadata(conflicting, owner);

  test("goes to the log in Flux's words", () => {
    const lines: string[] = [];
    logMetadata(
      combined,
      owner,
      createLogger({ level: "info", format: "text", write: (line) => lines.push(line) }),
    );
    expect(lines).toEqual([
      "info: warning: specifying an alert summary with '.spec.summary' is deprecated, use '.spec.eventMetadata.summary' instead alert=apps/all",
      "info: warning: metadata key conflicts detected (please refer to the Alert API docs and Flux RFC 0008 for more information) alert=apps/all " +
        `conflictingKeys=${JSON.stringify(JSON.stringify(combined.conflicts))}`,
    ]);
  });

  test("is an event on the Alert, with the keys in its message", () => {
    expect(conflictEvent(combined.conflicts, owner)).toEqual({
      involvedObject: {
        apiVersion: "notification.toolkit.fluxcd.io/v1beta3",
        kind: "Alert",
        namespace: "apps",
        name: "all",
        uid: "1-2",
      },
      type: "Warning",
      reason: "MetadataAppendFailed",
      message:
        "metadata key conflicts detected (please refer to the Alert API docs and Flux RFC 0008 for more information): " +
        "summary (involved object annotations, Alert object .spec.summary, involved object controller metadata)",
      annotations: {
        summary:
          "involved object annotations, Alert object .spec.summary, involved object controller metadata",
      },
    });
    expect(conflictEvent([], owner)).toBeUndefined();
  });

  test("is no longer than Kubernetes takes", () => {
    const many = Array.from({ length: 100 }, (_, index) => ({
      key: `key${index}`,
      sources: [annotations, controller],
    }));
    expect(conflictEvent(many, owner)?.message.length).toBe(1024);
    expect(Object.keys(conflictEvent(many, owner)?.annotations ?? {})).toHaveLength(100);
  });
});
