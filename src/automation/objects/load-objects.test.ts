import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { formatWhere } from "../../core/error.ts";
import { loadObjects, type LoadedObjects } from "./load-objects.ts";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "objects-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

async function load(text: string): Promise<LoadedObjects> {
  await write({ "objects.yaml": text });
  return loadObjects([join(folder, "objects.yaml")]);
}

function told({ diagnostics }: LoadedObjects): string[] {
  return diagnostics.map(
    ({ code, message, where, hint }) =>
      `${formatWhere({ ...where, file: (where.file ?? "").slice(folder.length + 1) })} ${code}: ${message}` +
      (hint === undefined ? "" : ` [${hint}]`),
  );
}

const everything = `
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImageRepository
metadata:
  name: app
  namespace: flux-system
  labels: {team: a}
  annotations: {note: b}
  generation: 3
spec:
  image: ghcr.io/org/app
  interval: 1h30m
  timeout: 1.5s
  secretRef: {name: pull}
  proxySecretRef: {name: proxy}
  certSecretRef: {name: cert}
  serviceAccountName: puller
  insecure: true
  suspend: true
  accessFrom:
    namespaceSelectors:
      - matchLabels: {team: a}
      - {}
  exclusionList: ["^old"]
  provider: aws
---
# nothing
---
apiVersion: image.toolkit.fluxcd.io/v1beta2
kind: ImagePolicy
metadata: {name: app}
spec:
  imageRepositoryRef: {name: app, namespace: flux-system}
  policy: {numerical: {order: desc}}
  filterTags: {pattern: '^pr-(?P<ts>\\d+)$', extract: $ts}
  digestReflectionPolicy: Always
  interval: 5m
status:
  observedGeneration: 2
  latestRef: {name: ghcr.io/org/app, tag: pr-1, digest: "sha256:00", attributes: {ts: "1"}}
---
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImageUpdateAutomation
metadata: {name: app}
spec:
  interval: 10m
  sourceRef: {kind: GitRepository, name: repo}
  policySelector:
    matchLabels: {a: b}
    matchExpressions: [{key: c, operator: NotIn, values: [d]}]
  update: {strategy: Setters, path: ./apps}
  git:
    checkout: {ref: {branch: main}}
    commit:
      author: {email: bot@example.com, name: Bot}
      messageTemplate: "{{ .Values.x }}"
      messageTemplateValues: {x: z}
      signingKey: {type: ssh, secretRef: {name: key}}
    push: {branch: next, refspec: "a:b", options: {ci.skip: ""}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: repo}
spec: {url: "https://example.com/repo.git", interval: 1m, ref: {semver: ">=1"}, timeout: 2m, provider: github, ignore: "*"}
---
apiVersion: v1
kind: Secret
metadata: {name: pull}
type: kubernetes.io/basic-auth
data: {username: dXNlcg==, password: b2xk}
stringData: {password: given}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: puller}
imagePullSecrets: [{name: pull}]
---
apiVersion: v1
kind: Namespace
metadata: {name: flux-system, labels: {team: a}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: other}
`;

