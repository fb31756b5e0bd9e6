import { describe, expect, test } from "vitest";
import { chartYaml } from "../../../test/support/chart-files.ts";
import { describeSite, discoverIn } from "../../../test/support/relocation.ts";

const hex = "1234".repeat(16);
const digest = `sha256:${hex}`;

interface Row {
  readonly name: string;
  readonly values: string;
  readonly found: readonly string[];
}

function rows(group: string, table: readonly Row[]): void {
  describe(group, () => {
    test.each(table)("$name", async ({ values, found }) => {
      const { sites, unparsable } = await discoverIn(values);
      expect(sites.map(describeSite)).toEqual(found);
      expect(unparsable).toEqual([]);
    });
  });
}

rows("the shapes of document 002, §6.1", [
  {
    name: "a map with registry, repository and tag",
    values: "image: {registry: quay.io, repository: org/app, tag: v1, pullPolicy: Always}",
    found: ["quay.io/org/app:v1 <- image.registry + image.repository"],
  },
  {
    name: "a map with repository and tag",
    values: "image: {repository: nginx, tag: '1.10'}",
    found: ["nginx:1.10 <- image.repository"],
  },
  {
    name: "such a map under any key",
    values: "sidecar: {repository: fluent/fluent-bit, tag: '3'}",
    found: ["fluent/fluent-bit:3 <- sidecar.repository"],
  },
  {
    name: "such a map at the root",
    values: "repository: nginx\ntag: '1'",
    found: ["nginx:1 <- repository"],
  },
  {
    name: "a string under image",
    values: "image: myrepo/myimage:tag",
    found: ["myrepo/myimage:tag <- image"],
  },
  {
    name: "a bare name under image",
    values: "image: nginx",
    found: ["nginx <- image"],
  },
  {
    name: "an image in a list of maps",
    values: "sidecars: [{name: log, image: quay.io/a/log:1}, {image: {repository: b, tag: '2'}}]",
    found: ["quay.io/a/log:1 <- sidecars[0].image", "b:2 <- sidecars[1].image.repository"],
  },
  {
    name: "an image in a list of lists",
    values: "groups: [[{image: quay.io/a/b:1}]]",
    found: ["quay.io/a/b:1 <- groups[0][0].image"],
  },
  {
    name: "a list of references under an image key",
    values: "extraImages: [quay.io/a/b:1, 'ghcr.io/c/d:2']",
    found: ["quay.io/a/b:1 <- extraImages[0]", "ghcr.io/c/d:2 <- extraImages[1]"],
  },
]);

