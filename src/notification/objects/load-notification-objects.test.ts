import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withTempDir } from "../../../test/support/temp-dir.ts";
import { formatWhere } from "../../core/error.ts";
import { loadNotificationObjects, type LoadedNotificationObjects } from "./load-notification-objects.ts";
import { providerSettings } from "./provider-settings.ts";

async function load(text: string): Promise<LoadedNotificationObjects & { readonly told: readonly string[] }> {
  return withTempDir(async (folder) => {
    await writeFile(join(folder, "objects.yaml"), text);
    const loaded = await loadNotificationObjects([folder]);
    const told = loaded.diagnostics.map(
      ({ message, where, severity, hint }) =>
        `${formatWhere({ ...where, file: "" }).replace(/^:/u, "")} ${severity}: ${message}${hint === undefined ? "" : ` [${hint}]`}`,
    );
    return { ...loaded, told };
  });
}

const group = "notification.toolkit.fluxcd.io";
const alertOf = (spec: string, version = "v1beta3"): string =>
  `apiVersion: ${group}/${version}\nkind: Alert\nmetadata: {name: a, namespace: apps, uid: 1-2}\nspec: ${spec}\n`;
const providerOf = (spec: string): string =>
  `apiVersion: ${group}/v1beta3\nkind: Provider\nmetadata: {name: a, namespace: apps, uid: 1-2}\nspec: ${spec}\n`;
const receiverOf = (spec: string): string =>
  `apiVersion: ${group}/v1\nkind: Receiver\nmetadata: {name: a, namespace: apps}\nspec: ${spec}\n`;

describe("an Alert", () => {
  test("has all its fields", async () => {
    const { objects, told } = await load(
      alertOf(
        "{providerRef: {name: chat}, eventSeverity: error, inclusionList: [a], exclusionList: [b], suspend: true, " +
          "eventMetadata: {cluster: prod}, summary: here, eventSources: [{apiVersion: v1, kind: HelmRelease, " +
          "name: '*', namespace: b, matchLabels: {team: a}}]}",
      ),
    );
    expect(told).toEqual([]);
    expect(objects.alerts.get("apps/a")).toMatchObject({
      apiVersion: `${group}/v1beta3`,
      meta: { uid: "1-2" },
      spec: {
        providerRef: { name: "chat" },
        eventSeverity: "error",
        inclusionList: ["a"],
        exclusionList: ["b"],
        eventMetadata: { cluster: "prod" },
        summary: "here",
        suspend: true,
        eventSources: [
          { apiVersion: "v1", kind: "HelmRelease", name: "*", namespace: "b", matchLabels: { team: "a" } },
        ],
      },
    });
  });

  test("has defaults", async () => {
    const { objects } = await load(alertOf("{providerRef: {name: chat}, eventSources: []}"));
    expect(objects.alerts.get("apps/a")?.spec).toEqual({
      providerRef: { name: "chat" },
      eventSeverity: "info",
      inclusionList: [],
      exclusionList: [],
      eventMetadata: {},
      eventSources: [],
      suspend: false,
    });
  });

  test.each<[name: string, text: string, told: readonly string[]]>([
    [
      "of v1 with a summary",
      alertOf("{providerRef: {name: c}, eventSources: [], summary: x}", "v1"),
      [
        "4:50 (spec.summary) error: Alert apps/a: spec.summary is no field of Alert v1 [use spec.eventMetadata.summary]",
      ],
    ],
    [
      "of a version that is gone",
      alertOf("{providerRef: {name: c}, eventSources: []}", "v1beta2"),
      ["1:1 (apiVersion) error: Alert apps/a: apiVersion is none of the versions that are read: v1beta3, v1"],
    ],
    [
      "without what it needs",
      alertOf("{}"),
      [
        "4:1 (spec.providerRef) error: Alert apps/a: spec.providerRef is required",
        "4:1 (spec.eventSources) error: Alert apps/a: spec.eventSources is required",
      ],
    ],
    [
      "with another kind of source",
      alertOf("{providerRef: {name: c}, eventSources: [{kind: HelmReleas, name: x}]}"),
      [
        "4:48 (spec.eventSources[0].kind) error: Alert apps/a: spec.eventSources[0].kind is none of Bucket, GitRepository, " +
          "Kustomization, HelmRelease, HelmChart, HelmRepository, ImageRepository, ImagePolicy, ImageUpdateAutomation, " +
          "OCIRepository, ArtifactGenerator, ExternalArtifact: 'HelmReleas' [did you mean HelmRelease?]",
      ],
    ],
    [
      "with an expression that is none, which is a warning",
      alertOf("{providerRef: {name: c}, eventSources: [], inclusionList: ['(?<=a)']}"),
      [
        "4:66 (spec.inclusionList[0]) warning: Alert apps/a: spec.inclusionList[0] is no regular expression and counts for " +
          "nothing: error parsing regexp: invalid named capture: `(?<=a)` [expressions are those of RE2, without " +
          "look-around and back-references]",
      ],
    ],
    [
      "with a summary that is too long",
      alertOf(`{providerRef: {name: c}, eventSources: [], summary: ${"x".repeat(256)}}`),
      ["4:50 (spec.summary) error: Alert apps/a: spec.summary is longer than 255 characters"],
    ],
  ])("%s is told", async (_name, text, expected) => {
    expect((await load(text)).told).toEqual(expected);
  });

  test("that is wrong does not stop the others", async () => {
    const { objects, told } = await load(`${alertOf("{}")}---\n${providerOf("{type: slack}")}`);
    expect(told).toHaveLength(2);
    expect(objects.alerts.size).toBe(0);
    expect(objects.providers.get("apps/a")?.spec).toEqual({
      type: "slack",
      address: "",
      channel: "",
      username: "",
      timeoutMs: 15_000,
      suspend: false,
    });
  });
});

