import { gitRepository, imagePolicy, imageRepository, imageUpdateAutomation } from "./flux-objects.ts";

export type ImageKind = "ImageRepository" | "ImagePolicy" | "ImageUpdateAutomation";

/** What a row of the tables expects of an object in the end. */
export interface ExpectedCondition {
  readonly kind: ImageKind;
  readonly ready: "True" | "False";
  readonly reason: string;
  readonly message: RegExp | string;
  /** Whether it waits for another specification. */
  readonly isStalled?: boolean;
}

/** Objects of one place, and what one of them, named `app`, is to be in the end. */
export type ControllerRow = readonly [
  name: string,
  objects: (place: Place) => readonly object[],
  expected: ExpectedCondition,
];

/** Where the objects of a row are, with all that they may use. */
export interface Place {
  readonly namespace: string;
  /** `host/name` with the tags 1.0.0, 1.1.0, main-7-abc and signatures. */
  readonly image: string;
  readonly registry: string;
  readonly gitUrl: string;
}

const checksum = /^successful scan: found 3 tags with checksum \d+$/u;
const author = { author: { email: "bot@example.com" } };

/** An ImageRepository of a place that scans its image. */
export function repository({ namespace, image }: Place, spec: object = {}): object {
  return imageRepository({ name: "app", namespace }, { image, ...spec });
}

/** An ImagePolicy of a place that takes the latest version. */
export function policy({ namespace }: Place, spec: object = {}): object {
  return imagePolicy(
    { name: "app", namespace },
    { imageRepositoryRef: { name: "app" }, policy: { semver: { range: "*" } }, ...spec },
  );
}

/** A GitRepository of a place. */
export function source({ namespace, gitUrl }: Place, spec: object = {}): object {
  return gitRepository({ name: "app", namespace }, { url: gitUrl, ref: { branch: "main" }, ...spec });
}

/** An ImageUpdateAutomation of a place. */
export function automation({ namespace }: Place, spec: object = {}): object {
  return imageUpdateAutomation(
    { name: "app", namespace },
    { sourceRef: { kind: "GitRepository", name: "app" }, git: { commit: author }, ...spec },
  );
}

/** A Secret of a place. */
export function secret(
  { namespace }: Place,
  name: string,
  stringData: Readonly<Record<string, string>>,
): object {
  return { apiVersion: "v1", kind: "Secret", metadata: { name, namespace }, stringData };
}

export const repositoryRows: readonly ControllerRow[] = [
  [
    "a scan",
    (place) => [repository(place)],
    { kind: "ImageRepository", ready: "True", reason: "Succeeded", message: checksum },
  ],
  [
    "an image with a scheme",
    (place) => [repository(place, { image: `https://${place.image}` })],
    {
      kind: "ImageRepository",
      ready: "False",
      reason: "ImageURLInvalid",
      message: ".spec.image value should not start with URL scheme; remove 'https://'",
      isStalled: true,
    },
  ],
  [
    "an image with a tag",
    (place) => [repository(place, { image: `${place.image}:1.0.0` })],
    {
      kind: "ImageRepository",
      ready: "False",
      reason: "ImageURLInvalid",
      message: ".spec.image value should not contain a tag; remove ':1.0.0'",
      isStalled: true,
    },
  ],
  [
    "a Secret that is not there",
    (place) => [repository(place, { secretRef: { name: "none" } })],
    {
      kind: "ImageRepository",
      ready: "False",
      reason: "AuthenticationFailed",
      message: /^failed to configure authentication options: there is no Secret [^/]+\/none$/u,
    },
  ],
  [
    "a ServiceAccount that is not there",
    (place) => [repository(place, { serviceAccountName: "none" })],
    {
      kind: "ImageRepository",
      ready: "False",
      reason: "AuthenticationFailed",
      message: /^failed to configure authentication options: there is no ServiceAccount [^/]+\/none$/u,
    },
  ],
  [
    "a certificate without its key",
    (place) => [
      secret(place, "tls", { "tls.crt": "x" }),
      repository(place, { certSecretRef: { name: "tls" } }),
    ],
    {
      kind: "ImageRepository",
      ready: "False",
      reason: "AuthenticationFailed",
      message: /has only one of tls.crt and tls.key$/u,
    },
  ],
  [
    "an image that the registry does not have",
    (place) => [repository(place, { image: `${place.registry}/test/none` })],
    { kind: "ImageRepository", ready: "False", reason: "ReadOperationFailed", message: /^scan failed: / },
  ],
];