test("every field of every kind is read", async () => {
  const loaded = await load(everything);
  expect(told(loaded)).toEqual([]);
  const { objects } = loaded;
  expect(objects.imageRepositories.get("flux-system/app")).toEqual({
    kind: "ImageRepository",
    meta: {
      namespace: "flux-system",
      name: "app",
      labels: { team: "a" },
      annotations: { note: "b" },
      generation: 3,
      where: { file: join(folder, "objects.yaml"), line: 2, column: 1 },
    },
    spec: {
      image: "ghcr.io/org/app",
      intervalMs: 5_400_000,
      timeoutMs: 1500,
      secretRef: { name: "pull" },
      proxySecretRef: { name: "proxy" },
      certSecretRef: { name: "cert" },
      serviceAccountName: "puller",
      insecure: true,
      suspend: true,
      accessFrom: [{ team: "a" }, {}],
      exclusionList: ["^old"],
      provider: "aws",
    },
  });
  expect(objects.imagePolicies.get("default/app")).toMatchObject({
    spec: {
      imageRepositoryRef: { name: "app", namespace: "flux-system" },
      choice: { kind: "numerical", order: "desc" },
      filterTags: { pattern: String.raw`^pr-(?P<ts>\d+)$`, extract: "$ts" },
      suspend: false,
      digestReflectionPolicy: "Always",
      intervalMs: 300_000,
    },
    latestRef: { name: "ghcr.io/org/app", tag: "pr-1", digest: "sha256:00", attributes: { ts: "1" } },
    observedGeneration: 2,
  });
  expect(objects.imageUpdateAutomations.get("default/app")?.spec).toEqual({
    intervalMs: 600_000,
    sourceRef: { name: "repo" },
    policySelector: {
      matchLabels: { a: "b" },
      matchExpressions: [{ key: "c", operator: "NotIn", values: ["d"] }],
    },
    suspend: false,
    updatePath: "./apps",
    git: {
      checkoutRef: { branch: "main" },
      commit: {
        author: { email: "bot@example.com", name: "Bot" },
        messageTemplate: "{{ .Values.x }}",
        messageTemplateValues: { x: "z" },
        signingKey: { secretName: "key", type: "ssh" },
      },
      push: { branch: "next", refspec: "a:b", options: { "ci.skip": "" } },
    },
  });
  expect(objects.gitRepositories.get("default/repo")?.spec).toEqual({
    url: "https://example.com/repo.git",
    ref: { semver: ">=1" },
    timeoutMs: 120_000,
    provider: "github",
  });
  const secret = objects.secrets.get("default/pull");
  expect(secret?.type).toBe("kubernetes.io/basic-auth");
  expect(
    Object.fromEntries(
      Object.entries(secret?.data ?? {}).map(([key, bytes]) => [key, Buffer.from(bytes).toString()]),
    ),
  ).toEqual({ username: "user", password: "given" });
  expect(objects.serviceAccounts.get("default/puller")?.imagePullSecrets).toEqual(["pull"]);
  expect(objects.namespaces.get("flux-system")).toEqual({
    team: "a",
    "kubernetes.io/metadata.name": "flux-system",
  });
});

test("what is left out has its default", async () => {
  const { objects, diagnostics } = await load(`
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImageRepository
metadata: {name: app}
spec: {image: nginx, interval: 500ms, exclusionList: []}
---
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImagePolicy
metadata: {name: app}
spec: {imageRepositoryRef: {name: app}, policy: {alphabetical: {}}}
---
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImageUpdateAutomation
metadata: {name: app}
spec: {interval: 1m, sourceRef: {name: repo}, git: {commit: {author: {email: a@b.c}}}}
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: repo}
spec: {url: "ssh://git@example.com/repo", interval: 1m}
`);
  expect(diagnostics).toEqual([]);
  expect(objects.imageRepositories.get("default/app")?.spec).toEqual({
    image: "nginx",
    intervalMs: 500,
    timeoutMs: 1000,
    suspend: false,
    insecure: false,
    exclusionList: [String.raw`^.*\.sig$`],
    provider: "generic",
  });
  expect(objects.imagePolicies.get("default/app")?.spec).toEqual({
    imageRepositoryRef: { name: "app" },
    choice: { kind: "alphabetical", order: "asc" },
    suspend: false,
    digestReflectionPolicy: "Never",
  });
  expect(objects.imageUpdateAutomations.get("default/app")?.spec).toEqual({
    intervalMs: 60_000,
    sourceRef: { name: "repo" },
    suspend: false,
    updatePath: "",
    git: { commit: { author: { email: "a@b.c" }, messageTemplateValues: {} } },
  });
  expect(objects.gitRepositories.get("default/repo")?.spec.timeoutMs).toBe(60_000);
});

const jsonPolicy = (name: string, path = "policy"): string =>
  JSON.stringify({
    apiVersion: "image.toolkit.fluxcd.io/v1",
    kind: "ImagePolicy",
    metadata: { name },
    spec: { imageRepositoryRef: { name }, [path]: { alphabetical: {} } },
  });

