import { describe, expect, test } from "vitest";
import { FairleadError } from "../../core/error.ts";
import type { Alert } from "../../notification/objects/alert.ts";
import type { Provider } from "../../notification/objects/provider.ts";
import type { Receiver } from "../../notification/objects/receiver.ts";
import { webhookPath } from "../../notification/receivers/webhook-path.ts";
import type { KubernetesObject } from "../../objects/object-kind.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { Secret } from "../../objects/secret.ts";
import type { DeliveryOutcome } from "../notification/delivery-log.ts";
import { apiVersionOf } from "../api/resource-types.ts";
import { createAlertReconciler } from "./alert.ts";
import type { KindOutcome, KindReconciler, StatusObject } from "./kind-reconciler.ts";
import { ObjectReader } from "./object-reader.ts";
import { createProviderReconciler, deliveriesKey } from "./provider.ts";
import { createReceiverReconciler } from "./receiver.ts";

type Spec = Readonly<Record<string, unknown>>;
type Data = Readonly<Record<string, string>>;

/** Secrets of the namespace `apps`. */
const secretsOf = (
  all: Readonly<Record<string, Data>>,
): {
  getFresh(name: { readonly namespace: string; readonly name: string }): Promise<Secret | undefined>;
} => ({
  getFresh: async ({ namespace, name }) => {
    const data = all[name];
    if (data === undefined) return undefined;
    return {
      kind: "Secret",
      meta: { namespace, name, labels: {}, annotations: {}, generation: 0, where: {} },
      type: "Opaque",
      data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text)])),
    };
  },
});

async function reconcile<Read extends KubernetesObject>(
  reconciler: KindReconciler<Read>,
  spec: Spec,
  status: StatusObject["status"] = {},
): Promise<KindOutcome> {
  const metadata = { name: "it", namespace: "apps", uid: "u", resourceVersion: "1", generation: 2 };
  const apiVersion = apiVersionOf(reconciler.type);
  const raw = { apiVersion, kind: reconciler.kind, metadata, spec, status };
  const { object, problems } = new ObjectReader(reconciler.kind, reconciler.reads).read(raw);
  if (object === undefined) throw new Error(problems.map(({ message }) => message).join("; "));
  return reconciler.reconcile(object, raw, new AbortController().signal, async () => undefined);
}

