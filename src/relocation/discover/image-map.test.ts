import { describeFound } from "../../../test/support/found-images.ts";

const hex = "1234".repeat(16);
const digest = `sha256:${hex}`;

describeFound("parts of a reference", [
  {
    name: "a digest beside the tag",
    values: `image: {registry: quay.io, repository: a/b, tag: v1, digest: '${digest}'}`,
    found: [`quay.io/a/b:v1@${digest} <- image.registry + image.repository`],
  },
  {
    name: "a digest and an empty tag",
    values: `image: {repository: quay.io/a/b, tag: '', digest: '${digest}'}`,
    found: [`quay.io/a/b@${digest} <- image.repository`],
  },
  {
    name: "bare hex under sha",
    values: `image: {registry: quay.io, repository: a/b, tag: v1, sha: '${hex}'}`,
    found: [`quay.io/a/b:v1@${digest} <- image.registry + image.repository`],
  },
  {
    name: "an empty digest",
    values: "image: {registry: docker.io, repository: bitnami/redis, tag: '7', digest: ''}",
    found: ["docker.io/bitnami/redis:7 <- image.registry + image.repository"],
  },
  {
    name: "name, tag and digest in one string",
    values: `image: quay.io/a/b:v1@${digest}`,
    found: [`quay.io/a/b:v1@${digest} <- image`],
  },
  {
    name: "the host inside repository",
    values: "image: {repository: registry.k8s.io/sig/app, tag: v1}",
    found: ["registry.k8s.io/sig/app:v1 <- image.repository"],
  },
  {
    name: "the host inside repository beside a registry key",
    values: "image: {registry: ghcr.io, repository: registry.k8s.io/sig/app, tag: v1}",
    found: ["registry.k8s.io/sig/app:v1 <- image.repository"],
  },
  {
    name: "registry.hub.docker.com inside repository",
    values: "image: {repository: registry.hub.docker.com/library/redis, tag: '7'}",
    found: ["registry.hub.docker.com/library/redis:7 <- image.repository"],
  },
  {
    name: "a port in the registry",
    values: "image: {registry: 'r.lan:5000', repository: a/b, tag: '1'}",
    found: ["r.lan:5000/a/b:1 <- image.registry + image.repository"],
  },
  {
    name: "an empty registry",
    values: "image: {registry: '', repository: a/b, tag: '1'}",
    found: ["a/b:1 <- image.registry + image.repository"],
  },
  {
    name: "a null registry with a default beside it",
    values: "image: {registry: ~, defaultRegistry: reg.kyverno.io, repository: kyverno/kyverno, tag: v1}",
    found: ["reg.kyverno.io/kyverno/kyverno:v1 <- image.registry + image.repository"],
  },
  {
    name: "a registry that ends in a slash",
    values: "image: {registry: quay.io/, repository: a/b, tag: '1'}",
    found: ["quay.io/a/b:1 <- image.registry + image.repository"],
  },
  {
    name: "a registry with a path",
    values: "image: {registry: ghcr.io/org, repository: app, tag: '1'}",
    found: ["ghcr.io/org/app:1 <- image.registry + image.repository"],
  },
  {
    name: "a null tag, which the chart makes from appVersion",
    values: "image: {repository: quay.io/a/b, tag: ~}",
    found: ["quay.io/a/b <- image.repository"],
  },
  {
    name: "repository alone in a map called image",
    values: "image: {repository: quay.io/a/b}",
    found: ["quay.io/a/b <- image.repository"],
  },
  {
    name: "repository holds the tag",
    values: "image: {repository: 'quay.io/a/b:v1'}",
    found: ["quay.io/a/b:v1 <- image.repository"],
  },
  {
    name: "repository ends in @sha256 and the hex is the tag",
    values: `image: {repository: quay.io/a/b@sha256, tag: '${hex}'}`,
    found: [`quay.io/a/b@${digest} <- image.repository`],
  },
  {
    name: "capitals in a tag, underscores and 128 characters",
    values: `image: {repository: a/b, tag: '${"V_".repeat(64)}'}`,
    found: [`a/b:${"V_".repeat(64)} <- image.repository`],
  },
]);