rows("parts of a reference", [
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

rows("keys of real charts", [
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

rows("what is never an image", [
  { name: "URLs", values: "image: https://example.com/logo.png\nurl: https://quay.io/a/b:1", found: [] },
  {
    name: "Harbor's externalURL",
    values: "externalURL: https://core.harbor.domain\nexternalHost: core.harbor.domain",
    found: [],
  },
  {
    name: "repositories of Git and Helm",
    values: `gitRepository: github.com/org/repo
git: {repository: github.com/org/repo, tag: v1}
chartRepository: charts.example.com/stable
helm: {repository: 'https://charts.example.com', version: '1'}
source: {repoURL: 'git@github.com:org/repo.git', tag: v1}
templateRepository: {repository: org/templates, tag: v1}`,
    found: [],
  },
  {
    name: "a backup repository",
    values: "backup: {repository: s3-backups, schedule: daily}\nsnapshotRepository: nightly",
    found: [],
  },
  {
    name: "GraphDB: a repository without a tag",
    values: "graphdb: {repository: worker, ruleset: owl-horst}",
    found: [],
  },
  {
    name: "roleRef",
    values: "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: 'system:node'}",
    found: [],
  },
  {
    name: "pull policies and pull secrets",
    values: "imagePullPolicy: IfNotPresent\nimagePullSecrets: [{name: regcred}]\nimagePullSecret: regcred",
    found: [],
  },
  { name: "switches", values: "useImage: 'yes'\npullImage: always\nskipImages: 'true'", found: [] },
  { name: "hosts with ports", values: "database: db.example.com:5432\nendpoint: quay.io:443", found: [] },
  { name: "files and logos", values: "backgroundImage: img/back.png\nlogoImage: a/logo.svg", found: [] },
  { name: "prose", values: "notes: use quay.io/a/b:1 here\nimageHelp: 'the image, in full'", found: [] },
  { name: "several lines", values: "script: |\n  docker pull quay.io/a/b:1\n  run it\n", found: [] },
  { name: "an empty image", values: "image: ''\nother: {image: {repository: '', tag: ''}}", found: [] },
  { name: "a map where a name is expected", values: "image: {repository: {name: a}, tag: '1'}", found: [] },
  { name: "numbers and booleans", values: "image: 5\nother: {image: true}", found: [] },
  { name: "a label's key", values: "nodeSelector: {kubernetes.io/os: linux}", found: [] },
  { name: "an API version", values: "rbac: {apiVersion: rbac.authorization.k8s.io/v1}", found: [] },
]);

describe("template code in values", () => {
  test.each([
    ["a string image", "image: '{{ .Values.registry }}/app:1'", "image"],
    ["a repository", "image: {repository: '{{ .Values.repo }}', tag: '1'}", "image.repository"],
    ["a registry", "image: {registry: '{{ .Values.r }}', repository: a/b, tag: '1'}", "image.registry"],
    ["a tag", "image: {repository: quay.io/a/b, tag: '{{ .Chart.AppVersion }}'}", "image.tag"],
    ["a list entry", "sidecars: [{image: 'quay.io/a/b:{{ .Chart.AppVersion }}'}]", "sidecars[0].image"],
  ])("%s is reported with its path and never read", async (_name, values, valuePath) => {
    const { diagnostics, unparsable } = await discoverIn(values);
    expect(diagnostics).toMatchObject([
      { code: "template-in-value", where: { valuePath }, unsupported: true },
    ]);
    expect(unparsable).toEqual([]);
  });

  test("a template that makes no image is not reported", async () => {
    expect((await discoverIn("host: '{{ .Release.Name }}.example.com'")).diagnostics).toEqual([]);
  });
});

describe("unsupported structures of document 002, §6.1.1", () => {
  test.each([
    ["a float tag", "image: {repository: nginx, tag: 1.10}", "image.tag", "nginx:1.1"],
    ["an integer tag", "image: {repository: postgres, tag: 16}", "image.tag", "postgres:16"],
    ["a boolean tag", "image: {repository: a, tag: yes}", "image.tag", "a:true"],
    ["an integer tag beside a string", "image: quay.io/a/b\ntag: 3", "tag", "quay.io/a/b:3"],
    ["split keys", "image: {name: app, tag: '1'}", "image", "app:1"],
    ["prefixed keys", "workerImageRepository: a/b\nworkerImageTag: '1'", "", "a/b:1"],
  ])("%s is found, and reported", async (_name, values, valuePath, text) => {
    const { sites, diagnostics } = await discoverIn(values);
    expect(sites.map((site) => site.text)).toEqual([text]);
    expect(diagnostics).toMatchObject([
      { code: "unsupported-structure", where: { valuePath }, unsupported: true },
    ]);
  });

  test.each([
    ["registry, repository, tag", "image: {registry: quay.io, repository: a/b, tag: '1'}"],
    ["a string", "image: a/b:1"],
    ["a quoted number", "image: {repository: a, tag: '16'}"],
  ])("%s is supported", async (_name, values) => {
    expect((await discoverIn(values)).diagnostics).toEqual([]);
  });
});

describe("unparsable references", () => {
  test.each([
    ["two colons", "image: 'invalid::image'", "image", "invalid::image"],
    ["capitals in a path", "image: Nginx:1", "image", "Nginx:1"],
    ["a repository with capitals", "image: {repository: a/B, tag: '1'}", "image.repository", "a/B:1"],
    ["a host without a path", "image: quay.io/", "image", "quay.io/"],
  ])("%s", async (_name, values, path, text) => {
    const { sites, unparsable, diagnostics } = await discoverIn(values);
    expect(sites).toEqual([]);
    expect(unparsable).toMatchObject([{ path: path.split("."), text }]);
    expect(diagnostics).toMatchObject([
      {
        code: "reference-unparsable",
        severity: "warning",
        message: `Cannot parse image reference '${text}': invalid format`,
        where: { valuePath: path },
        unsupported: true,
      },
    ]);
  });

  test("a tag that is none is reported, and the image still found", async () => {
    const { sites, unparsable, diagnostics } = await discoverIn("image: {repository: a/b, tag: v1+build}");
    expect(sites.map(describeSite)).toEqual(["a/b:v1+build <- image.repository"]);
    expect(unparsable).toEqual([]);
    expect(diagnostics).toMatchObject([
      { message: "Cannot parse image reference 'a/b:v1+build': invalid format" },
    ]);
  });
});

const subcharts = {
  "Chart.yaml": chartYaml(
    "app",
    `dependencies:
- {name: redis, version: 1.x.x, condition: redis.enabled}
- {name: redis, version: 1.x.x, alias: cache}
`,
  ),
  "charts/redis/Chart.yaml": chartYaml("redis"),
  "charts/redis/values.yaml": "image: {registry: docker.io, repository: bitnami/redis, tag: '7'}\n",
  "charts/redis/charts/metrics/Chart.yaml": chartYaml("metrics"),
  "charts/redis/charts/metrics/values.yaml": "image: quay.io/a/metrics:1\n",
};

describe("subcharts", () => {
  test("each alias has its images, three levels deep, and a disabled one is marked", async () => {
    const { sites } = await discoverIn("redis: {enabled: false}\n", { files: subcharts });
    expect(sites.map((site) => [describeSite(site), site.enabled])).toEqual([
      ["docker.io/bitnami/redis:7 <- redis.image.registry + redis.image.repository", false],
      ["quay.io/a/metrics:1 <- redis.metrics.image", false],
      ["docker.io/bitnami/redis:7 <- cache.image.registry + cache.image.repository", true],
      ["quay.io/a/metrics:1 <- cache.metrics.image", true],
    ]);
  });

  test("a parent's value beats the subchart's", async () => {
    const values = "redis: {image: {repository: me/redis}}\ncache: {metrics: {image: ghcr.io/me/m:2}}\n";
    const { sites } = await discoverIn(values, { files: subcharts });
    expect(sites.map(describeSite)).toEqual([
      "docker.io/me/redis:7 <- redis.image.registry + redis.image.repository",
      "quay.io/a/metrics:1 <- redis.metrics.image",
      "ghcr.io/me/m:2 <- cache.metrics.image",
      "docker.io/bitnami/redis:7 <- cache.image.registry + cache.image.repository",
    ]);
  });

  test("an image among the globals is found once", async () => {
    const { sites } = await discoverIn("global: {image: {repository: quay.io/a/b, tag: '1'}}\n", {
      files: subcharts,
    });
    expect(sites.filter(({ text }) => text === "quay.io/a/b:1").map(describeSite)).toEqual([
      "quay.io/a/b:1 <- global.image.repository",
    ]);
  });

  test("an image that a subchart adds to the globals is its own", async () => {
    const files = {
      "charts/web/Chart.yaml": chartYaml("web"),
      "charts/web/values.yaml": "global: {jobImage: quay.io/a/job:1}\n",
    };
    const { sites } = await discoverIn("global: {jobs: true}\n", { files });
    expect(sites.map(describeSite)).toEqual(["quay.io/a/job:1 <- web.global.jobImage"]);
  });

  test("what a subchart adds to the globals of its own subchart is found once", async () => {
    const files = {
      "charts/web/Chart.yaml": chartYaml("web"),
      "charts/web/values.yaml": "global: {jobImage: quay.io/a/job:1}\n",
      "charts/web/charts/api/Chart.yaml": chartYaml("api"),
    };
    const { sites } = await discoverIn("", { files });
    expect(sites.map(describeSite)).toEqual(["quay.io/a/job:1 <- web.global.jobImage"]);
  });

  test("a subchart's images take the registry of the globals", async () => {
    const files = {
      "charts/web/Chart.yaml": chartYaml("web"),
      "charts/web/values.yaml": "image: {registry: '', repository: web, tag: '1'}\n",
    };
    const { sites } = await discoverIn("global: {imageRegistry: quay.io}\n", { files });
    expect(sites.map(describeSite)).toEqual(["quay.io/web:1 <- global.imageRegistry + web.image.repository"]);
  });
});

describe("names of the user's configuration", () => {
  test("make a leaf an image whatever its key is", async () => {
    const { sites } = await discoverIn("runner: {ref: acme/runner:1, other: acme/other:1}", {
      isNamedImage: (path) => path === "runner.ref",
    });
    expect(sites.map(describeSite)).toEqual(["acme/runner:1 <- runner.ref"]);
  });
});

test("keys such as __proto__ and constructor are keys like others", async () => {
  const { sites } = await discoverIn(
    "__proto__: {image: quay.io/a/b:1}\nconstructor: {image: {repository: quay.io/c/d, tag: '1'}}",
  );
  expect(sites.map(({ text }) => text)).toEqual(["quay.io/a/b:1", "quay.io/c/d:1"]);
});
