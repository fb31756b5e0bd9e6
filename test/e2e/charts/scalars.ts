import { mapImage, movesTo, pod, podChart, target, type ChartCase } from "./chart-case.ts";

const listPod = `${pod("list", "registry.k8s.io/pause:3").replace(/ {4}- name: main\n.*\n/u, "")}{{ toYaml .Values.sidecars | indent 4 }}\n`;

/** A tag as YAML writes it, and as Helm prints it. */
const tags: Readonly<Record<string, string>> = {
  "1.10": "1.1",
  '"1.10"': "1.10",
  "'16'": "16",
  "16": "16",
  "3.0": "3",
  "1e3": "1000",
  "0o17": "15",
  "017": "15",
  "0x1F": "31",
  "1_000": "1000",
  "v1.10": "v1.10",
  "2021.10.0": "2021.10.0",
  "20211016": "2.0211016e+07",
  true: "true",
};

export const scalarCases: readonly ChartCase[] = [
  ...Object.entries(tags).map(([written, printed]): ChartCase => ({
    name: `the tag ${written} stays ${printed}`,
    files: podChart(`"${mapImage}"`, `image: {registry: quay.io, repository: acme/app, tag: ${written}}\n`),
    moves: movesTo({ [`quay.io/acme/app:${printed}"`]: `quayio/acme/app:${printed}"` }),
    override: `image:\n  registry: ${target}/quayio\n`,
  })),
  {
    name: "a float tag under --strict",
    files: podChart(mapImage, "image: {registry: quay.io, repository: acme/app, tag: 1.10}\n"),
    flags: ["--strict"],
    moves: movesTo({ "quay.io/acme/app:1.1": "quayio/acme/app:1.1" }),
    exitCode: 5,
    says: ["the tag is a number, which Helm prints as 1.1", "chart/values.yaml:1"],
  },
  {
    name: "a list, carried whole with every scalar in it",
    files: {
      "values.yaml": `sidecars:
  - name: one
    image: quay.io/acme/one:1.10
    args: [1.10, "1.10", yes, "yes", on, 0x1f, 017, 1e3, 1234567, 123456789012345678, null, "null", ~, 2021-01-01, "2021-01-01", "a: b", "#", " x ", ""]
  - name: two
    image: docker.io/acme/two:1
    command:
      - |
        one
        two
      - >-
        folded
        text
  - name: three
    image: registry.k8s.io/three:1
    env: [{name: EMPTY, value: ""}, {name: TRUE, value: "true"}]
    resources: {}
`,
      "templates/pod.yaml": listPod,
    },
    moves: movesTo({
      "quay.io/acme/one:1.10": "quayio/acme/one:1.10",
      "docker.io/acme/two:1": "dockerio/acme/two:1",
    }),
  },
  {
    name: "a list of strings, and one of maps with keys",
    files: {
      "values.yaml":
        "images: [quay.io/acme/one:1, quay.io/acme/two:2]\nagents:\n  - {image: {repository: quay.io/acme/agent, tag: 1.10}}\n",
      "templates/one.yaml": pod("one", "{{ index .Values.images 0 }}"),
      "templates/two.yaml": pod("two", "{{ index .Values.images 1 }}"),
      "templates/agents.yaml":
        "{{ range .Values.agents }}\napiVersion: v1\nkind: Pod\nmetadata: {name: agent}\nspec: {containers: [{name: agent, image: '{{ .image.repository }}:{{ .image.tag }}'}]}\n{{ end }}\n",
    },
    moves: movesTo({
      "quay.io/acme/one:1": "quayio/acme/one:1",
      "quay.io/acme/two:2": "quayio/acme/two:2",
      "quay.io/acme/agent:1.1": "quayio/acme/agent:1.1",
    }),
  },
  {
    name: "a chart that refuses images from elsewhere unless it is told",
    files: {
      "values.yaml":
        "global: {security: {allowInsecureImages: false}}\nimage: {registry: docker.io, repository: bitnami/redis, tag: 8.2-debian-12}\n",
      "templates/pod.yaml": pod("redis", mapImage),
      "templates/NOTES.txt": "",
      "templates/guard.yaml":
        '{{ if and (ne .Values.image.registry "docker.io") (not .Values.global.security.allowInsecureImages) }}{{ fail "unrecognised image" }}{{ end }}\n',
    },
    moves: movesTo({ "docker.io/bitnami/redis:8.2-debian-12": "dockerio/bitnami/redis:8.2-debian-12" }),
    override: `image:\n  registry: ${target}/dockerio\nglobal:\n  security:\n    allowInsecureImages: true\n`,
  },
  {
    name: "a hook",
    files: {
      "values.yaml": "migrate: {image: quay.io/acme/migrate:1}\n",
      "templates/hook.yaml": pod("hook", "{{ .Values.migrate.image }}", "{helm.sh/hook: pre-install}"),
    },
    moves: movesTo({ "quay.io/acme/migrate:1": "quayio/acme/migrate:1" }),
  },
  {
    name: "a test pod with a literal under --exclude-tests",
    files: {
      ...podChart("{{ .Values.image }}", "image: quay.io/acme/app:1\n"),
      "templates/tests/test.yaml": pod("test", "docker.io/busybox:1.36", "{helm.sh/hook: test}"),
    },
    flags: ["--exclude-tests"],
    moves: movesTo({ "quay.io/acme/app:1": "quayio/acme/app:1" }),
    says: ["100% images matched (1/1)"],
  },
  {
    name: "user values are context and never copied",
    files: podChart(mapImage, "image: {registry: quay.io, repository: acme/app, tag: v1}\n"),
    userFiles: { "user.yaml": "image: {registry: ghcr.io, repository: corp/app}\nreplicas: 3\n" },
    valueFlags: ["--values", "user.yaml"],
    moves: movesTo({ "ghcr.io/corp/app:v1": "ghcrio/corp/app:v1" }),
    override: `image:\n  registry: ${target}/ghcrio\n`,
  },
  {
    name: "values that only look like images",
    files: {
      "values.yaml": `image: quay.io/acme/app:1
git: {repository: https://git.example.com/acme/app.git, tag: v1}
helm: {repository: "https://charts.example.com", chart: app}
externalURL: https://quay.io/acme
backup: {repository: "s3:https://s3.example.com/bucket"}
roleRef: {kind: Role, name: quay}
`,
      "templates/pod.yaml": pod("app", "{{ .Values.image }}"),
      "templates/config.yaml":
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: config}\ndata:\n  values: |\n{{ omit .Values "image" | toYaml | indent 4 }}\n',
    },
    moves: movesTo({ "quay.io/acme/app:1": "quayio/acme/app:1" }),
    override: `image: ${target}/quayio/acme/app:1\n`,
  },
];
