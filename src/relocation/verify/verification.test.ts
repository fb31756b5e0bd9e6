import { describe, expect, test } from "vitest";
import { isKnownHost, relocatorFor, yamlMap } from "../../../test/support/relocation.ts";
import { parseReference } from "../../reference/reference.ts";
import { formatValuePath } from "../../yaml/value-path.ts";
import { parseSourceRegistries } from "../registry-selection.ts";
import type { Relocator } from "../relocator.ts";
import type { Replacement } from "./explain-change.ts";
import { verifyOverride, type ChartRenderer, type Verification } from "./verification.ts";

const target = "registry.lan";

interface Options {
  readonly relocator?: Relocator;
  readonly replacements?: readonly Replacement[];
  readonly excludeTests?: boolean;
  readonly override?: string;
  /** What a second rendering of the unchanged chart gives; default: the same. */
  readonly again?: string;
}

/** A chart that renders one text as it is and another with the override. */
function rendererOf(before: string, after: string, again = before): ChartRenderer {
  let first = true;
  return {
    render: async (override) => {
      const manifests = override !== undefined ? after : first ? before : again;
      if (override === undefined) first = false;
      return Promise.resolve({ ok: true, manifests });
    },
  };
}

async function verify(before: string, after: string, options: Options = {}): Promise<Verification> {
  return verifyOverride({
    renderer: rendererOf(before, after, options.again),
    override: "{}",
    planned: yamlMap(options.override ?? "{}"),
    relocator: options.relocator ?? relocatorFor(target),
    isKnownHost: (host) => host === target || isKnownHost(host),
    plannedFor: () => [],
    replacements: options.replacements ?? [],
    excludeTests: options.excludeTests ?? false,
    redact: (text) => text,
  });
}

function outcomesOf({ outcomes }: Verification): string[] {
  return outcomes.map(({ image, status }) => `${image.text} ${status}`);
}

function unexpectedOf({ unexpected }: Verification): string[] {
  return unexpected.map(
    ({ manifest, path, message }) => `${manifest.name} ${formatValuePath(path)}: ${message}`,
  );
}

function pod(image: string, more = ""): string {
  return `---
# Source: app/templates/pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: pod
${more}spec:
  containers:
    - name: main
      image: ${image}
`;
}

function configMap(data: string, metadata = ""): string {
  return `---
# Source: app/templates/config.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: config
${metadata}data:
${data.replaceAll(/^/gmu, "  ")}
`;
}

function resource(kind: string, spec: string): string {
  return `---
# Source: app/templates/resource.yaml
apiVersion: example.com/v1
kind: ${kind}
metadata: {name: resource}
spec: ${spec}
`;
}

const moved = `${target}/quayio/a/b`;
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const secret = (text: string): string => configMap(`data: ${base64(text)}`).replace("ConfigMap", "Secret");

interface Row {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly outcomes: readonly string[];
  readonly unexpected?: readonly string[];
  readonly options?: Options;
}

function rows(title: string, table: readonly Row[]): void {
  describe(title, () => {
    test.each(table)("$name", async ({ before, after, outcomes, unexpected = [], options }) => {
      const verification = await verify(before, after, options);
      expect(outcomesOf(verification)).toEqual(outcomes);
      expect(unexpectedOf(verification)).toEqual(unexpected);
      expect(verification).toMatchObject({ chartInstall: "passed", diagnostics: [] });
    });
  });
}

