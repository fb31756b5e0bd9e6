import { join } from "node:path";
import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { withTempDir } from "../../../test/support/temp-dir.ts";
import { createLogger } from "../../core/log.ts";
import type { NotificationEvent } from "../event.ts";
import { folderSnapshot } from "../objects/folder-snapshot.ts";
import { loadNotificationObjects } from "../objects/load-notification-objects.ts";
import type { NotificationObjects } from "../objects/notification-objects.ts";
import { AlertMatcher } from "./alert-matcher.ts";
import { EventRouter, type EventRouterOptions } from "./event-router.ts";
import { describeMismatch } from "./mismatch.ts";

const apiVersion = "notification.toolkit.fluxcd.io/v1beta3";

interface Given {
  /** Fields of the Alert's spec, beside the provider and a source that selects everything of its kind. */
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly provider?: Readonly<Record<string, unknown>> | null;
  readonly labels?: Readonly<Record<string, string>>;
}

async function load({ spec, annotations, provider, labels }: Given): Promise<NotificationObjects> {
  const source = { kind: "HelmRelease", name: "*" };
  const manifests: unknown[] = [
    {
      apiVersion,
      kind: "Alert",
      metadata: { name: "all", namespace: "apps", annotations },
      spec: { providerRef: { name: "chat" }, eventSources: [source], ...spec },
    },
    ...(provider === null
      ? []
      : [
          {
            apiVersion,
            kind: "Provider",
            metadata: { name: "chat", namespace: "apps" },
            spec: { type: "slack", ...provider },
          },
        ]),
    ...(labels === undefined
      ? []
      : [
          {
            apiVersion: "helm.toolkit.fluxcd.io/v2",
            kind: "HelmRelease",
            metadata: { name: "podinfo", namespace: "apps", labels },
          },
        ]),
  ];
  return withTempDir(async (folder) => {
    await writeFile(
      join(folder, "objects.yaml"),
      manifests.map((manifest) => JSON.stringify(manifest)).join("\n---\n"),
    );
    return (await loadNotificationObjects([folder])).objects;
  });
}

function event({ involvedObject, ...fields }: Partial<NotificationEvent> = {}): NotificationEvent {
  return {
    involvedObject: {
      apiVersion: "helm.toolkit.fluxcd.io/v2",
      kind: "HelmRelease",
      namespace: "apps",
      name: "podinfo",
      ...involvedObject,
    },
    severity: "info",
    timestamp: "2026-11-22T08:00:00Z",
    message: "Helm upgrade succeeded",
    reason: "UpgradeSucceeded",
    metadata: {},
    reportingController: "helm-controller",
    ...fields,
  };
}

/** Why an event is not for the Alert, and what its owner is told; `matches` where it is. */
async function verdict(
  given: Given,
  about: NotificationEvent,
  noCrossNamespaceRefs = false,
): Promise<string[]> {
  const objects = await load(given);
  const [alert] = objects.alerts.values();
  if (alert === undefined) throw new Error("the Alert is not read");
  const match = new AlertMatcher(alert, { providers: objects.providers, noCrossNamespaceRefs }).match(
    about,
    given.labels,
  );
  return [
    match.isMatch ? "matches" : describeMismatch(match.mismatch),
    ...match.warnings.map(({ reason, message }) => `${reason}: ${message}`),
  ];
}

const sources = (source: Readonly<Record<string, unknown>>): Given => ({
  spec: { eventSources: [{ kind: "HelmRelease", name: "*", ...source }] },
});
const elsewhere = event({ involvedObject: { ...event().involvedObject, namespace: "other" } });
const annotated = (key: string, value: string): NotificationEvent =>
  event({ metadata: { [`event.toolkit.fluxcd.io/${key}`]: value } });
const update = event({ metadata: { "helm.toolkit.fluxcd.io/commit_status": "update" } });