const head = "apiVersion: image.toolkit.fluxcd.io/v1\nkind: ";

const policyWith = (
  generation: number,
  observed: number,
  status: string,
  pattern = "^pr-(?P<ts>.*)$",
): string =>
  `${head}ImagePolicy
metadata: {name: a, generation: ${generation}}
spec:
  imageRepositoryRef: {name: a}
  policy: {alphabetical: {}}
  filterTags: {pattern: '${pattern}'}
status: {observedGeneration: ${observed}, latestRef: {name: a, tag: pr-1${status}}}
`;

describe("attributes that a status does not keep", () => {
  test.each([
    ["are made by the pattern", policyWith(2, 2, ""), { ts: "1" }],
    ["are not, where the pattern may be another", policyWith(3, 2, ""), {}],
    ["are not, where the status has some", policyWith(2, 2, ", attributes: {}"), {}],
    ["are not, where the pattern is none", policyWith(2, 2, "", "("), {}],
  ])("%s", async (_name, text, attributes) => {
    const { objects } = await load(text);
    expect({ ...objects.imagePolicies.get("default/a")?.latestRef?.attributes }).toEqual(attributes);
  });
});

describe("lists and forms", () => {
  test.each([
    ["a JSON document", jsonPolicy("a"), ["default/a"]],
    [
      "a list in JSON",
      `{"apiVersion":"v1","kind":"List","items":[${jsonPolicy("a")},\n${jsonPolicy("b")}]}`,
      ["default/a", "default/b"],
    ],
    [
      "a list of a kind, in YAML with CRLF",
      `kind: ImagePolicyList\r\nitems:\r\n- ${jsonPolicy("a")}\r\n- ${jsonPolicy("b")}\r\n`,
      ["default/a", "default/b"],
    ],
    [
      "lists within lists",
      `{"kind":"List","items":[{"kind":"List","items":[${jsonPolicy("a")}]}]}`,
      ["default/a"],
    ],
    [
      "documents with a byte order mark",
      `\ufeff---\n${jsonPolicy("a")}\n---\n${jsonPolicy("b")}\n...\n`,
      ["default/a", "default/b"],
    ],
    ["another group's kind", jsonPolicy("a").replace("image.toolkit", "other"), []],
  ])("%s", async (_name, text, expected) => {
    const { objects, diagnostics } = await load(text);
    expect([...objects.imagePolicies.keys()]).toEqual(expected);
    expect(diagnostics).toEqual([]);
  });

  test("a problem within a list has its place", async () => {
    const loaded = await load(`kind: List\nitems:\n- ${jsonPolicy("a")}\n- ${jsonPolicy("b", "polcy")}\n`);
    expect([...loaded.objects.imagePolicies.keys()]).toEqual(["default/a"]);
    expect(told(loaded)).toEqual([
      expect.stringMatching(
        /^objects.yaml:4:\d+ \(spec.policy\) object-invalid: .* spec.policy is required$/u,
      ),
      expect.stringMatching(/unknown field spec.polcy \[did you mean policy\?\]$/u),
    ]);
  });
});

const repository = (spec: string): string =>
  `${head}ImageRepository\nmetadata: {name: a}\nspec:\n  ${spec}\n`;
const policy = (spec: string): string =>
  `${head}ImagePolicy\nmetadata: {name: a}\nspec:\n  imageRepositoryRef: {name: a}\n  ${spec}\n`;

