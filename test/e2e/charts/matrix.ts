import { mapImage, movesTo, podChart, target, type ChartCase } from "./chart-case.ts";

const digest = `sha256:${"1234".repeat(16)}`;

interface Row {
  readonly name: string;
  readonly image: string;
  readonly keys: string;
  readonly expected: string;
}

/** Document 002, §7.2 and the examples of §8.1. */
const rows: readonly Row[] = [
  {
    name: "standard",
    image: "docker.io/nginx:1.23",
    keys: '{registry: docker.io, repository: nginx, tag: "1.23"}',
    expected: "dockerio/nginx:1.23",
  },
  {
    name: "nested path",
    image: "quay.io/project/img:v4.2",
    keys: "{registry: quay.io, repository: project/img, tag: v4.2}",
    expected: "quayio/project/img:v4.2",
  },
  {
    name: "implicit registry",
    image: "alpine:3.18",
    keys: '{repository: alpine, tag: "3.18"}',
    expected: "dockerio/library/alpine:3.18",
  },
  {
    name: "digest",
    image: `quay.io/prometheus/prometheus@${digest}`,
    keys: `{registry: quay.io, repository: prometheus/prometheus, digest: "${digest}"}`,
    expected: `quayio/prometheus/prometheus@${digest}`,
  },
  {
    name: "Docker library",
    image: "postgres:14",
    keys: '{repository: postgres, tag: "14"}',
    expected: "dockerio/library/postgres:14",
  },
  {
    name: "tag and digest",
    image: `ghcr.io/acme/app:v1_2@${digest}`,
    keys: `{registry: ghcr.io, repository: acme/app, tag: v1_2, digest: "${digest}"}`,
    expected: `ghcrio/acme/app:v1_2@${digest}`,
  },
  {
    name: "Docker Hub organisation",
    image: "docker.io/bitnami/redis:latest",
    keys: "{registry: docker.io, repository: bitnami/redis, tag: latest}",
    expected: "dockerio/bitnami/redis:latest",
  },
  {
    name: "host inside the repository",
    image: "gcr.io/project/app:1",
    keys: '{repository: gcr.io/project/app, tag: "1"}',
    expected: "gcrio/project/app:1",
  },
];

const otherStrategies: readonly ChartCase[] = [
  {
    name: "flat, below a path",
    files: podChart("{{ .Values.image }}", "image: docker.io/bitnami/redis:latest\n"),
    flags: ["--path-strategy", "flat", "--target-registry", `${target}/proxied-images`],
    moves: movesTo({ "docker.io/bitnami/redis:latest": "proxied-images/bitnami/redis:latest" }),
  },
  {
    name: "keep-registry",
    files: podChart(mapImage, "image: {registry: quay.io, repository: acme/app, tag: v1}\n"),
    flags: ["--path-strategy", "keep-registry"],
    moves: movesTo({ "quay.io/acme/app:v1": "quay.io/acme/app:v1" }),
  },
  {
    name: "library always",
    files: podChart("{{ .Values.image }}", "image: docker.io/nginx:1.23\n"),
    flags: ["--library", "always"],
    moves: movesTo({ "docker.io/nginx:1.23": "dockerio/library/nginx:1.23" }),
  },
  {
    name: "library never",
    files: podChart("{{ .Values.image }}", "image: alpine:3.18\n"),
    flags: ["--library", "never"],
    moves: movesTo({ "alpine:3.18": "dockerio/alpine:3.18" }),
  },
  {
    name: "a source with a hyphen",
    files: podChart("{{ .Values.image }}", "image: my-registry.example.com/team/app:1\n"),
    flags: ["--source-registries", "my-registry.example.com"],
    moves: movesTo({ "my-registry.example.com/team/app:1": "my-registryexamplecom/team/app:1" }),
  },
  {
    name: "a source with a port, which is ignored",
    files: podChart("{{ .Values.image }}", "image: registry:5000/team/app:1\n"),
    flags: ["--source-registries", "registry:443"],
    moves: movesTo({ "registry:5000/team/app:1": "registry/team/app:1" }),
  },
  {
    name: "every registry but an excluded one",
    files: {
      ...podChart("{{ .Values.image }}", "image: lscr.io/acme/app:1\nown:\n  image: cr.corp.example/app:1\n"),
      "templates/own.yaml":
        'apiVersion: v1\nkind: Pod\nmetadata: {name: own}\nspec: {containers: [{name: own, image: "{{ .Values.own.image }}"}]}\n',
    },
    flags: ["--source-registries", "*", "--exclude-registries", "*.corp.example,cr.corp.example"],
    moves: movesTo({ "lscr.io/acme/app:1": "lscrio/acme/app:1" }),
  },
  {
    name: "nothing to do",
    files: podChart("{{ .Values.image }}", "image: registry.k8s.io/pause:3.10\n"),
    moves: {},
    override: "{}\n",
  },
  {
    name: "already at the target",
    files: podChart("{{ .Values.image }}", `image: ${target}/dockerio/library/alpine:3.18\n`),
    flags: ["--source-registries", "*"],
    moves: {},
    override: "{}\n",
  },
];

export const matrixCases: readonly ChartCase[] = [
  ...rows.flatMap(({ name, image, keys, expected }): ChartCase[] => [
    {
      name: `${name}, one string`,
      files: podChart("{{ .Values.image }}", `image: ${image}\n`),
      moves: movesTo({ [image]: expected }),
    },
    {
      name: `${name}, keys`,
      files: podChart(mapImage, `image: ${keys}\n`),
      moves: movesTo({ [image]: expected }),
    },
  ]),
  ...otherStrategies,
];