rows("an image of a container", [
  {
    name: "moved",
    before: pod("quay.io/a/b:1"),
    after: pod(`${moved}:1`),
    outcomes: ["quay.io/a/b:1 moved"],
  },
  {
    name: "not moved",
    before: pod("quay.io/a/b:1"),
    after: pod("quay.io/a/b:1"),
    outcomes: ["quay.io/a/b:1 not-moved"],
  },
  {
    name: "moved to another place",
    before: pod("quay.io/a/b:1"),
    after: pod(`${target}/a/b:1`),
    outcomes: ["quay.io/a/b:1 misplaced"],
  },
  {
    name: "moved with another tag",
    before: pod("quay.io/a/b:1"),
    after: pod(`${moved}:latest`),
    outcomes: ["quay.io/a/b:1 misplaced"],
  },
  {
    name: "gone",
    before: pod("quay.io/a/b:1"),
    after: pod("''"),
    outcomes: ["quay.io/a/b:1 misplaced"],
  },
  {
    name: "a map printed where a string was",
    before: pod("quay.io/a/b:1"),
    after: pod("'map[registry:registry.lan repository:a/b]'"),
    outcomes: ["quay.io/a/b:1 misplaced"],
  },
  {
    name: "out of scope and the same",
    before: pod("ghcr.io/a/b:1"),
    after: pod("ghcr.io/a/b:1"),
    outcomes: ["ghcr.io/a/b:1 stays"],
    options: { relocator: relocatorFor(target, { sources: parseSourceRegistries(["quay.io"]) }) },
  },
  {
    name: "out of scope and moved",
    before: pod("ghcr.io/a/b:1"),
    after: pod(`${target}/ghcrio/a/b:1`),
    outcomes: ["ghcr.io/a/b:1 stays"],
    unexpected: [
      'pod spec.containers[0].image: the override changes "ghcr.io/a/b:1" to "registry.lan/ghcrio/a/b:1"',
    ],
    options: { relocator: relocatorFor(target, { sources: parseSourceRegistries(["quay.io"]) }) },
  },
  {
    name: "at the target already",
    before: pod(`${moved}:1`),
    after: pod(`${moved}:1`),
    outcomes: [`${moved}:1 stays`],
  },
  {
    name: "an official image in both spellings",
    before: pod("nginx:1"),
    after: pod(`${target}/dockerio/library/nginx:1`),
    outcomes: ["nginx:1 moved"],
  },
  {
    name: "in an image volume",
    before: resource("Pod", "{volumes: [{name: v, image: {reference: 'quay.io/a/b:1'}}]}"),
    after: resource("Pod", `{volumes: [{name: v, image: {reference: '${moved}:1'}}]}`),
    outcomes: ["quay.io/a/b:1 moved"],
  },
  {
    name: "in init containers of a template within a template",
    before: resource("Fleet", "{a: {b: {initContainers: [{name: i, image: nginx}]}}}"),
    after: resource(
      "Fleet",
      `{a: {b: {initContainers: [{name: i, image: ${target}/dockerio/library/nginx}]}}}`,
    ),
    outcomes: ["nginx moved"],
  },
]);

