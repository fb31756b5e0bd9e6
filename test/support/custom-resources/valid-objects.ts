import type { CustomKind } from "./kinds.ts";

/** A spec that is valid, by what it shows. */
export type ValidRow = readonly [name: string, kind: CustomKind, spec: Readonly<Record<string, unknown>>];

const token = { name: "token" };
const source = { kind: "GitRepository", name: "apps" };
const validation = { expression: "claims.sub == 'a'", message: "not a" };
const oidcProvider = { issuerURL: "https://issuer.example.com", validations: [validation] };

/** Of each kind one with the least and one with every field, and others besides. */
export const validRows: readonly ValidRow[] = [
  ["least", "ImageRepository", { image: "ghcr.io/org/app", interval: "5m" }],
  [
    "every field",
    "ImageRepository",
    {
      image: "registry.example.com:5000/org/app",
      interval: "1h30m",
      timeout: "1.5m",
      secretRef: { name: "registry" },
      proxySecretRef: { name: "proxy" },
      certSecretRef: { name: "cert" },
      serviceAccountName: "puller",
      suspend: true,
      insecure: false,
      accessFrom: { namespaceSelectors: [{ matchLabels: { team: "a" } }, {}] },
      exclusionList: ["^sha-", String.raw`\.sig$`],
      provider: "aws",
    },
  ],
  ["an empty list of exclusions", "ImageRepository", { image: "app", interval: "1s", exclusionList: [] }],
  [
    "25 exclusions",
    "ImageRepository",
    { image: "app", interval: "1s", exclusionList: Array.from({ length: 25 }, (_item, at) => `^${at}$`) },
  ],
  ["azure", "ImageRepository", { image: "x.azurecr.io/app", interval: "1h", provider: "azure" }],
  ["gcp", "ImageRepository", { image: "gcr.io/x/app", interval: "1h", provider: "gcp" }],
  [
    "least",
    "ImagePolicy",
    { imageRepositoryRef: { name: "app" }, policy: { semver: { range: ">=1.0.0-0" } } },
  ],
  [
    "every field",
    "ImagePolicy",
    {
      imageRepositoryRef: { name: "app", namespace: "images" },
      policy: { semver: { range: "1.x" }, alphabetical: { order: "desc" }, numerical: { order: "asc" } },
      filterTags: { pattern: String.raw`^(?P<branch>[a-z]+)-(?P<ts>\d+)$`, extract: "$ts" },
      suspend: false,
      digestReflectionPolicy: "Always",
      interval: "10m",
    },
  ],
  ["alphabetical", "ImagePolicy", { imageRepositoryRef: { name: "app" }, policy: { alphabetical: {} } }],
  [
    "a digest once",
    "ImagePolicy",
    {
      imageRepositoryRef: { name: "app" },
      policy: { numerical: { order: "desc" } },
      digestReflectionPolicy: "IfNotPresent",
    },
  ],
  [
    "least",
    "ImageUpdateAutomation",
    { interval: "5m", sourceRef: source, git: { commit: { author: { email: "bot@example.com" } } } },
  ],
  [
    "every field",
    "ImageUpdateAutomation",
    {
      interval: "30m",
      sourceRef: {
        apiVersion: "source.toolkit.fluxcd.io/v1",
        kind: "GitRepository",
        name: "apps",
        namespace: "flux-system",
      },
      policySelector: {
        matchLabels: { team: "a" },
        matchExpressions: [{ key: "env", operator: "In", values: ["dev", "test"] }],
      },
      suspend: true,
      update: { strategy: "Setters", path: "./clusters" },
      git: {
        checkout: {
          ref: { branch: "main", tag: "v1", semver: "1.x", name: "refs/heads/main", commit: "0a1b2c" },
        },
        commit: {
          author: { email: "bot@example.com", name: "Bot" },
          messageTemplate: "{{ range .Changed.Changes }}{{ .NewValue }}{{ end }}",
          messageTemplateValues: { cluster: "${cluster}" },
          signingKey: { secretRef: { name: "signing" }, type: "ssh" },
        },
        push: { branch: "updates", refspec: "refs/heads/a:refs/heads/b", options: { "ci.skip": "" } },
      },
    },
  ],
  ["least", "Alert", { providerRef: { name: "slack" }, eventSources: [{ kind: "HelmRelease", name: "*" }] }],
  [
    "every field",
    "Alert",
    {
      providerRef: { name: "slack" },
      eventSources: [
        {
          apiVersion: "image.toolkit.fluxcd.io/v1",
          kind: "ImagePolicy",
          name: "*",
          namespace: "apps",
          matchLabels: { team: "a" },
        },
        { kind: "ArtifactGenerator", name: "one" },
        { kind: "ExternalArtifact", name: "two" },
      ],
      eventSeverity: "error",
      inclusionList: [".*succeeded.*"],
      exclusionList: ["waiting.*"],
      eventMetadata: { env: "test" },
      summary: "cluster a",
      suspend: false,
    },
  ],
  ["no sources", "Alert", { providerRef: { name: "slack" }, eventSources: [] }],
  ["least", "Provider", { type: "slack" }],
  [
    "every field",
    "Provider",
    {
      type: "github",
      interval: "10m",
      channel: "general",
      username: "flux",
      address: "https://github.com/org/repo",
      timeout: "20s",
      proxy: "http://proxy.example.com:3128",
      proxySecretRef: { name: "proxy" },
      secretRef: { name: "token" },
      serviceAccountName: "notifier",
      certSecretRef: { name: "cert" },
      suspend: true,
      commitStatusExpr: "event.involvedObject.name",
    },
  ],
  [
    "generic-hmac",
    "Provider",
    { type: "generic-hmac", address: "https://hook.example.com", secretRef: token },
  ],
  ["a project", "Provider", { type: "googlepubsub", address: "project", channel: "topic" }],
  ["mail", "Provider", { type: "smtp", address: "smtp://mail.example.com", channel: "a@example.com" }],
  ["least", "Receiver", { type: "github", resources: [source], secretRef: token }],
  [
    "every field",
    "Receiver",
    {
      type: "gitlab",
      interval: "5m",
      events: ["Push Hook", "Tag Push Hook"],
      resources: [
        {
          apiVersion: "image.toolkit.fluxcd.io/v1",
          kind: "ImageRepository",
          name: "*",
          namespace: "apps",
          matchLabels: { team: "a" },
          filter: "res.metadata.name == req.name",
        },
      ],
      resourceFilter: "true",
      secretRef: token,
      suspend: false,
    },
  ],
  [
    "generic-oidc",
    "Receiver",
    {
      type: "generic-oidc",
      resources: [source],
      oidcProviders: [
        {
          ...oidcProvider,
          audience: "receiver",
          variables: [{ name: "owner", expression: "claims.repository_owner" }],
        },
        { ...oidcProvider, issuerURL: "http://other.example.com" },
      ],
    },
  ],
  ["no issuers", "Receiver", { type: "harbor", resources: [source], secretRef: token, oidcProviders: [] }],
  ["least", "GitRepository", { url: "https://git.example.com/apps.git", interval: "1m" }],
  [
    "every field",
    "GitRepository",
    {
      url: "ssh://git@git.example.com/apps.git",
      interval: "1m",
      timeout: "90s",
      ref: { branch: "main", tag: "v1", semver: "1.x", name: "refs/heads/main", commit: "0a1b2c" },
      secretRef: { name: "key" },
      proxySecretRef: { name: "proxy" },
      provider: "azure",
      serviceAccountName: "git",
      suspend: false,
      ignore: "/docs",
      sparseCheckout: ["clusters"],
      verify: { mode: "HEAD", secretRef: { name: "keys" } },
    },
  ],
];

/** The spec with the least fields of a kind. */
export function leastSpec(kind: CustomKind): Readonly<Record<string, unknown>> {
  const row = validRows.find(([name, of]) => name === "least" && of === kind);
  if (row === undefined) throw new Error(`no least ${kind}`);
  return row[2];
}