function withSecret(data: string): string {
  const provider = providerOf("{type: slack, address: 'http://spec', username: spec, secretRef: {name: s}}");
  return `${provider}---\napiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: apps}\n${data}\n`;
}

describe("a Provider", () => {
  test.each<[name: string, spec: string, told: readonly string[]]>([
    ["without a type", "{}", ["4:1 (spec.type) error: Provider apps/a: spec.type is required"]],
    [
      "with hours",
      "{type: slack, timeout: 1h}",
      [
        "4:21 (spec.timeout) error: Provider apps/a: spec.timeout is no duration: '1h' [a duration has the units m, s and ms, such as 5m30s]",
      ],
    ],
    [
      "with a status of commits that it has not",
      "{type: slack, commitStatusExpr: x}",
      [
        "4:21 (spec.commitStatusExpr) error: Provider apps/a: spec.commitStatusExpr is only supported for the 'github', " +
          "'gitlab', 'gitea', 'bitbucketserver', 'bitbucket', 'azuredevops' provider types",
      ],
    ],
    [
      "with a proxy that is none",
      "{type: slack, proxy: 'user:secret@host'}",
      [
        "4:21 (spec.proxy) error: Provider apps/a: spec.proxy is no URL with http or https [use proxySecretRef, which keeps it secret as well]",
      ],
    ],
    [
      "with all there is",
      "{type: github, address: a, channel: b, username: c, timeout: 1m, interval: 1h, proxy: 'http://p', secretRef: {name: s}, certSecretRef: {name: s}, proxySecretRef: {name: s}, serviceAccountName: robot, commitStatusExpr: x, suspend: true}",
      [],
    ],
  ])("%s", async (_name, spec, expected) => {
    expect((await load(providerOf(spec))).told).toEqual(expected);
  });

  test("takes its address from its Secret first", async () => {
    const { objects } = await load(
      withSecret('stringData: {address: " http://secret\\n", token: "t\\n", headers: "A: b\\nC: \'1\'"}'),
    );
    const provider = objects.providers.get("apps/a");
    expect(provider && providerSettings(provider, objects.secrets)).toMatchObject({
      namespace: "apps",
      name: "a",
      uid: "1-2",
      address: "http://secret",
      username: "spec",
      secret: { token: "t" },
      headers: { A: "b", C: "1" },
    });
  });

  test.each<[name: string, data: string, message: string]>([
    ["that is not there", "x: y\n---\nkind: {}", "there is no Secret apps/s"],
    ["with bytes that are no text", "data: {token: /w==}", "the Secret apps/s holds no text at 'token'"],
    [
      "with headers that are no map",
      "stringData: {headers: '[topsecret]'}",
      "headers of the Secret is no map of texts in YAML",
    ],
    [
      "with headers that are no YAML",
      "stringData: {headers: '{topsecret'}",
      "headers of the Secret is no map of texts in YAML",
    ],
  ])("refuses a Secret %s", async (name, data, message) => {
    const { objects } = await load(withSecret(data));
    const provider = objects.providers.get("apps/a");
    if (provider === undefined) throw new Error("the Provider is not read");
    const secrets = name === "that is not there" ? new Map() : objects.secrets;
    expect(() => providerSettings(provider, secrets)).toThrow(message);
  });
});