describe("what is wrong is told with its place", () => {
  test.each<[string, string, string]>([
    [
      "no spec",
      `${head}ImageRepository\nmetadata: {name: a}\n`,
      ":1:1 (spec) object-invalid: ImageRepository default/a: spec is required",
    ],
    [
      "no name",
      `${head}ImageRepository\nmetadata: {}\nspec: {image: a, interval: 1m}`,
      ":3:1 (metadata.name) object-invalid: ImageRepository default/: metadata.name is required",
    ],
    [
      "a bad name",
      repository("image: a\n  interval: 1m").replace("name: a", "name: A_b"),
      "metadata.name is not a name of lower-case letters, digits, - and .: 'A_b'",
    ],
    [
      "a scheme",
      repository("interval: 1m\n  image: https://ghcr.io/a"),
      ":6:3 (spec.image) object-invalid: ImageRepository default/a: spec.image should not start with URL scheme; remove 'https://'",
    ],
    [
      "a tag",
      repository("interval: 1m\n  image: ghcr.io/a:1"),
      "spec.image should not contain a tag; remove ':1'",
    ],
    ["no image name", repository("interval: 1m\n  image: Ghcr/A"), "spec.image is no image name"],
    [
      "no interval",
      repository("image: a"),
      "(spec.interval) object-invalid: ImageRepository default/a: spec.interval is required",
    ],
    [
      "an interval without unit",
      repository("image: a\n  interval: '5'"),
      "spec.interval is no duration: '5' [a duration has the units h, m, s and ms, such as 5m30s]",
    ],
    [
      "an interval that is a number",
      repository("image: a\n  interval: 5"),
      "spec.interval is a number, not a text [put it in quotes]",
    ],
    [
      "an interval beyond Go's",
      repository("image: a\n  interval: 99999999h"),
      "spec.interval is no duration",
    ],
    [
      "a timeout in hours",
      repository("image: a\n  interval: 1m\n  timeout: 1h"),
      "spec.timeout is no duration: '1h'",
    ],
    [
      "a provider",
      repository("image: a\n  interval: 1m\n  provider: amazon"),
      "spec.provider is none of generic, aws, azure, gcp: 'amazon'",
    ],
    [
      "a misspelt field",
      repository("image: a\n  interval: 1m\n  exclusionlist: []"),
      "unknown field spec.exclusionlist [did you mean exclusionList?]",
    ],
    [
      "26 exclusions",
      repository(`image: a\n  interval: 1m\n  exclusionList: [${"x,".repeat(26)}]`),
      "spec.exclusionList has 26 items, 25 are allowed",
    ],
    [
      "labels that are no texts",
      repository("image: a\n  interval: 1m\n  accessFrom: {namespaceSelectors: [{matchLabels: {a: true}}]}"),
      "spec.accessFrom.namespaceSelectors[0].matchLabels.a is a boolean, not a text [put it in quotes]",
    ],
    [
      "no policy",
      policy("policy: {}"),
      "(spec.policy) object-invalid: ImagePolicy default/a: spec.policy holds none of semver, alphabetical and numerical",
    ],
    [
      "an order",
      policy("policy: {numerical: {order: ascending}}"),
      "spec.policy.numerical.order is none of asc, desc: 'ascending'",
    ],
    ["no range", policy("policy: {semver: {}}"), "spec.policy.semver.range is required"],
    [
      "an interval without Always",
      policy("policy: {alphabetical: {}}\n  interval: 1m"),
      "spec.interval is only for digestReflectionPolicy Always",
    ],
    [
      "Always without an interval",
      policy("policy: {alphabetical: {}}\n  digestReflectionPolicy: Always"),
      "spec.interval is required where digestReflectionPolicy is Always",
    ],
    [
      "an unknown version",
      repository("image: a\n  interval: 1m").replace("io/v1", "io/v1alpha1"),
      "apiVersion is none of the versions that are read: v1, v1beta2, v1beta1",
    ],
    [
      "a URL",
      "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: a}\nspec: {url: 'file:///etc'}",
      "spec.url is not a URL with http, https or ssh: 'file:///etc'",
    ],
    [
      "an encrypted Secret",
      "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {password: 'ENC[AES256_GCM,data:hidden]'}",
      "data holds something that is not base64 at 'password' [decrypt the file with sops before it is read]",
    ],
    [
      "a repeated key",
      repository("image: a\n  interval: 1m\n  image: b"),
      ":7:3 (spec.image) duplicate-key: spec.image is given more than once; the last one counts",
    ],
  ])("%s", async (_name, text, expected) => {
    const loaded = await load(text);
    expect(told(loaded).join("\n")).toContain(expected);
  });

  test("a duplicate object", async () => {
    const text = policy("policy: {alphabetical: {order: desc}}");
    const loaded = await load(`${text}---\n${policy("policy: {numerical: {}}")}`);
    expect(loaded.objects.imagePolicies.get("default/a")?.spec.choice.kind).toBe("alphabetical");
    expect(told(loaded)).toEqual([
      `objects.yaml:8:1 object-invalid: ImagePolicy default/a is given more than once; the first one counts, at ${join(folder, "objects.yaml")}:1:1`,
    ]);
  });

  test("no value of a Secret is quoted", async () => {
    const loaded = await load(
      "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {a: s3cret!, b: 12345678}\nstringData: [s3cret!]",
    );
    expect(loaded.diagnostics).toHaveLength(3);
    expect(JSON.stringify(loaded.diagnostics)).not.toMatch(/s3cret|12345678/u);
  });

  test("documents before one that is malformed are read", async () => {
    const loaded = await load(`${policy("policy: {alphabetical: {}}")}---\na: [\n`);
    expect([...loaded.objects.imagePolicies.keys()]).toEqual(["default/a"]);
    expect(loaded.diagnostics).toMatchObject([{ code: "file-unparsable", where: { line: 9 } }]);
  });
});

