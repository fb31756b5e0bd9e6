import { chartYaml } from "../../support/chart-files.ts";
import { mapImage, movesTo, pod, podChart, target, type ChartCase } from "./chart-case.ts";

const hex = "c1".repeat(32);

/** How well-known charts put an image together, each reduced to its smallest form. */
export const patternCases: readonly ChartCase[] = [
  {
    name: "a suffix and one of two digests, picked by a helper (cilium)",
    files: {
      "values.yaml": `operator:\n  image: {repository: quay.io/cilium/operator, tag: v1.18.2, suffix: "", genericDigest: "sha256:${hex}", awsDigest: "", useDigest: true}\n`,
      "templates/pod.yaml": pod(
        "operator",
        "{{ with .Values.operator.image }}{{ .repository }}-generic{{ .suffix }}:{{ .tag }}{{ if .useDigest }}@{{ .genericDigest }}{{ end }}{{ end }}",
      ),
    },
    moves: movesTo({
      [`quay.io/cilium/operator-generic:v1.18.2@sha256:${hex}`]: `quayio/cilium/operator-generic:v1.18.2@sha256:${hex}`,
    }),
  },
  {
    name: "a full reference that beats everything, unset (cilium)",
    files: podChart(
      '{{ .Values.image.override | default (printf "%s:%s" .Values.image.repository .Values.image.tag) }}',
      "image: {override: ~, repository: quay.io/cilium/cilium, tag: v1.18.2}\n",
    ),
    moves: movesTo({ "quay.io/cilium/cilium:v1.18.2": "quayio/cilium/cilium:v1.18.2" }),
  },
  {
    name: "image beside registry, with a default registry under global (ingress-nginx)",
    files: podChart(
      "{{ .Values.controller.image.registry | default .Values.global.image.registry }}/{{ .Values.controller.image.image }}{{ if .Values.controller.image.chroot }}-chroot{{ end }}:{{ .Values.controller.image.tag }}",
      "global: {image: {registry: ghcr.io}}\ncontroller: {image: {chroot: true, image: ingress-nginx/controller, tag: v1.14}}\n",
    ),
    moves: movesTo({
      "ghcr.io/ingress-nginx/controller-chroot:v1.14": "ghcrio/ingress-nginx/controller-chroot:v1.14",
    }),
  },
  {
    name: "registry and namespace at the root, the name in each image (cert-manager)",
    files: {
      "values.yaml":
        "imageRegistry: quay.io\nimageNamespace: jetstack\nimage: {name: controller, tag: v1.19}\nacmesolver: {image: {name: acmesolver, tag: v1.19}}\n",
      "templates/pod.yaml": `${pod("controller", "{{ .Values.imageRegistry }}/{{ .Values.imageNamespace }}/{{ .Values.image.name }}:{{ .Values.image.tag }}")}      args: ["--acme-image={{ .Values.imageRegistry }}/{{ .Values.imageNamespace }}/{{ .Values.acmesolver.image.name }}:{{ .Values.acmesolver.image.tag }}"]\n`,
    },
    moves: movesTo({
      "quay.io/jetstack/controller:v1.19": "quayio/jetstack/controller:v1.19",
      "quay.io/jetstack/acmesolver:v1.19": "quayio/jetstack/acmesolver:v1.19",
    }),
    override: `imageRegistry: ${target}/quayio\n`,
  },
  {
    name: "empty repositories that fall back to the global one (argo-cd)",
    files: {
      "values.yaml":
        'global: {image: {repository: quay.io/argoproj/argocd, tag: ""}}\nserver: {image: {repository: "", tag: ""}}\nrepoServer: {image: {repository: "", tag: ""}}\n',
      "Chart.yaml": chartYaml("argo", "appVersion: v3.2.0\n"),
      "templates/server.yaml": pod(
        "server",
        "{{ .Values.server.image.repository | default .Values.global.image.repository }}:{{ .Values.server.image.tag | default .Chart.AppVersion }}",
      ),
      "templates/repo.yaml": pod(
        "repo",
        "{{ .Values.repoServer.image.repository | default .Values.global.image.repository }}:{{ .Values.repoServer.image.tag | default .Chart.AppVersion }}",
      ),
    },
    moves: movesTo({ "quay.io/argoproj/argocd:v3.2.0": "quayio/argoproj/argocd:v3.2.0" }),
    override: `global:\n  image:\n    repository: ${target}/quayio/argoproj/argocd\n`,
  },
  {
    name: "images in a custom resource and in arguments (kube-prometheus-stack)",
    files: {
      "values.yaml": `global: {imageRegistry: ""}\nprometheusOperator:\n  thanosImage: {registry: quay.io, repository: thanos/thanos, tag: v0.40, sha: ""}\nprometheusSpec:\n  image: {registry: quay.io, repository: prometheus/prometheus, tag: v3.7, sha: "${hex}"}\n`,
      "templates/operator.yaml": `${pod("operator", "registry.k8s.io/pause:3")}      args:\n        - --thanos-default-base-image={{ with .Values.prometheusOperator.thanosImage }}{{ $.Values.global.imageRegistry | default .registry }}/{{ .repository }}:{{ .tag }}{{ end }}\n`,
      "templates/prometheus.yaml":
        'apiVersion: monitoring.coreos.com/v1\nkind: Prometheus\nmetadata: {name: prometheus}\nspec:\n  image: "{{ with .Values.prometheusSpec.image }}{{ $.Values.global.imageRegistry | default .registry }}/{{ .repository }}:{{ .tag }}@sha256:{{ .sha }}{{ end }}"\n',
    },
    moves: movesTo({
      "quay.io/thanos/thanos:v0.40": "quayio/thanos/thanos:v0.40",
      [`quay.io/prometheus/prometheus:v3.7@sha256:${hex}`]: `quayio/prometheus/prometheus:v3.7@sha256:${hex}`,
    }),
  },
  {
    name: "images in the environment and a float tag (longhorn)",
    files: {
      "values.yaml":
        "image:\n  longhorn: {engine: {repository: docker.io/longhornio/engine, tag: v1.10}}\n  csi: {attacher: {repository: longhornio/csi-attacher, tag: 4.10}}\n",
      "templates/pod.yaml": `${pod("driver", "{{ .Values.image.longhorn.engine.repository }}:{{ .Values.image.longhorn.engine.tag }}")}      env:\n        - name: CSI_ATTACHER_IMAGE\n          value: "{{ .Values.image.csi.attacher.repository }}:{{ .Values.image.csi.attacher.tag }}"\n`,
    },
    moves: movesTo({
      "docker.io/longhornio/engine:v1.10": "dockerio/longhornio/engine:v1.10",
      "longhornio/csi-attacher:4.1": "dockerio/longhornio/csi-attacher:4.1",
    }),
  },
  {
    name: "a template in a ConfigMap (jenkins)",
    files: {
      "values.yaml":
        "agent: {image: {repository: docker.io/jenkins/inbound-agent, tag: 3355.v1}}\nconfig: |\n  image: {{ .Values.agent.image.repository }}:{{ .Values.agent.image.tag }}\n",
      "templates/config.yaml":
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: config}\ndata:\n  jenkins.yaml: |\n{{ tpl .Values.config . | indent 4 }}\n",
    },
    moves: movesTo({ "docker.io/jenkins/inbound-agent:3355.v1": "dockerio/jenkins/inbound-agent:3355.v1" }),
  },
  {
    name: "several lines of versions in one value (strimzi)",
    files: {
      "values.yaml": "kafka:\n  image: {registry: quay.io, repository: strimzi/kafka, tag: 0.48-kafka}\n",
      "templates/pod.yaml": `${pod("operator", "registry.k8s.io/pause:3")}      env:\n        - name: KAFKA_IMAGES\n          value: |\n            {{- with .Values.kafka.image }}\n            4.0.0={{ .registry }}/{{ .repository }}:{{ .tag }}-4.0.0\n            4.1.0={{ .registry }}/{{ .repository }}:{{ .tag }}-4.1.0\n            {{- end }}\n`,
    },
    moves: movesTo({
      "quay.io/strimzi/kafka:0.48-kafka-4.0.0": "quayio/strimzi/kafka:0.48-kafka-4.0.0",
      "quay.io/strimzi/kafka:0.48-kafka-4.1.0": "quayio/strimzi/kafka:0.48-kafka-4.1.0",
    }),
  },
  {
    name: "a schema that refuses every other key",
    files: {
      ...podChart(
        "{{ .Values.image.repository }}:{{ .Values.image.tag }}",
        "image: {repository: quay.io/acme/app, tag: v1}\n",
      ),
      "values.schema.json": JSON.stringify({
        type: "object",
        additionalProperties: false,
        properties: {
          image: {
            type: "object",
            additionalProperties: false,
            properties: { repository: { type: "string" }, tag: { type: "string" } },
          },
        },
      }),
    },
    moves: movesTo({ "quay.io/acme/app:v1": "quayio/acme/app:v1" }),
  },
  {
    name: "no values.yaml, and no image",
    files: { "templates/config.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: config}\n" },
    moves: {},
    override: "{}\n",
    says: ["100% images matched (0/0)"],
  },
  {
    name: "the old host of Docker Hub inside the repository",
    files: podChart(mapImage, 'image: {repository: registry.hub.docker.com/library/redis, tag: "7"}\n'),
    moves: movesTo({ "registry.hub.docker.com/library/redis:7": "dockerio/library/redis:7" }),
  },
];