describe("a Receiver", () => {
  const resources = "resources: [{kind: GitRepository, name: x}]";

  test("has all its fields", async () => {
    const { objects, told } = await load(
      receiverOf(
        `{type: generic-oidc, interval: 1m, events: [push], resourceFilter: 'true', suspend: true, ` +
          `resources: [{kind: ImageRepository, name: '*', matchLabels: {a: b}, filter: 'false'}], ` +
          `oidcProviders: [{issuerURL: 'https://i', variables: [{name: v, expression: e}], validations: [{expression: e, message: m}]}]}`,
      ),
    );
    expect(told).toEqual([]);
    expect(objects.receivers.get("apps/a")?.spec).toEqual({
      type: "generic-oidc",
      intervalMs: 60_000,
      events: ["push"],
      resources: [{ kind: "ImageRepository", name: "*", matchLabels: { a: "b" }, filter: "false" }],
      resourceFilter: "true",
      oidcProviders: [
        {
          issuerUrl: "https://i",
          audience: "notification-controller",
          variables: [{ name: "v", expression: "e" }],
          validations: [{ expression: "e", message: "m" }],
        },
      ],
      suspend: true,
    });
  });

  test.each<[name: string, spec: string, told: readonly RegExp[]]>([
    ["without a Secret", `{type: github, ${resources}}`, [/spec.secretRef is required for github/u]],
    [
      "of OIDC without a provider",
      `{type: generic-oidc, ${resources}}`,
      [/oidcProviders must have at least one item/u],
    ],
    [
      "of OIDC with a Secret",
      `{type: generic-oidc, secretRef: {name: x}, ${resources}, oidcProviders: [{issuerURL: 'http://i', validations: []}]}`,
      [/validations must have at least one item/u, /secretRef cannot be set for generic-oidc/u],
    ],
    [
      "of GitHub with OIDC",
      `{type: github, secretRef: {name: x}, ${resources}, oidcProviders: [{issuerURL: 'http://i', validations: [{expression: e, message: m}]}]}`,
      [/oidcProviders can only be set for generic-oidc/u],
    ],
    [
      "of every object",
      "{type: github, secretRef: {name: x}, resources: [{kind: GitRepository, name: '*'}]}",
      [/matchLabels is required where the name is \*/u],
    ],
    ["without resources", "{type: github, secretRef: {name: x}}", [/spec.resources is required/u]],
  ])("%s is told", async (_name, spec, expected) => {
    const { told, objects } = await load(receiverOf(spec));
    expect(objects.receivers.size).toBe(0);
    expect(told).toHaveLength(expected.length);
    for (const [index, pattern] of expected.entries()) expect(told[index]).toMatch(pattern);
  });
});
