import { mapImage, movesTo, pod, podChart, target, type ChartCase } from "./chart-case.ts";

const hex = "5a".repeat(32);

/** The shapes of images that real charts use, each as the smallest chart that has it. */
export const shapeCases: readonly ChartCase[] = [
  {
    name: "hub and a short name, and a full name under the same key",
    files: {
      "values.yaml":
        "global: {hub: docker.io/istio, tag: 1.27.0}\npilot: {image: pilot}\nproxy: {image: quay.io/acme/proxy:2}\n",
      "templates/pilot.yaml": pod(
        "pilot",
        '{{ if contains "/" .Values.pilot.image }}{{ .Values.pilot.image }}{{ else }}{{ .Values.global.hub }}/{{ .Values.pilot.image }}:{{ .Values.global.tag }}{{ end }}',
      ),
      "templates/proxy.yaml": pod("proxy", "{{ .Values.proxy.image }}"),
    },
    moves: movesTo({
      "docker.io/istio/pilot:1.27.0": "dockerio/istio/pilot:1.27.0",
      "quay.io/acme/proxy:2": "quayio/acme/proxy:2",
    }),
  },
  {
    name: "split over repository, image and version in a custom resource",
    files: {
      "values.yaml": "driver: {repository: nvcr.io/nvidia, image: driver, version: 570.1}\n",
      "templates/policy.yaml":
        "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {name: policy}\nspec:\n  driver:\n    repository: {{ .Values.driver.repository }}\n    image: {{ .Values.driver.image }}\n    version: {{ .Values.driver.version | quote }}\n",
    },
    moves: { "repository: nvcr.io/nvidia": `repository: ${target}/nvcrio/nvidia` },
  },
  {
    name: "name as a full reference",
    files: podChart("{{ .Values.image.name }}", "image: {name: quay.io/acme/agent:1.2}\n"),
    moves: movesTo({ "quay.io/acme/agent:1.2": "quayio/acme/agent:1.2" }),
  },
  {
    name: "name with a tag beside it",
    files: podChart(
      "{{ .Values.image.name }}:{{ .Values.image.tag }}",
      "image: {name: quay.io/acme/agent, tag: v1}\n",
    ),
    moves: movesTo({ "quay.io/acme/agent:v1": "quayio/acme/agent:v1" }),
  },
  {
    name: "repo with a tag beside it",
    files: podChart(
      "{{ .Values.image.repo }}:{{ .Values.image.tag }}",
      "image: {repo: acme/agent, tag: v1}\n",
    ),
    moves: movesTo({ "acme/agent:v1": "dockerio/acme/agent:v1" }),
  },
  {
    name: "repository that holds the tag",
    files: podChart("{{ .Values.image.repository }}", "image: {repository: quay.io/acme/agent:1.2}\n"),
    moves: movesTo({ "quay.io/acme/agent:1.2": "quayio/acme/agent:1.2" }),
  },
  {
    name: "repository that ends in @sha256, with the hex as tag",
    files: podChart(
      "{{ .Values.image.repository }}:{{ .Values.image.tag }}",
      `image: {repository: quay.io/acme/agent@sha256, tag: "${hex}"}\n`,
    ),
    moves: movesTo({ [`quay.io/acme/agent@sha256:${hex}`]: `quayio/acme/agent@sha256:${hex}` }),
  },
  {
    name: "bare hex under sha",
    files: podChart(
      "{{ with .Values.image }}{{ .registry }}/{{ .repository }}:{{ .tag }}@sha256:{{ .sha }}{{ end }}",
      `image: {registry: quay.io, repository: acme/agent, tag: v1, sha: "${hex}"}\n`,
    ),
    moves: movesTo({ [`quay.io/acme/agent:v1@sha256:${hex}`]: `quayio/acme/agent:v1@sha256:${hex}` }),
  },
  {
    name: "string image with a sibling imageTag",
    files: podChart(
      "{{ .Values.image }}:{{ .Values.imageTag }}",
      "image: quay.io/acme/agent\nimageTag: 7.0.1\n",
    ),
    moves: movesTo({ "quay.io/acme/agent:7.0.1": "quayio/acme/agent:7.0.1" }),
  },
  {
    name: "string image with a sibling tag in a map",
    files: podChart(
      "{{ .Values.exporter.image }}:{{ .Values.exporter.tag }}",
      "exporter: {enabled: true, image: ghcr.io/acme/exporter, tag: v1.75.0}\n",
    ),
    moves: movesTo({ "ghcr.io/acme/exporter:v1.75.0": "ghcrio/acme/exporter:v1.75.0" }),
  },
  {
    name: "full string under another key, in a custom resource",
    files: {
      "values.yaml": "runtime:\n  baseline: quay.io/acme/baseline:3\n",
      "templates/runtime.yaml":
        "apiVersion: acme.example/v1\nkind: Runtime\nmetadata: {name: runtime}\nspec:\n  baseline: {{ .Values.runtime.baseline }}\n",
    },
    moves: movesTo({ "quay.io/acme/baseline:3": "quayio/acme/baseline:3" }),
  },
  {
    name: "prefixed keys",
    files: podChart(
      "{{ .Values.operatorImageRepository }}:{{ .Values.operatorImageTag }}",
      "operatorImageRepository: quay.io/acme/operator\noperatorImageTag: v2\n",
    ),
    moves: movesTo({ "quay.io/acme/operator:v2": "quayio/acme/operator:v2" }),
  },
  {
    name: "tag from appVersion",
    files: {
      "Chart.yaml": 'apiVersion: v2\nname: agent\nversion: 1.0.0\nappVersion: "4.20"\n',
      ...podChart(
        "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}",
        'image: {repository: quay.io/acme/agent, tag: ""}\n',
      ),
    },
    moves: movesTo({ "quay.io/acme/agent:4.20": "quayio/acme/agent:4.20" }),
  },
  {
    name: "tag under global",
    files: podChart(
      "{{ .Values.image.repository }}:{{ .Values.global.tag }}",
      "global: {tag: v9}\nimage: {repository: quay.io/acme/agent, pullPolicy: Always}\n",
    ),
    moves: movesTo({ "quay.io/acme/agent:v9": "quayio/acme/agent:v9" }),
  },
  {
    name: "semver check on the tag",
    files: podChart(
      `{{ if semverCompare ">=1.2.0-0" .Values.image.tag }}${mapImage}{{ else }}{{ fail "too old" }}{{ end }}`,
      "image: {registry: quay.io, repository: acme/agent, tag: 1.4.2-debian}\n",
    ),
    moves: movesTo({ "quay.io/acme/agent:1.4.2-debian": "quayio/acme/agent:1.4.2-debian" }),
  },
  {
    name: "argument after a flag, and in the same word",
    files: {
      "values.yaml":
        "reloader: {image: quay.io/acme/reloader:1}\nsolver: {image: {registry: quay.io, repository: acme/solver, tag: v2}}\n",
      "templates/job.yaml": `${pod("main", "registry.k8s.io/pause:3")}      args: ["--image", "{{ .Values.reloader.image }}", "--solver={{ with .Values.solver.image }}{{ .registry }}/{{ .repository }}:{{ .tag }}{{ end }}"]\n`,
    },
    moves: movesTo({
      "quay.io/acme/reloader:1": "quayio/acme/reloader:1",
      "quay.io/acme/solver:v2": "quayio/acme/solver:v2",
    }),
  },
  {
    name: "environment, ConfigMap and a command of several lines",
    files: {
      "values.yaml": "agent:\n  image: quay.io/acme/agent:1\n",
      "templates/pod.yaml": `${pod("main", "registry.k8s.io/pause:3")}      env: [{name: AGENT_IMAGE, value: "{{ .Values.agent.image }}"}]
      command:
        - sh
        - -c
        - |
          set -e
          run {{ .Values.agent.image }} --pull
`,
      "templates/config.yaml":
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: config}\ndata:\n  agent.yaml: |\n    agents:\n      - image: {{ .Values.agent.image }}\n",
    },
    moves: movesTo({ "quay.io/acme/agent:1": "quayio/acme/agent:1" }),
  },
  {
    name: "registry null, with a default registry beside it",
    files: podChart(
      "{{ with .Values.image }}{{ .registry | default .defaultRegistry }}/{{ .repository }}:{{ .tag }}{{ end }}",
      "image: {registry: ~, defaultRegistry: ghcr.io, repository: kyverno/kyverno, tag: v1.15}\n",
    ),
    moves: movesTo({ "ghcr.io/kyverno/kyverno:v1.15": "ghcrio/kyverno/kyverno:v1.15" }),
  },
  {
    name: "two images of one registry key",
    files: {
      "values.yaml":
        "image: {registry: quay.io, repository: acme/app, tag: v1}\ninit: {image: {repository: quay.io/acme/init, tag: v2}}\n",
      "templates/app.yaml": pod("app", mapImage),
      "templates/init.yaml": pod("init", "{{ .Values.init.image.repository }}:{{ .Values.init.image.tag }}"),
    },
    moves: movesTo({
      "quay.io/acme/app:v1": "quayio/acme/app:v1",
      "quay.io/acme/init:v2": "quayio/acme/init:v2",
    }),
  },
  {
    name: "a registry at the root that several images share",
    files: {
      "values.yaml":
        "registry: quay.io\none: {image: {repository: acme/one, tag: v1}}\ntwo: {image: {repository: acme/two, tag: v2}}\n",
      "templates/one.yaml": pod(
        "one",
        "{{ .Values.registry }}/{{ .Values.one.image.repository }}:{{ .Values.one.image.tag }}",
      ),
      "templates/two.yaml": pod(
        "two",
        "{{ .Values.registry }}/{{ .Values.two.image.repository }}:{{ .Values.two.image.tag }}",
      ),
    },
    moves: movesTo({
      "quay.io/acme/one:v1": "quayio/acme/one:v1",
      "quay.io/acme/two:v2": "quayio/acme/two:v2",
    }),
    override: `registry: ${target}/quayio\n`,
  },
];