rows("an image elsewhere", [
  {
    name: "in a custom resource",
    before: resource("Prometheus", "{image: 'quay.io/a/b:1', version: v1}"),
    after: resource("Prometheus", `{image: '${moved}:1', version: v1}`),
    outcomes: ["quay.io/a/b:1 moved"],
  },
  {
    name: "split over repository, image and version",
    before: resource("Policy", "{driver: {repository: quay.io/a, image: b, version: '1'}}"),
    after: resource("Policy", `{driver: {repository: ${target}/quayio/a, image: b, version: '1'}}`),
    outcomes: ["quay.io/a/b:1 moved"],
  },
  {
    name: "split over registry, repository and tag",
    before: resource("Policy", "{driver: {registry: quay.io, repository: a/b, tag: '1'}}"),
    after: resource("Policy", `{driver: {registry: ${target}/quayio, repository: a/b, tag: '1'}}`),
    outcomes: ["quay.io/a/b:1 moved"],
  },
  {
    name: "split, with a digest as version",
    before: resource(
      "Policy",
      `{driver: {repository: quay.io/a, image: b, version: 'sha256:${"12".repeat(32)}'}}`,
    ),
    after: resource(
      "Policy",
      `{driver: {repository: ${target}/quayio/a, image: b, version: 'sha256:${"12".repeat(32)}'}}`,
    ),
    outcomes: [`quay.io/a/b@sha256:${"12".repeat(32)} moved`],
  },
  {
    name: "split, and only a part moved",
    before: resource("Policy", "{driver: {repository: quay.io/a, image: b, version: '1'}}"),
    after: resource("Policy", `{driver: {repository: ${target}, image: b, version: '1'}}`),
    outcomes: ["quay.io/a/b:1 misplaced"],
  },
  {
    name: "in an argument after a flag",
    before: resource("Pod", "{args: ['--image=quay.io/a/b:1', --verbose]}"),
    after: resource("Pod", `{args: ['--image=${moved}:1', --verbose]}`),
    outcomes: ["quay.io/a/b:1 moved"],
  },
  {
    name: "in an environment variable",
    before: resource("Pod", "{env: [{name: JOB_IMAGE, value: 'a/b:1'}]}"),
    after: resource("Pod", `{env: [{name: JOB_IMAGE, value: '${target}/dockerio/a/b:1'}]}`),
    outcomes: ["a/b:1 moved"],
  },
  {
    name: "in several lines of a ConfigMap",
    before: configMap("images: |\n  4.0=quay.io/a/b:1\n  4.1=quay.io/a/b:2"),
    after: configMap(`images: |\n  4.0=${moved}:1\n  4.1=${moved}:2`),
    outcomes: ["quay.io/a/b:1 moved", "quay.io/a/b:2 moved"],
  },
  {
    name: "in several lines, one of which did not move",
    before: configMap("images: |\n  4.0=quay.io/a/b:1\n  4.1=quay.io/a/b:10"),
    after: configMap(`images: |\n  4.0=quay.io/a/b:1\n  4.1=${moved}:10`),
    outcomes: ["quay.io/a/b:1 not-moved", "quay.io/a/b:10 moved"],
  },
  {
    name: "twice in one text, once moved",
    before: configMap("text: use quay.io/a/b:1 or quay.io/a/b:1"),
    after: configMap(`text: use ${moved}:1 or quay.io/a/b:1`),
    outcomes: ["quay.io/a/b:1 not-moved", "quay.io/a/b:1 not-moved"],
  },
  {
    name: "in text, kept under its registry at the target",
    before: configMap("text: use quay.io/a/b:1 now"),
    after: configMap(`text: use ${target}/quay.io/a/b:1 now`),
    outcomes: ["quay.io/a/b:1 moved"],
    options: { relocator: relocatorFor(target, { strategy: "keep-registry" }) },
  },
  {
    name: "in text, to a target without a dot",
    before: configMap("text: '--image=quay.io/a/b:1 --x'"),
    after: configMap("text: '--image=localhost:5000/quayio/a/b:1 --x'"),
    outcomes: ["quay.io/a/b:1 moved"],
    options: { relocator: relocatorFor("localhost:5000") },
  },
  {
    name: "in JSON within an annotation",
    before: pod("quay.io/a/b:1", `  annotations: {inject: '{"image":"quay.io/a/c:2"}'}\n`),
    after: pod(`${moved}:1`, `  annotations: {inject: '{"image":"${target}/quayio/a/c:2"}'}\n`),
    outcomes: ["quay.io/a/c:2 moved", "quay.io/a/b:1 moved"],
  },
  {
    name: "in JSON of one line, without a registry",
    before: pod(
      "quay.io/a/b:1",
      `  annotations: {inject: '[{"image": "busybox:1"}]', more: '"{\\"image\\":\\"a/b:1\\"}"'}\n`,
    ),
    after: pod(
      `${moved}:1`,
      `  annotations: {inject: '[{"image": "busybox:1"}]', more: '"{\\"image\\":\\"a/b:1\\"}"'}\n`,
    ),
    outcomes: ["busybox:1 not-moved", "a/b:1 not-moved", "quay.io/a/b:1 moved"],
  },
  ...[
    ["after a flag, without a registry", "{args: ['--side-image=busybox:1']}", "busybox:1"],
    ["after a flag, without a tag", "{args: ['-image=quay.io/a/b']}", "quay.io/a/b"],
    ["in the argument after a flag", "{args: ['--helper-image', 'busybox:1']}", "busybox:1"],
    ["in a command line", "{command: ['sh', '-c', 'run --image=busybox:1; wait']}", "busybox:1"],
    ["in a variable, without a registry", "{env: [{name: SIDE_IMAGE, value: 'busybox:1'}]}", "busybox:1"],
    ["in a variable, without a tag", "{env: [{name: SIDE_IMAGE, value: quay.io/a/b}]}", "quay.io/a/b"],
    ["in a field for its repository", "{imageRepository: quay.io/a/b}", "quay.io/a/b"],
    ["split, without a tag", "{image: {registry: quay.io, repository: a/b}}", "quay.io/a/b"],
    ["with a host in capitals", "{text: 'use Docker.io/a/b:1'}", "Docker.io/a/b:1"],
    ["in a container, called like a file", "{containers: [{image: quay.io/a/run.sh}]}", "quay.io/a/run.sh"],
  ].map(([name = "", spec = "", image = ""]) => ({
    name,
    before: resource("Pod", spec),
    after: resource("Pod", spec),
    outcomes: [`${image} not-moved`],
  })),
  {
    name: "never in flags, variables and fields that speak of something else",
    before: resource(
      "Pod",
      "{args: ['--image=true', '--pull-image=always', '--use-image', 'x'], env: [{name: IMAGE_PULL, value: 'a:1'}]}",
    ),
    after: resource(
      "Pod",
      "{args: ['--image=true', '--pull-image=always', '--use-image', 'x'], env: [{name: IMAGE_PULL, value: 'a:1'}]}",
    ),
    outcomes: [],
  },
  {
    name: "in a Secret",
    before: secret("image: quay.io/a/b:1\n"),
    after: secret(`image: ${moved}:1\n`),
    outcomes: ["quay.io/a/b:1 moved"],
  },
  {
    name: "in a Secret, and not moved",
    before: secret("side: quay.io/a/b:1\n"),
    after: secret("side: quay.io/a/b:1\n"),
    outcomes: ["quay.io/a/b:1 not-moved"],
  },
  {
    name: "without a tag, beside a longer name",
    before: configMap("text: '--image=quay.io/a/b --other=quay.io/a/b/c'"),
    after: configMap(`text: '--image=${moved} --other=quay.io/a/b/c'`),
    outcomes: ["quay.io/a/b moved"],
  },
  {
    name: "in a List",
    before: `apiVersion: v1\nkind: List\nitems:\n- ${pod("quay.io/a/b:1").split("\n").slice(2).join("\n  ")}`,
    after: `apiVersion: v1\nkind: List\nitems:\n- ${pod(`${moved}:1`).split("\n").slice(2).join("\n  ")}`,
    outcomes: ["quay.io/a/b:1 moved"],
  },
  {
    name: "never in a schema, a URL or a hash",
    before:
      resource("CustomResourceDefinition", "{default: {image: 'quay.io/a/b:1'}}") +
      configMap("url: https://quay.io/a/b:1\nhost: quay.io:443"),
    after:
      resource("CustomResourceDefinition", "{default: {image: 'quay.io/a/b:1'}}") +
      configMap("url: https://quay.io/a/b:1\nhost: quay.io:443"),
    outcomes: [],
  },
]);