const valid = (name: string): string =>
  policy("policy: {alphabetical: {}}").replace("name: a", `name: ${name}`);

describe("folders", () => {
  test("are read with what is below them, in the order of names", async () => {
    await write({
      "b.yaml": valid("b"),
      "a/c.yml": valid("c"),
      "a/d.json": JSON.stringify({ kind: "Other" }),
      "a/e.txt": valid("e"),
      ".git/f.yaml": valid("f"),
      "template.yaml": "kind: {{ .Values.kind }}\n",
      "broken.yaml": "kind: Secret\ndata: {{ .Values.data }}\n",
      "binary.yaml": new Uint8Array([0xff, 0xfe]),
    });
    const loaded = await loadObjects([folder, join(folder, "b.yaml")]);
    expect([...loaded.objects.imagePolicies.keys()]).toEqual(["default/c", "default/b"]);
    expect(loaded.diagnostics.map(({ code, where }) => [code, where.file?.slice(folder.length + 1)])).toEqual(
      [
        ["file-unparsable", "binary.yaml"],
        ["file-unparsable", "broken.yaml"],
      ],
    );
  });

  test("links are followed within their folder alone, as in a mounted ConfigMap", async () => {
    await write({ "mount/..1/a.yaml": valid("a"), "outside.yaml": valid("outside") });
    await symlink("..1", join(folder, "mount/..data"));
    await symlink("..data/a.yaml", join(folder, "mount/a.yaml"));
    await symlink("a.yaml", join(folder, "mount/again.yaml"));
    await symlink("../outside.yaml", join(folder, "mount/outside.yaml"));
    await symlink("..", join(folder, "mount/up"));
    await symlink("nowhere", join(folder, "mount/nowhere.yaml"));
    const loaded = await loadObjects([join(folder, "mount")]);
    expect([...loaded.objects.imagePolicies.keys()]).toEqual(["default/a"]);
    expect(loaded.diagnostics.map(({ code, where }) => [code, where.file?.slice(folder.length + 1)])).toEqual(
      [
        ["file-refused", "mount/outside.yaml"],
        ["file-refused", "mount/up"],
      ],
    );
  });

  test.each([
    ["a missing path", "missing", "input-unreadable"],
    ["a device", "/dev/null", "input-unreadable"],
  ])("%s is an error", async (_name, path, code) => {
    await expect(loadObjects([path.startsWith("/") ? path : join(folder, path)])).rejects.toMatchObject({
      code,
    });
  });

  test("an aborted signal stops it", async () => {
    await expect(loadObjects([folder], { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "aborted",
    });
  });
});