describe("an event matches an Alert or not", () => {
  test.each<[name: string, given: Given, about: NotificationEvent, expected: readonly string[]]>([
    ["every name", {}, event(), ["matches"]],
    ["its name", sources({ name: "podinfo" }), event(), ["matches"]],
    [
      "another name",
      sources({ name: "other" }),
      event(),
      ["no event source selects it: HelmRelease/other (another name)"],
    ],
    [
      "another version of the API",
      sources({ apiVersion: "helm.toolkit.fluxcd.io/v1" }),
      event(),
      ["matches"],
    ],
    [
      "another kind",
      sources({ kind: "Kustomization" }),
      event(),
      ["no event source selects it: Kustomization/* (another kind)"],
    ],
    [
      "the Alert's namespace by default",
      {},
      elsewhere,
      ["no event source selects it: HelmRelease/* (another namespace)"],
    ],
    ["a namespace that is named", sources({ namespace: "other" }), elsewhere, ["matches"]],
    [
      "one of two sources",
      {
        spec: {
          eventSources: [
            { kind: "Bucket", name: "a" },
            { kind: "HelmRelease", name: "*" },
          ],
        },
      },
      event(),
      ["matches"],
    ],
    ["no sources", { spec: { eventSources: [] } }, event(), ["the Alert has no event sources"]],
    [
      "errors alone",
      { spec: { eventSeverity: "error" } },
      event(),
      ["no event source selects it: HelmRelease/* (not an error)"],
    ],
    ["an error", { spec: { eventSeverity: "error" } }, event({ severity: "error" }), ["matches"]],
    ["a trace", {}, event({ severity: "trace" }), ["matches"]],
    [
      "labels",
      { ...sources({ matchLabels: { team: "a" } }), labels: { team: "a", tier: "b" } },
      event(),
      ["matches"],
    ],
    [
      "other labels, although the name fits",
      { ...sources({ name: "podinfo", matchLabels: { team: "a" } }), labels: { team: "b" } },
      event(),
      ["no event source selects it: HelmRelease/podinfo (other labels)"],
    ],
    [
      "labels of an object that is not known",
      sources({ matchLabels: { team: "a" } }),
      event(),
      [
        "no event source selects it: HelmRelease/* (its labels are not known)",
        "SourceFetchFailed: error getting source object HelmRelease/apps/podinfo",
      ],
    ],
    ["a suspended Alert", { spec: { suspend: true } }, event(), ["the Alert is suspended"]],
    ["an inclusion", { spec: { inclusionList: ["^no", "succeeded$"] } }, event(), ["matches"]],
    [
      "no inclusion",
      { spec: { inclusionList: ["^no"] } },
      event(),
      ["no expression of spec.inclusionList matches the message"],
    ],
    [
      "an inclusion and an exclusion",
      { spec: { inclusionList: ["Helm"], exclusionList: ["x", "upgrade"] } },
      event(),
      ["an expression of spec.exclusionList matches the message: 'upgrade'"],
    ],
    [
      "expressions that are none",
      { spec: { inclusionList: ["(?=x)", "Helm"], exclusionList: ["("] } },
      event(),
      [
        "matches",
        "InvalidConfig: failed to compile inclusion regex: (?=x)",
        "InvalidConfig: failed to compile exclusion regex: (",
      ],
    ],
    [
      "no Provider",
      { provider: null },
      event(),
      [
        "there is no valid Provider apps/chat",
        'NotificationDispatchFailed: failed to dispatch notification for HelmRelease/apps/podinfo: failed to read provider: Provider.notification.toolkit.fluxcd.io "chat" not found',
      ],
    ],
    [
      "a suspended Provider",
      { provider: { suspend: true } },
      event(),
      ["the Provider apps/chat is suspended"],
    ],
    [
      "a commit status for a chat",
      {},
      update,
      ["it updates a commit status, which Providers of type slack do not"],
    ],
    ["a commit status for a webhook", { provider: { type: "generic" } }, update, ["matches"]],
    ["a commit status for a Git host", { provider: { type: "gitlab" } }, update, ["matches"]],
    [
      "nothing of a commit for a Git host",
      { provider: { type: "github" } },
      event(),
      [
        "it has no metadata key event.toolkit.fluxcd.io/commit, which Providers of type github need but for errors",
      ],
    ],
    ["an error for a Git host", { provider: { type: "github" } }, event({ severity: "error" }), ["matches"]],
    ["a commit for a Git host", { provider: { type: "github" } }, annotated("commit", "abc"), ["matches"]],
    [
      "an empty commit for a Git host",
      { provider: { type: "gitea" } },
      annotated("commit", ""),
      [
        "it has no metadata key event.toolkit.fluxcd.io/commit, which Providers of type gitea need but for errors",
      ],
    ],
    [
      "no change request",
      { provider: { type: "githubpullrequestcomment" } },
      event(),
      [
        "it has no metadata key event.toolkit.fluxcd.io/change_request, which Providers of type githubpullrequestcomment need",
      ],
    ],
    [
      "a change request",
      { provider: { type: "gitlabmergerequestcomment" } },
      annotated("change_request", "7"),
      ["matches"],
    ],
  ])("%s", async (_name, given, about, expected) => {
    expect(await verdict(given, about)).toEqual(expected);
  });

  test("another namespace can be blocked", async () => {
    expect(await verdict(sources({ namespace: "other" }), elsewhere, true)).toEqual([
      "the object is in another namespace, and cross-namespace references have been blocked",
      "NotificationDispatchFailed: failed to dispatch notification for HelmRelease/other/podinfo: discarding event, " +
        "access denied to cross-namespace sources: alert 'apps/all' can't process event from " +
        "'HelmRelease/other/podinfo', cross-namespace references have been blocked",
    ]);
  });
});