/** The condition Ready, and what goes with it, in a line. */
function told({ result, findings }: KindOutcome): readonly string[] {
  return [
    result,
    ...findings.map(({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`),
  ];
}

const progressing = "Reconciling=True ProgressingWithRetry: reconciliation in progress";

const stalled = (message: string): readonly string[] => [
  "stalled",
  `Stalled=True ValidationFailed: ${message}`,
  `Ready=False ValidationFailed: ${message}`,
];
const retry = (reason: string, message: string): readonly string[] => [
  "retry",
  progressing,
  `Ready=False ${reason}: ${message}`,
];
const secretRef = (name: string): Spec => ({ secretRef: { name } });

describe("an Alert", () => {
  const alerts = createAlertReconciler({
    hasProvider: (namespace, name) => `${namespace}/${name}` === "apps/chat",
  });
  const alert = (spec: Spec): Spec => ({
    providerRef: { name: "chat" },
    eventSources: [{ kind: "HelmRelease", name: "*" }],
    ...spec,
  });
  const noRegex =
    "is no regular expression and counts for nothing: error parsing regexp: missing closing ): `(`";

  test.each<[name: string, spec: Spec, expected: readonly string[]]>([
    ["in order", {}, ["ready", "Ready=True Succeeded: Initialized"]],
    ["suspended", { suspend: true }, ["suspended"]],
    [
      "without its Provider",
      { providerRef: { name: "none" } },
      ["retry", progressing, "Ready=False ProviderNotFound: there is no valid Provider apps/none"],
    ],
    [
      "with an inclusion that is none",
      { inclusionList: ["ok", "("] },
      [
        "stalled",
        `Stalled=True ValidationFailed: spec.inclusionList[1] ${noRegex}`,
        `Ready=False ValidationFailed: spec.inclusionList[1] ${noRegex}`,
      ],
    ],
    [
      "with an exclusion that is none",
      { exclusionList: ["("] },
      [
        "stalled",
        `Stalled=True ValidationFailed: spec.exclusionList[0] ${noRegex}`,
        `Ready=False ValidationFailed: spec.exclusionList[0] ${noRegex}`,
      ],
    ],
  ])("%s", async (_name, spec, expected) => {
    expect(told(await reconcile(alerts, alert(spec)))).toEqual(expected);
  });

  test("refers to its Provider", () => {
    const { object } = new ObjectReader("Alert", alerts.reads).read({
      apiVersion: "notification.toolkit.fluxcd.io/v1beta3",
      kind: "Alert",
      metadata: { name: "it", namespace: "apps", uid: "u", resourceVersion: "1" },
      spec: alert({}),
    } as StatusObject);
    expect([...(alerts.referencesOf?.(object as Alert) ?? [])]).toEqual(["Provider/apps/chat"]);
    expect(alerts.hasFinalizer).toBe(false);
  });

  test("is told of once", async () => {
    const spec = alert({ providerRef: { name: "none" } });
    const first = await reconcile(alerts, spec);
    expect(first.occurrences).toEqual([
      { type: "Warning", reason: "ProviderNotFound", message: "there is no valid Provider apps/none" },
    ]);
    const conditions = first.findings.map(({ type, status, reason, message }) => ({
      type,
      status,
      reason,
      message,
      lastTransitionTime: "2026-08-01T00:00:00Z",
    }));
    expect((await reconcile(alerts, spec, { conditions })).occurrences).toEqual([]);
    expect((await reconcile(alerts, alert({}), { conditions })).occurrences).toEqual([
      { type: "Normal", reason: "Succeeded", message: "Initialized" },
    ]);
  });
});

describe("a Receiver", () => {
  const token = "s3cret";
  const receivers = createReceiverReconciler({
    secrets: secretsOf({ hook: { token }, rotated: { token: "0ther" }, empty: { token: "" } }),
  });
  const path = webhookPath(token, "it", "apps");
  const receiver = (spec: Spec): Spec => ({
    type: "github",
    secretRef: { name: "hook" },
    resources: [{ kind: "ImageRepository", name: "app" }],
    ...spec,
  });
  const failed = "Reconciliation failed terminally due to configuration error";
  const notBool = `${failed}: the CEL expression gives string instead of bool`;

  test.each<[name: string, spec: Spec, expected: readonly string[], webhookPath: unknown]>([
    ["in order", {}, ["ready", `Ready=True Succeeded: Receiver initialized for path: ${path}`], path],
    [
      "with a rotated token",
      { secretRef: { name: "rotated" } },
      ["ready", `Ready=True Succeeded: Receiver initialized for path: ${webhookPath("0ther", "it", "apps")}`],
      webhookPath("0ther", "it", "apps"),
    ],
    [
      "of generic-oidc, with neither Secret nor token",
      {
        type: "generic-oidc",
        secretRef: undefined,
        oidcProviders: [
          {
            issuerURL: "https://issuer.example",
            validations: [{ expression: "claims.sub == 'a'", message: "no" }],
          },
        ],
      },
      ["ready", `Ready=True Succeeded: Receiver initialized for path: ${webhookPath("", "it", "apps")}`],
      webhookPath("", "it", "apps"),
    ],
    ["suspended", { suspend: true }, ["suspended"], undefined],
    [
      "without its Secret",
      { secretRef: { name: "none" } },
      ["retry", progressing, "Ready=False TokenNotFound: Secret none is not known"],
      null,
    ],
    [
      "without a token",
      { secretRef: { name: "empty" } },
      ["retry", progressing, "Ready=False TokenNotFound: Secret empty has no token"],
      null,
    ],
    [
      "with a filter that gives no truth",
      { resourceFilter: "'a'" },
      [
        "stalled",
        `Stalled=True InvalidCELExpression: ${notBool}`,
        `Ready=False InvalidCELExpression: ${notBool}`,
      ],
      "/hook/before",
    ],
  ])("%s", async (_name, spec, expected, expectedPath) => {
    const outcome = await reconcile(receivers, receiver(spec), { webhookPath: "/hook/before" });
    expect(told(outcome)).toEqual(expected);
    expect(outcome.status["webhookPath"]).toBe(expectedPath);
  });

  test("is looked at again after its interval", async () => {
    expect((await reconcile(receivers, receiver({}))).requeueAfterMs).toBe(600_000);
    expect((await reconcile(receivers, receiver({ interval: "1m" }))).requeueAfterMs).toBe(60_000);
  });

  test("is tried again where its Secret cannot be read", async () => {
    const error = new FairleadError("upstream-unreachable", "no", { retryable: true });
    const unreachable = createReceiverReconciler({ secrets: { getFresh: () => Promise.reject(error) } });
    await expect(reconcile(unreachable, receiver({}))).rejects.toBe(error);
  });

  test("has a finalizer", () => {
    const { hasFinalizer }: KindReconciler<Receiver> = receivers;
    expect(hasFinalizer).toBeUndefined();
  });
});

describe("a Provider", () => {
  const hook = "https://hooks.example/services/T0000/B0000/v3rys3cretpath";
  const secrets = secretsOf({
    chat: { address: hook },
    empty: {},
    headers: { address: hook, headers: "s3cret: [1]" },
    half: { "tls.crt": "x" },
    proxy: { username: "me" },
  });
  const ports = { secrets, deliveries: { told: () => undefined, forget: () => undefined } };

  test.each<[name: string, spec: Spec, expected: readonly string[]]>([
    ["by its spec", { type: "slack", address: hook }, ["ready", "Ready=True Succeeded: Initialized"]],
    [
      "by its Secret",
      { type: "slack", ...secretRef("chat") },
      ["ready", "Ready=True Succeeded: Initialized"],
    ],
    ["suspended", { type: "slack", suspend: true }, ["suspended"]],
    [
      "without its Secret",
      { type: "slack", ...secretRef("none") },
      retry("SecretNotFound", "there is no Secret apps/none"),
    ],
    [
      "without its certificates",
      { type: "slack", address: hook, certSecretRef: { name: "none" } },
      retry("SecretNotFound", "there is no Secret apps/none"),
    ],
    [
      "with half of its certificate",
      { type: "slack", address: hook, certSecretRef: { name: "half" } },
      retry("ValidationFailed", "the Secret of certSecretRef has one of tls.crt and tls.key"),
    ],
    [
      "with a proxy of no address",
      { type: "slack", address: hook, proxySecretRef: { name: "proxy" } },
      retry("ValidationFailed", "the Secret of proxySecretRef has no address"),
    ],
    [
      "with headers that are none",
      { type: "generic", ...secretRef("headers") },
      retry("ValidationFailed", "headers of the Secret is no map of texts in YAML"),
    ],
    ["with no address", { type: "slack" }, stalled("the address of the provider is no URL of http or https")],
    [
      "with a Secret that lacks it",
      { type: "slack", ...secretRef("empty") },
      retry("ValidationFailed", "the address of the provider is no URL of http or https"),
    ],
    [
      "with an expression that is none",
      {
        type: "github",
        address: "https://github.com/org/repo",
        ...secretRef("empty"),
        commitStatusExpr: "((",
      },
      stalled("the CEL expression '((': Unexpected token: EOF"),
    ],
  ])("%s", async (_name, spec, expected) => {
    const outcome = await reconcile(createProviderReconciler(ports), spec);
    expect(told(outcome)).toEqual(expected);
    expect(JSON.stringify(outcome)).not.toContain("s3cret");
  });

  const outcomes: readonly [
    name: string,
    outcome: DeliveryOutcome | undefined,
    status: object,
    finding: string[],
  ][] = [
    ["nothing is known of", undefined, {}, []],
    [
      "that take them",
      { timeMs: Date.UTC(2026, 7, 1), result: "delivered", message: "" },
      { lastDelivery: { time: "2026-08-01T00:00:00Z", result: "delivered", message: undefined } },
      ["Delivering=True Succeeded: notifications are delivered"],
    ],
    [
      "that refuse them for now",
      { timeMs: Date.UTC(2026, 7, 1), result: "retry", message: "chat answered 503" },
      { lastDelivery: { time: "2026-08-01T00:00:00Z", result: "retry", message: "chat answered 503" } },
      ["Delivering=False DeliveryFailed: chat answered 503"],
    ],
    [
      "that refuse them for good",
      { timeMs: Date.UTC(2026, 7, 1), result: "dead", message: "chat answered 404" },
      { lastDelivery: { time: "2026-08-01T00:00:00Z", result: "dead", message: "chat answered 404" } },
      ["Delivering=False DeliveryFailed: chat answered 404"],
    ],
  ];

  test.each(outcomes)("deliveries %s", async (_name, outcome, status, finding) => {
    const deliveries = {
      told: (provider: string) => (provider === "apps/it" ? outcome : undefined),
      forget: () => undefined,
    };
    const found = await reconcile(createProviderReconciler({ secrets, deliveries }), {
      type: "slack",
      address: hook,
    });
    expect(found.status).toEqual(status);
    expect(told(found).slice(2)).toEqual(finding);
  });

  test("is looked at again when deliveries go another way, and forgotten when it is gone", async () => {
    const forgotten: string[] = [];
    const deliveries = { told: () => undefined, forget: (provider: string) => void forgotten.push(provider) };
    const providers = createProviderReconciler({ secrets, deliveries });
    const meta = { name: "it", namespace: "apps" };
    expect(providers.referencesOf?.({ meta } as Provider)).toEqual([deliveriesKey(objectKey(meta))]);
    await providers.forget?.(meta);
    expect(forgotten).toEqual(["apps/it"]);
    expect(providers.hasFinalizer).toBe(false);
  });
});