const certificate = (body: string): string =>
  `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
const edited = [{ from: "quay.io", to: `${target}/quayio` }];

rows("everything else", [
  {
    name: "a changed number",
    before: resource("Pod", "{replicas: 1}"),
    after: resource("Pod", "{replicas: 2}"),
    outcomes: [],
    unexpected: ["resource spec.replicas: the override changes 1 to 2"],
  },
  {
    name: "an added and a removed key",
    before: resource("Pod", "{a: 1, c: 1}"),
    after: resource("Pod", "{b: 2, c: 1}"),
    outcomes: [],
    unexpected: ["resource spec.a: the override removes 1", "resource spec.b: the override adds 2"],
  },
  {
    name: "a list that lost an entry",
    before: resource("Pod", "{args: [a, b]}"),
    after: resource("Pod", "{args: [a]}"),
    outcomes: [],
    unexpected: ['resource spec.args: the override changes ["a","b"] to ["a"]'],
  },
  {
    name: "an object that is gone",
    before: pod("quay.io/a/b:1") + resource("Job", "{a: 1}"),
    after: pod(`${moved}:1`),
    outcomes: ["quay.io/a/b:1 moved"],
    unexpected: ["resource : the object is gone"],
  },
  {
    name: "an object that is gone with its image",
    before: pod("quay.io/a/b:1") + resource("Job", "{a: 1}"),
    after: resource("Job", "{a: 1}"),
    outcomes: ["quay.io/a/b:1 misplaced"],
    unexpected: ["pod : the object is gone"],
  },
  {
    name: "an object that is new",
    before: pod("quay.io/a/b:1"),
    after: pod(`${moved}:1`) + resource("Job", "{a: 1}"),
    outcomes: ["quay.io/a/b:1 moved"],
    unexpected: ["resource : the object is new"],
  },
  {
    name: "objects of one name stay in their order",
    before: pod("quay.io/a/b:1") + pod("quay.io/a/b:2"),
    after: pod(`${moved}:1`) + pod(`${moved}:2`),
    outcomes: ["quay.io/a/b:1 moved", "quay.io/a/b:2 moved"],
  },
  {
    name: "the same text in another layout",
    before: resource("Pod", "{a: 1, b: 'x'}"),
    after: resource("Pod", "\n  b: x\n  a: 1"),
    outcomes: [],
  },
  {
    name: "the registry alone, as the override sets it",
    before: configMap("registry: quay.io\ntext: pull from quay.io, please"),
    after: configMap(`registry: ${target}/quayio\ntext: pull from ${target}/quayio, please`),
    outcomes: [],
    options: { replacements: edited },
  },
  {
    name: "the registry with something else",
    before: configMap("text: pull from quay.io, please"),
    after: configMap(`text: pull from ${target}/quayio, now`),
    outcomes: [],
    unexpected: [
      `config data.text: the override changes "pull from quay.io, please" to "pull from ${target}/quayio, now"`,
    ],
    options: { replacements: edited },
  },
  {
    name: "the registry in a label, which no cluster takes",
    before: configMap("a: b", "  labels: {from: quay.io}\n"),
    after: configMap("a: b", `  labels: {from: ${target}/quayio}\n`),
    outcomes: [],
    unexpected: [`config metadata.labels.from: the override changes "quay.io" to "${target}/quayio"`],
    options: { replacements: edited },
  },
  {
    name: "the registry in an object's name",
    before: configMap("a: b").replace("name: config", "name: quay.io"),
    after: configMap("a: b").replace("name: config", `name: ${target}/quayio`),
    outcomes: [],
    unexpected: [`quay.io metadata.name: the override changes "quay.io" to "${target}/quayio"`],
    options: { replacements: edited },
  },
  {
    name: "a Secret's text in base64",
    before: secret("registry: quay.io\n"),
    after: secret(`registry: ${target}/quayio\n`),
    outcomes: [],
    options: { replacements: edited },
  },
  {
    name: "a Secret's text in base64, changed otherwise",
    before: secret("registry: quay.io\n"),
    after: secret("registry: example.com\n"),
    outcomes: [],
    unexpected: ["config data.data: the override changes a secret's content"],
    options: { replacements: edited },
  },
  {
    name: "a checksum of the configuration",
    before: pod("quay.io/a/b:1", `  annotations: {checksum/config: ${"ab".repeat(32)}}\n`),
    after: pod(`${moved}:1`, `  annotations: {checksum/config: ${"cd".repeat(32)}}\n`),
    outcomes: ["quay.io/a/b:1 moved"],
  },
  {
    name: "a checksum that is none afterwards",
    before: pod("quay.io/a/b:1", `  annotations: {checksum/config: ${"ab".repeat(32)}}\n`),
    after: pod(`${moved}:1`, "  annotations: {checksum/config: oops}\n"),
    outcomes: ["quay.io/a/b:1 moved"],
    unexpected: [
      `pod metadata.annotations["checksum/config"]: the override changes "${"ab".repeat(32)}" to "oops"`,
    ],
  },
  {
    name: "a random password",
    before: pod("quay.io/a/b:1") + configMap("password: abcdef"),
    after: pod(`${moved}:1`) + configMap("password: ghijkl"),
    outcomes: ["quay.io/a/b:1 moved"],
    options: { again: pod("quay.io/a/b:1") + configMap("password: mnopqr") },
  },
  {
    name: "a random password beside a change",
    before: configMap("password: abcdef\nother: a"),
    after: configMap("password: ghijkl\nother: b"),
    outcomes: [],
    unexpected: ['config data.other: the override changes "a" to "b"'],
    options: { again: configMap("password: mnopqr\nother: a") },
  },
  {
    name: "a random password in a text that moves with the registry",
    before: configMap("text: |\n  p: abcdef\n  r: quay.io\n  q: 1"),
    after: configMap(`text: |\n  p: ghijkl\n  r: ${target}/quayio\n  q: 1`),
    outcomes: [],
    options: { again: configMap("text: |\n  p: mnopqr\n  r: quay.io\n  q: 1"), replacements: edited },
  },
  {
    name: "a random password in a text that changes elsewhere",
    before: configMap("text: p=abcdef q=1"),
    after: configMap("text: p=ghijkl q=2"),
    outcomes: [],
    unexpected: ['config data.text: the override changes "p=abcdef q=1" to "p=ghijkl q=2"'],
    options: { again: configMap("text: p=mnopqr q=1") },
  },
  {
    name: "a certificate of another length in base64",
    before: secret(certificate("abcd\nef")),
    after: secret(certificate("gh")),
    outcomes: [],
    options: { again: secret(certificate("ijkl\nmn")) },
  },
  {
    name: "a random text with blanks in it",
    before: configMap("text: 'a b'"),
    after: configMap("text: 'c d e'"),
    outcomes: [],
    options: { again: configMap("text: 'f g'") },
  },
  {
    name: "a random text that loses a line",
    before: configMap("text: |\n  abc\n  x"),
    after: configMap("text: |\n  def"),
    outcomes: [],
    unexpected: ['config data.text: the override changes "abc\\nx\\n" to "def\\n"'],
    options: { again: configMap("text: |\n  ghi\n  x") },
  },
  {
    name: "a random name",
    before: configMap("a: b").replace("name: config", "name: job-abc"),
    after: configMap("a: b").replace("name: config", "name: job-def"),
    outcomes: [],
    options: { again: configMap("a: b").replace("name: config", "name: job-ghi") },
  },
  {
    name: "a random name beside an object that is gone",
    before: configMap("a: b").replace("name: config", "name: job-abc") + pod("quay.io/a/b:1"),
    after: configMap("a: b").replace("name: config", "name: job-def"),
    outcomes: ["quay.io/a/b:1 misplaced"],
    unexpected: ["job-abc : the object is gone", "pod : the object is gone", "job-def : the object is new"],
    options: { again: configMap("a: b").replace("name: config", "name: job-ghi") + pod("quay.io/a/b:1") },
  },
]);

const testHook = "  annotations: {helm.sh/hook: test}\n";

rows("helm test's pods", [
  {
    name: "count as others",
    before: pod("quay.io/a/b:1", testHook),
    after: pod("quay.io/a/b:1", testHook),
    outcomes: ["quay.io/a/b:1 not-moved"],
  },
  {
    name: "do not count when they are excluded",
    before: pod("quay.io/a/b:1", testHook),
    after: pod("quay.io/a/b:1", testHook),
    outcomes: ["quay.io/a/b:1 stays"],
    options: { excludeTests: true },
  },
  {
    name: "may move when they are excluded",
    before: pod("quay.io/a/b:1", testHook),
    after: pod(`${moved}:1`, testHook),
    outcomes: ["quay.io/a/b:1 stays"],
    options: { excludeTests: true },
  },
  {
    name: "may not become something else when they are excluded",
    before: pod("quay.io/a/b:1", testHook),
    after: pod("quay.io/a/b:2", testHook),
    outcomes: ["quay.io/a/b:1 stays"],
    unexpected: ['pod spec.containers[0].image: the override changes "quay.io/a/b:1" to "quay.io/a/b:2"'],
    options: { excludeTests: true },
  },
  {
    name: "other hooks always count",
    before: pod("quay.io/a/b:1", "  annotations: {helm.sh/hook: 'pre-install,post-upgrade'}\n"),
    after: pod("quay.io/a/b:1", "  annotations: {helm.sh/hook: 'pre-install,post-upgrade'}\n"),
    outcomes: ["quay.io/a/b:1 not-moved"],
    options: { excludeTests: true },
  },
]);

test("an image may come out where its values planned it under another spelling", async () => {
  const verification = await verifyOverride({
    renderer: rendererOf(pod("docker.io/nginx:1"), pod(`${target}/dockerio/library/nginx:1`)),
    override: "{}",
    planned: yamlMap("{}"),
    relocator: relocatorFor(target),
    isKnownHost,
    plannedFor: () => [parseReference(`${target}/dockerio/library/nginx`)],
    replacements: [],
    excludeTests: false,
    redact: (text) => text,
  });
  expect(outcomesOf(verification)).toEqual(["docker.io/nginx:1 moved"]);
});

test("a chart that keeps its values in a ConfigMap shows the override there", async () => {
  const override = "image: {registry: registry.lan/quayio}\n";
  const verification = await verify(
    configMap("values: |\n  image: {repository: a}"),
    configMap("values: |\n  image: {repository: a, registry: registry.lan/quayio}"),
    { override },
  );
  expect(unexpectedOf(verification)).toEqual([]);
  expect(yamlMap(override)).toBeDefined();
});

test("a chart that does not render with the override has moved nothing", async () => {
  const verification = await verifyOverride({
    renderer: {
      render: async (override) =>
        Promise.resolve(
          override === undefined
            ? { ok: true, manifests: pod("quay.io/a/b:1") }
            : { ok: false, message: "values don't meet the schema" },
        ),
    },
    override: "{}",
    planned: yamlMap("{}"),
    relocator: relocatorFor(target),
    isKnownHost,
    plannedFor: () => [],
    replacements: [],
    excludeTests: false,
    redact: (text) => text,
  });
  expect(outcomesOf(verification)).toEqual(["quay.io/a/b:1 not-moved"]);
  expect(verification).toMatchObject({
    chartInstall: "failed",
    diagnostics: [
      {
        code: "render-failed",
        message: "the chart does not render with the override: values don't meet the schema",
      },
    ],
  });
});

test("a chart that does not render as it is is an error", async () => {
  const renderer: ChartRenderer = {
    render: async () => Promise.resolve({ ok: false, message: "password is required" }),
  };
  const verification = verifyOverride({
    renderer,
    override: "{}",
    planned: yamlMap("{}"),
    relocator: relocatorFor(target),
    isKnownHost,
    plannedFor: () => [],
    replacements: [],
    excludeTests: false,
    redact: (text) => text,
  });
  await expect(verification).rejects.toMatchObject({
    code: "render-failed",
    message: "the chart does not render without the override: password is required",
  });
});
