import { relocatorFor } from "../../../test/support/relocation.ts";
import { parseSourceRegistries } from "../registry-selection.ts";
import {
  configMap,
  describeRenderings,
  moved,
  pod,
  resource,
  secret,
  target,
} from "../../../test/support/renderings.ts";

describeRenderings("an image of a container", [
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
    name: "Istio's placeholder, which is none",
    before: pod("auto"),
    after: pod("auto"),
    outcomes: [],
  },
  {
    name: "an image that is called like the placeholder",
    before: pod("auto:1"),
    after: pod("auto:1"),
    outcomes: ["auto:1 not-moved"],
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

describeRenderings("an image elsewhere", [
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
