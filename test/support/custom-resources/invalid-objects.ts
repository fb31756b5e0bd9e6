import type { CustomKind } from "./kinds.ts";

/**
 * What is changed in the least spec of a kind, or in another given one, so that it is refused, and the field that the
 * API server names. A field that is undefined is taken away.
 */
export type InvalidRow = readonly [
  name: string,
  kind: CustomKind,
  change: Readonly<Record<string, unknown>>,
  field: string,
];

const long = "n".repeat(254);
const veryLong = "n".repeat(2049);
const source = { kind: "GitRepository", name: "apps" };
const validations = [{ expression: "true", message: "never" }];
const issuer = { issuerURL: "https://issuer.example.com", validations };
const author = { email: "bot@example.com" };

function oidc(provider: object): Readonly<Record<string, unknown>> {
  return { type: "generic-oidc", secretRef: undefined, oidcProviders: [{ ...issuer, ...provider }] };
}

function commit(change: object): Readonly<Record<string, unknown>> {
  return { git: { commit: { author, ...change } } };
}

export const invalidRows: readonly InvalidRow[] = [
  ["no image", "ImageRepository", { image: undefined }, "spec.image"],
  ["an image that is a number", "ImageRepository", { image: 1 }, "spec.image"],
  ["no interval", "ImageRepository", { interval: undefined }, "spec.interval"],
  ["an interval without a unit", "ImageRepository", { interval: "60" }, "spec.interval"],
  ["a negative interval", "ImageRepository", { interval: "-1m" }, "spec.interval"],
  ["an interval in days", "ImageRepository", { interval: "1d" }, "spec.interval"],
  ["a timeout in hours", "ImageRepository", { timeout: "1h" }, "spec.timeout"],
  ["a Secret without a name", "ImageRepository", { secretRef: {} }, "spec.secretRef.name"],
  ["a proxy that is a text", "ImageRepository", { proxySecretRef: "proxy" }, "spec.proxySecretRef"],
  ["a certificate without a name", "ImageRepository", { certSecretRef: {} }, "spec.certSecretRef.name"],
  ["a long ServiceAccount", "ImageRepository", { serviceAccountName: long }, "spec.serviceAccountName"],
  ["suspend as a text", "ImageRepository", { suspend: "true" }, "spec.suspend"],
  ["insecure as a number", "ImageRepository", { insecure: 1 }, "spec.insecure"],
  ["access without selectors", "ImageRepository", { accessFrom: {} }, "spec.accessFrom.namespaceSelectors"],
  [
    "a label that is a number",
    "ImageRepository",
    { accessFrom: { namespaceSelectors: [{ matchLabels: { a: 1 } }] } },
    "spec.accessFrom.namespaceSelectors[0].matchLabels.a",
  ],
  [
    "26 exclusions",
    "ImageRepository",
    { exclusionList: Array.from({ length: 26 }, () => "x") },
    "spec.exclusionList",
  ],
  ["an exclusion that is a number", "ImageRepository", { exclusionList: [1] }, "spec.exclusionList[0]"],
  ["an unknown provider", "ImageRepository", { provider: "quay" }, "spec.provider"],
  ["no repository", "ImagePolicy", { imageRepositoryRef: undefined }, "spec.imageRepositoryRef"],
  ["a repository without a name", "ImagePolicy", { imageRepositoryRef: {} }, "spec.imageRepositoryRef.name"],
  ["no policy", "ImagePolicy", { policy: undefined }, "spec.policy"],
  ["a policy that is a text", "ImagePolicy", { policy: "semver" }, "spec.policy"],
  ["semver without a range", "ImagePolicy", { policy: { semver: {} } }, "spec.policy.semver.range"],
  [
    "a range that is a number",
    "ImagePolicy",
    { policy: { semver: { range: 1 } } },
    "spec.policy.semver.range",
  ],
  [
    "an unknown order",
    "ImagePolicy",
    { policy: { alphabetical: { order: "up" } } },
    "spec.policy.alphabetical.order",
  ],
  [
    "an order that does not count",
    "ImagePolicy",
    { policy: { semver: { range: "*" }, numerical: { order: "up" } } },
    "spec.policy.numerical.order",
  ],
  ["a pattern that is a list", "ImagePolicy", { filterTags: { pattern: [] } }, "spec.filterTags.pattern"],
  ["digests sometimes", "ImagePolicy", { digestReflectionPolicy: "Maybe" }, "spec.digestReflectionPolicy"],
  [
    "Always without an interval",
    "ImagePolicy",
    { digestReflectionPolicy: "Always" },
    "spec.interval must be set when spec.digestReflectionPolicy is set to 'Always'",
  ],
  [
    "an interval without Always",
    "ImagePolicy",
    { interval: "10m" },
    "spec.interval is only accepted when spec.digestReflectionPolicy is set to 'Always'",
  ],
  [
    "an interval with IfNotPresent",
    "ImagePolicy",
    { interval: "10m", digestReflectionPolicy: "IfNotPresent" },
    "spec.interval is only accepted when spec.digestReflectionPolicy is set to 'Always'",
  ],
  [
    "an interval that is none",
    "ImagePolicy",
    { interval: "soon", digestReflectionPolicy: "Always" },
    "spec.interval",
  ],
  ["no interval", "ImageUpdateAutomation", { interval: undefined }, "spec.interval"],
  ["an interval without a unit", "ImageUpdateAutomation", { interval: "5" }, "spec.interval"],
  ["no source", "ImageUpdateAutomation", { sourceRef: undefined }, "spec.sourceRef"],
  ["a source without a name", "ImageUpdateAutomation", { sourceRef: {} }, "spec.sourceRef.name"],
  ["a Bucket", "ImageUpdateAutomation", { sourceRef: { kind: "Bucket", name: "x" } }, "spec.sourceRef.kind"],
  ["another strategy", "ImageUpdateAutomation", { update: { strategy: "Sed" } }, "spec.update.strategy"],
  ["a path that is a list", "ImageUpdateAutomation", { update: { path: [] } }, "spec.update.path"],
  ["no commit", "ImageUpdateAutomation", { git: {} }, "spec.git.commit"],
  ["no author", "ImageUpdateAutomation", { git: { commit: {} } }, "spec.git.commit.author"],
  ["no address", "ImageUpdateAutomation", commit({ author: {} }), "spec.git.commit.author.email"],
  ["no key", "ImageUpdateAutomation", commit({ signingKey: {} }), "spec.git.commit.signingKey.secretRef"],
  [
    "another type of key",
    "ImageUpdateAutomation",
    commit({ signingKey: { secretRef: { name: "key" }, type: "x509" } }),
    "spec.git.commit.signingKey.type",
  ],
  [
    "a value that is a number",
    "ImageUpdateAutomation",
    commit({ messageTemplateValues: { a: 1 } }),
    "spec.git.commit.messageTemplateValues.a",
  ],
  [
    "a checkout without a ref",
    "ImageUpdateAutomation",
    { git: { commit: { author }, checkout: {} } },
    "spec.git.checkout.ref",
  ],
  [
    "a branch that is a number",
    "ImageUpdateAutomation",
    { git: { commit: { author }, push: { branch: 1 } } },
    "spec.git.push.branch",
  ],
  [
    "a requirement without a key",
    "ImageUpdateAutomation",
    { policySelector: { matchExpressions: [{ operator: "Exists" }] } },
    "spec.policySelector.matchExpressions[0].key",
  ],
  ["no Provider", "Alert", { providerRef: undefined }, "spec.providerRef"],
  ["a Provider without a name", "Alert", { providerRef: {} }, "spec.providerRef.name"],
  ["no sources", "Alert", { eventSources: undefined }, "spec.eventSources"],
  ["a source without a kind", "Alert", { eventSources: [{ name: "x" }] }, "spec.eventSources[0].kind"],
  ["an unknown kind", "Alert", { eventSources: [{ kind: "Pod", name: "x" }] }, "spec.eventSources[0].kind"],
  ["a source without a name", "Alert", { eventSources: [{ kind: "Bucket" }] }, "spec.eventSources[0].name"],
  ["an empty name", "Alert", { eventSources: [{ kind: "Bucket", name: "" }] }, "spec.eventSources[0].name"],
  ["a long name", "Alert", { eventSources: [{ kind: "Bucket", name: long }] }, "spec.eventSources[0].name"],
  [
    "an empty namespace",
    "Alert",
    { eventSources: [{ ...source, namespace: "" }] },
    "spec.eventSources[0].namespace",
  ],
  [
    "a long namespace",
    "Alert",
    { eventSources: [{ ...source, namespace: long }] },
    "spec.eventSources[0].namespace",
  ],
  ["an unknown severity", "Alert", { eventSeverity: "warn" }, "spec.eventSeverity"],
  ["metadata that is a number", "Alert", { eventMetadata: { a: 1 } }, "spec.eventMetadata.a"],
  ["a long summary", "Alert", { summary: "s".repeat(256) }, "spec.summary"],
  ["an inclusion that is a map", "Alert", { inclusionList: [{}] }, "spec.inclusionList[0]"],
  ["exclusions that are a text", "Alert", { exclusionList: "x" }, "spec.exclusionList"],
  ["no type", "Provider", { type: undefined }, "spec.type"],
  ["an unknown type", "Provider", { type: "pigeon" }, "spec.type"],
  ["an interval without a unit", "Provider", { interval: "5" }, "spec.interval"],
  ["a long channel", "Provider", { channel: veryLong }, "spec.channel"],
  ["a long username", "Provider", { username: veryLong }, "spec.username"],
  ["a long address", "Provider", { address: veryLong }, "spec.address"],
  ["a timeout in hours", "Provider", { timeout: "1h" }, "spec.timeout"],
  ["a proxy without http", "Provider", { proxy: "socks5://proxy" }, "spec.proxy"],
  ["a Secret without a name", "Provider", { secretRef: {} }, "spec.secretRef.name"],
  ["a proxy without a name", "Provider", { proxySecretRef: {} }, "spec.proxySecretRef.name"],
  ["a certificate without a name", "Provider", { certSecretRef: {} }, "spec.certSecretRef.name"],
  [
    "a commit status of a chat",
    "Provider",
    { commitStatusExpr: "'x'" },
    "spec.commitStatusExpr is only supported for the 'github', 'gitlab', 'gitea', 'bitbucketserver', 'bitbucket', 'azuredevops' provider types",
  ],
  [
    "a commit status of comments",
    "Provider",
    { type: "githubpullrequestcomment", commitStatusExpr: "'x'" },
    "spec.commitStatusExpr is only supported",
  ],
  ["no type", "Receiver", { type: undefined }, "spec.type"],
  ["an unknown type", "Receiver", { type: "svn" }, "spec.type"],
  ["no resources", "Receiver", { resources: undefined }, "spec.resources"],
  ["a resource without a kind", "Receiver", { resources: [{ name: "x" }] }, "spec.resources[0].kind"],
  ["an unknown kind", "Receiver", { resources: [{ kind: "Alert", name: "x" }] }, "spec.resources[0].kind"],
  [
    "a filter that is a flag",
    "Receiver",
    { resources: [{ ...source, filter: true }] },
    "spec.resources[0].filter",
  ],
  ["an interval that is none", "Receiver", { interval: "often" }, "spec.interval"],
  ["an event that is a number", "Receiver", { events: [1] }, "spec.events[0]"],
  ["no Secret", "Receiver", { secretRef: undefined }, "secretRef is required when type is not generic-oidc"],
  ["a Secret without a name", "Receiver", { secretRef: {} }, "spec.secretRef.name"],
  [
    "no issuers",
    "Receiver",
    { type: "generic-oidc" },
    "generic-oidc receivers must define at least one oidcProvider",
  ],
  [
    "issuers of another type",
    "Receiver",
    { oidcProviders: [issuer] },
    "oidcProviders can only be set when type is generic-oidc",
  ],
  [
    "a Secret of generic-oidc",
    "Receiver",
    { ...oidc({}), secretRef: { name: "token" } },
    "secretRef cannot be set when type is generic-oidc",
  ],
  ["an issuer without http", "Receiver", oidc({ issuerURL: "issuer" }), "spec.oidcProviders[0].issuerURL"],
  ["no validations", "Receiver", oidc({ validations: [] }), "spec.oidcProviders[0].validations"],
  [
    "a validation without a message",
    "Receiver",
    oidc({ validations: [{ expression: "true" }] }),
    "spec.oidcProviders[0].validations[0].message",
  ],
  [
    "a variable without an expression",
    "Receiver",
    oidc({ variables: [{ name: "a" }] }),
    "spec.oidcProviders[0].variables[0].expression",
  ],
  [
    "an issuer twice",
    "Receiver",
    { type: "generic-oidc", secretRef: undefined, oidcProviders: [issuer, issuer] },
    "spec.oidcProviders[1]",
  ],
  ["no URL", "GitRepository", { url: undefined }, "spec.url"],
  ["a URL of git's own", "GitRepository", { url: "git@example.com:apps.git" }, "spec.url"],
  ["no interval", "GitRepository", { interval: undefined }, "spec.interval"],
  ["a timeout in hours", "GitRepository", { timeout: "1h" }, "spec.timeout"],
  ["a Secret without a name", "GitRepository", { secretRef: {} }, "spec.secretRef.name"],
  ["an unknown provider", "GitRepository", { provider: "svn" }, "spec.provider"],
  ["a branch that is a number", "GitRepository", { ref: { branch: 1 } }, "spec.ref.branch"],
];