async function router(
  given: Given,
  options: Partial<EventRouterOptions> = {},
): Promise<{
  readonly router: EventRouter;
  readonly lines: readonly string[];
}> {
  const lines: string[] = [];
  const logger = createLogger({ level: "info", format: "text", write: (line) => lines.push(line) });
  return {
    router: new EventRouter({ objects: folderSnapshot(await load(given)), logger, ...options }),
    lines,
  };
}

describe("routing", () => {
  test("plans a delivery with the metadata of RFC-0008", async () => {
    const { router: routes } = await router({ spec: { eventMetadata: { cluster: "prod", image: "x" } } });
    const metadata = {
      "event.toolkit.fluxcd.io/image": "podinfo:6.5.0",
      "helm.toolkit.fluxcd.io/revision": "6.5.0",
      "helm.toolkit.fluxcd.io/token": "1",
      other: "",
    };
    const { event: cleaned, deliveries, kubernetesEvents } = await routes.route(event({ metadata }));
    expect(Object.keys(cleaned.metadata)).toEqual([
      "event.toolkit.fluxcd.io/image",
      "helm.toolkit.fluxcd.io/revision",
    ]);
    expect(deliveries).toEqual([
      {
        alert: { namespace: "apps", name: "all" },
        destination: "apps/chat",
        metadata: { cluster: "prod", image: "x", revision: "6.5.0" },
      },
    ]);
    expect(kubernetesEvents.map(({ reason }) => reason)).toEqual(["MetadataAppendFailed"]);
  });

  test.each<[name: string, template: string, text: string | undefined, reasons: readonly string[]]>([
    [
      "is written by a template",
      "{{ .InvolvedObject.Kind }}/{{ .InvolvedObject.Name }} in {{ .Alert.Namespace }}: {{ .Metadata.image | upper }} {{ .Severity }}\n",
      "HelmRelease/podinfo in apps: ÄPFEL info",
      [],
    ],
    ["stays as it is without one", " ", undefined, []],
    [
      "stays as it is where it gives nothing",
      "{{ .Metadata.none }}".replace("none", "image").replace("{{", "{{ if false }}{{").concat("{{ end }}"),
      undefined,
      [],
    ],
    ["stays as it is where it is none", "{{ .Nope }}", undefined, ["InvalidConfig"]],
    ["stays as it is where it does not parse", "{{ if", undefined, ["InvalidConfig"]],
    ["stays as it is where it asks the machine", '{{ env "HOME" }}', undefined, ["InvalidConfig"]],
    [
      "stays as it is where it takes too long",
      "{{ range until 100000 }}{{ range until 100000 }}x{{ end }}{{ end }}",
      undefined,
      ["InvalidConfig"],
    ],
  ])("the text %s", async (_name, template, text, reasons) => {
    const { router: routes } = await router({
      annotations: { "notification.fairlead.dev/template": template },
    });
    const { deliveries, kubernetesEvents } = await routes.route(annotated("image", "äpfel"));
    expect(deliveries.map((delivery) => delivery.text)).toEqual([text]);
    expect(kubernetesEvents.map(({ reason }) => reason)).toEqual(reasons);
  });

  test("tells which Alerts an event was dropped for", async () => {
    const { router: routes, lines } = await router({ provider: { type: "github" } });
    await routes.route(event());
    expect(lines).toEqual([
      "info: event dropped for commit status providers due to missing commit metadata key object=HelmRelease/apps/podinfo alerts=apps/all",
      "info: discarding event, no alerts found for the involved object object=HelmRelease/apps/podinfo",
    ]);
  });
});