describeFound("keys of real charts", [
  {
    name: "cilium: suffixes and digests of its own",
    values: `operator: {image: {override: ~, repository: quay.io/cilium/operator, tag: v1, suffix: '', genericDigest: '${digest}', useDigest: true}}`,
    found: ["quay.io/cilium/operator:v1 <- operator.image.repository"],
  },
  {
    name: "cilium: a full reference under override",
    values: "image: {override: 'quay.io/me/cilium:dev', repository: quay.io/cilium/cilium, tag: v1}",
    found: ["quay.io/cilium/cilium:v1 <- image.repository", "quay.io/me/cilium:dev <- image.override"],
  },
  {
    name: "ingress-nginx: image beside the global registry",
    values: `global: {image: {registry: registry.k8s.io}}
controller: {image: {chroot: false, image: ingress-nginx/controller, tag: v1, digest: '${digest}', pullPolicy: IfNotPresent}}`,
    found: [
      `registry.k8s.io/ingress-nginx/controller:v1@${digest} <- global.image.registry + controller.image.image`,
    ],
  },
  {
    name: "ingress-nginx: image beside its own registry",
    values: "controller: {image: {registry: registry.k8s.io, image: ingress-nginx/controller, tag: v1}}",
    found: [
      "registry.k8s.io/ingress-nginx/controller:v1 <- controller.image.registry + controller.image.image",
    ],
  },
  {
    name: "cert-manager: registry, namespace and name",
    values: `imageRegistry: quay.io
imageNamespace: jetstack
image: {name: cert-manager-controller, pullPolicy: IfNotPresent}
webhook: {image: {name: cert-manager-webhook, pullPolicy: IfNotPresent}}`,
    found: [
      "quay.io/jetstack/cert-manager-controller <- imageRegistry + imageNamespace + image.name",
      "quay.io/jetstack/cert-manager-webhook <- imageRegistry + imageNamespace + webhook.image.name",
    ],
  },
  {
    name: "argo-cd: empty repositories fall back to the global one",
    values: `global: {image: {repository: quay.io/argoproj/argocd, tag: ''}}
server: {image: {repository: '', tag: '', imagePullPolicy: ''}}
repoServer: {image: {repository: '', tag: ''}}`,
    found: ["quay.io/argoproj/argocd <- global.image.repository"],
  },
  {
    name: "redis-ha: a string image with a tag beside it",
    values: "exporter: {enabled: false, image: ghcr.io/oliver006/redis_exporter, tag: v1.75.0}",
    found: ["ghcr.io/oliver006/redis_exporter:v1.75.0 <- exporter.image"],
  },
  {
    name: "a string image with imageTag beside it",
    values: "image: ghcr.io/a/b\nimageTag: v2",
    found: ["ghcr.io/a/b:v2 <- image"],
  },
  {
    name: "kube-prometheus-stack: images under keys that end in Image",
    values: `prometheusOperator:
  image: {registry: quay.io, repository: prometheus-operator/prometheus-operator, tag: '', sha: ''}
  thanosImage: {registry: quay.io, repository: thanos/thanos, tag: v0.37, sha: ''}`,
    found: [
      "quay.io/prometheus-operator/prometheus-operator <- prometheusOperator.image.registry + prometheusOperator.image.repository",
      "quay.io/thanos/thanos:v0.37 <- prometheusOperator.thanosImage.registry + prometheusOperator.thanosImage.repository",
    ],
  },
  {
    name: "longhorn: images under keys of their own",
    values:
      "image: {longhorn: {engine: {registry: docker.io, repository: longhornio/longhorn-engine, tag: v1}}}",
    found: [
      "docker.io/longhornio/longhorn-engine:v1 <- image.longhorn.engine.registry + image.longhorn.engine.repository",
    ],
  },
  {
    name: "istio: hub and name",
    values: "_internal_defaults_do_not_set: {hub: docker.io/istio, tag: '1.24', image: pilot}",
    found: [
      "docker.io/istio/pilot:1.24 <- _internal_defaults_do_not_set.hub + _internal_defaults_do_not_set.image",
    ],
  },
  {
    name: "istio: global hub and name",
    values: "global: {hub: docker.io/istio, tag: '1.24'}\npilot: {image: pilot, tag: ''}",
    found: ["docker.io/istio/pilot <- global.hub + pilot.image"],
  },
  {
    name: "istio: a full reference as image",
    values: "global: {hub: docker.io/istio}\npilot: {image: quay.io/me/pilot:dev}",
    found: ["quay.io/me/pilot:dev <- pilot.image"],
  },
  {
    name: "gpu-operator: repository, image and version",
    values:
      "driver: {manager: {image: k8s-driver-manager, repository: nvcr.io/nvidia/cloud-native, version: v0.7}}",
    found: [
      "nvcr.io/nvidia/cloud-native/k8s-driver-manager:v0.7 <- driver.manager.repository + driver.manager.image",
    ],
  },
  {
    name: "consul: strings, and null where one falls back",
    values:
      "global: {image: 'hashicorp/consul:1.20', imageK8S: 'hashicorp/consul-k8s:1.6'}\nserver: {image: ~}",
    found: ["hashicorp/consul:1.20 <- global.image", "hashicorp/consul-k8s:1.6 <- global.imageK8S"],
  },
  {
    name: "Bitnami: an empty global registry",
    values: `global: {imageRegistry: ''}
image: {registry: registry-1.docker.io, repository: bitnami/redis, tag: latest, digest: ''}`,
    found: ["registry-1.docker.io/bitnami/redis:latest <- image.registry + image.repository"],
  },
  {
    name: "Bitnami: a global registry beats an empty one",
    values: "global: {imageRegistry: quay.io}\nimage: {registry: '', repository: bitnami/redis, tag: '1'}",
    found: ["quay.io/bitnami/redis:1 <- global.imageRegistry + image.repository"],
  },
  {
    name: "Bitnami: a global registry beats the image's own",
    values:
      "global: {imageRegistry: quay.io}\nimage: {registry: docker.io, repository: bitnami/redis, tag: '1'}",
    found: ["quay.io/bitnami/redis:1 <- global.imageRegistry + image.repository"],
  },
  {
    name: "calico: registry, image and version",
    values: "tigeraOperator: {image: tigera/operator, version: v1.36, registry: quay.io}",
    found: ["quay.io/tigera/operator:v1.36 <- tigeraOperator.registry + tigeraOperator.image"],
  },
  {
    name: "jenkins: repository without a registry",
    values: "agent: {image: {repository: jenkins/inbound-agent, tag: 3206.v1}}",
    found: ["jenkins/inbound-agent:3206.v1 <- agent.image.repository"],
  },
  {
    name: "image.repo",
    values: "image: {repo: quay.io/a/b, tag: '1'}",
    found: ["quay.io/a/b:1 <- image.repo"],
  },
  {
    name: "image.name as a full reference",
    values: "image: {name: 'quay.io/a/b:1', pullPolicy: Always}",
    found: ["quay.io/a/b:1 <- image.name"],
  },
  {
    name: "repository and name",
    values: "image: {repository: quay.io/org, name: app, tag: '1'}",
    found: ["quay.io/org/app:1 <- image.repository + image.name"],
  },
  {
    name: "registry and name",
    values: "image: {registry: quay.io, name: org/app, tag: '1'}",
    found: ["quay.io/org/app:1 <- image.registry + image.name"],
  },
  {
    name: "prefixed keys",
    values: "operatorImageRepository: quay.io/a/operator\noperatorImageTag: v1",
    found: ["quay.io/a/operator:v1 <- operatorImageRepository"],
  },
  {
    name: "imageRepository and imageTag",
    values: "controller: {imageRepository: quay.io/a/b, imageTag: v1}",
    found: ["quay.io/a/b:v1 <- controller.imageRepository"],
  },
  {
    name: "snake and kebab case",
    values:
      "a: {image_repository: quay.io/a/b, image_tag: v1}\nb: {image-repository: quay.io/c/d, image-tag: v2}",
    found: ["quay.io/a/b:v1 <- a.image_repository", "quay.io/c/d:v2 <- b.image-repository"],
  },
  {
    name: "a full reference under any image key",
    values: "busyboxImage: docker.io/busybox:1\ninitImage: quay.io/a/init:2\njobImageRef: ghcr.io/a/job:3",
    found: [
      "docker.io/busybox:1 <- busyboxImage",
      "quay.io/a/init:2 <- initImage",
      "ghcr.io/a/job:3 <- jobImageRef",
    ],
  },
  {
    name: "a full reference in a map called images",
    values: "images: {hub: quay.io/a/hub:1, agent: 'ghcr.io/b/agent:2'}",
    found: ["quay.io/a/hub:1 <- images.hub", "ghcr.io/b/agent:2 <- images.agent"],
  },
  {
    name: "a full reference of a known registry under any key",
    values: "config: {runner: 'quay.io/a/runner:1'}",
    found: ["quay.io/a/runner:1 <- config.runner"],
  },
  {
    name: "an argument after a flag",
    values: "args: ['--verbose', '--image=quay.io/a/b:1']",
    found: ["quay.io/a/b:1 <- args[1]"],
  },
  {
    name: "an environment variable in a list",
    values: "env: [{name: JOB_IMAGE, value: 'quay.io/a/job:1'}]",
    found: ["quay.io/a/job:1 <- env[0].value"],
  },
]);