export const policyRows: readonly ControllerRow[] = [
  [
    "the latest version",
    (place) => [repository(place), policy(place)],
    {
      kind: "ImagePolicy",
      ready: "True",
      reason: "Succeeded",
      message: /^Latest image tag for \S+ resolved to 1\.1\.0$/u,
    },
  ],
  [
    "the latest version with its digest",
    (place) => [repository(place), policy(place, { digestReflectionPolicy: "IfNotPresent" })],
    {
      kind: "ImagePolicy",
      ready: "True",
      reason: "Succeeded",
      message: /^Latest image tag for \S+ resolved to 1\.1\.0 with digest sha256:[0-9a-f]{64}$/u,
    },
  ],
  [
    "a pattern that is none",
    (place) => [repository(place), policy(place, { filterTags: { pattern: "(" } })],
    { kind: "ImagePolicy", ready: "False", reason: "InvalidPolicy", message: /./u, isStalled: true },
  ],
  [
    "a range that is none",
    (place) => [repository(place), policy(place, { policy: { semver: { range: "a.b" } } })],
    { kind: "ImagePolicy", ready: "False", reason: "InvalidPolicy", message: /a\.b/u, isStalled: true },
  ],
  [
    "no way of choosing",
    (place) => [repository(place), policy(place, { policy: {} })],
    {
      kind: "ImagePolicy",
      ready: "False",
      reason: "InvalidPolicy",
      message: /none of semver/u,
      isStalled: true,
    },
  ],
  [
    "no repository",
    (place) => [policy(place)],
    {
      kind: "ImagePolicy",
      ready: "False",
      reason: "DependencyNotReady",
      message:
        /^failed to get the referred ImageRepository: referenced ImageRepository does not exist: [^/]+\/app$/u,
    },
  ],
  [
    "a repository that was never scanned",
    (place) => [repository(place, { suspend: true }), policy(place)],
    { kind: "ImagePolicy", ready: "False", reason: "DependencyNotReady", message: "no tags in database" },
  ],
  [
    "a repository of a namespace that lets nobody in",
    (place) => [policy(place, { imageRepositoryRef: { name: "closed", namespace: "shared" } })],
    {
      kind: "ImagePolicy",
      ready: "False",
      reason: "AccessDenied",
      message:
        /access denied: 'shared\/closed' can't be accessed due to missing ACL labels on 'accessFrom'$/u,
    },
  ],
  [
    "a repository of a namespace that lets others in",
    (place) => [policy(place, { imageRepositoryRef: { name: "others", namespace: "shared" } })],
    {
      kind: "ImagePolicy",
      ready: "False",
      reason: "AccessDenied",
      message: /'shared\/others' can't be accessed due to ACL labels mismatch on namespace '[^']+'$/u,
    },
  ],
  [
    "a repository of a namespace that lets this one in",
    (place) => [policy(place, { imageRepositoryRef: { name: "open", namespace: "shared" } })],
    { kind: "ImagePolicy", ready: "True", reason: "Succeeded", message: /resolved to 1\.1\.0$/u },
  ],
  [
    "a tag whose digest cannot be had",
    (place) => [
      repository(place),
      policy(place, {
        filterTags: { pattern: "^main-" },
        policy: { alphabetical: {} },
        digestReflectionPolicy: "IfNotPresent",
      }),
    ],
    {
      kind: "ImagePolicy",
      ready: "False",
      reason: "Failure",
      message: /^failed fetching digest of \S+:main-7-abc: /u,
    },
  ],
  [
    "no tag that the policy takes",
    (place) => [repository(place), policy(place, { policy: { semver: { range: ">=9" } } })],
    { kind: "ImagePolicy", ready: "False", reason: "Failure", message: /./u },
  ],
];

export const automationRows: readonly ControllerRow[] = [
  [
    "nothing to do",
    (place) => [source(place), automation(place)],
    { kind: "ImageUpdateAutomation", ready: "True", reason: "Succeeded", message: "repository up-to-date" },
  ],
  [
    "a selector that is none",
    (place) => [
      source(place),
      automation(place, {
        policySelector: { matchExpressions: [{ key: "a", operator: "Near", values: [] }] },
      }),
    ],
    {
      kind: "ImageUpdateAutomation",
      ready: "False",
      reason: "InvalidPolicySelector",
      message: /policySelector/u,
      isStalled: true,
    },
  ],
  [
    "no source",
    (place) => [automation(place)],
    {
      kind: "ImageUpdateAutomation",
      ready: "False",
      reason: "SourceManagerFailed",
      message: /^failed configuring source manager: referenced git repository does not exist: [^/]+\/app$/u,
    },
  ],
  [
    "a source whose Secret is not there",
    (place) => [source(place, { secretRef: { name: "none" } }), automation(place)],
    {
      kind: "ImageUpdateAutomation",
      ready: "False",
      reason: "SourceManagerFailed",
      message: /^failed configuring source manager: there is no Secret [^/]+\/none$/u,
    },
  ],
  [
    "a tag to check out and no branch to push",
    (place) => [source(place, { ref: { tag: "v1" } }), automation(place)],
    {
      kind: "ImageUpdateAutomation",
      ready: "False",
      reason: "InvalidSourceConfiguration",
      message: /branch/u,
      isStalled: true,
    },
  ],
  [
    "a branch that is not there",
    (place) => [source(place, { ref: { branch: "none" } }), automation(place)],
    {
      kind: "ImageUpdateAutomation",
      ready: "False",
      reason: "GitOperationFailed",
      message: /^failed to checkout source: /u,
    },
  ],
  [
    "a folder that is not there",
    (place) => [source(place), automation(place, { update: { path: "none" } })],
    {
      kind: "ImageUpdateAutomation",
      ready: "False",
      reason: "UpdateFailed",
      message: /^failed to apply policies: /u,
    },
  ],
  [
    "a template with a field that was removed",
    (place) => [
      repository(place),
      policy(place),
      source(place),
      automation(place, { git: { commit: { ...author, messageTemplate: "{{ .Updated.Files }}" } } }),
    ],
    {
      kind: "ImageUpdateAutomation",
      ready: "False",
      reason: "RemovedTemplateField",
      message: /\.Updated/u,
      isStalled: true,
    },
  ],
];
