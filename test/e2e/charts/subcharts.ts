import { chartYaml } from "../../support/chart-files.ts";
import { mapImage, movesTo, pod, target, type ChartCase } from "./chart-case.ts";

const globalImage =
  "{{ (.Values.global).imageRegistry | default .Values.image.registry }}/{{ .Values.image.repository }}:{{ .Values.image.tag }}";

function subchart(name: string, values: string, image: string = mapImage): Readonly<Record<string, string>> {
  return {
    [`charts/${name}/Chart.yaml`]: chartYaml(name),
    [`charts/${name}/values.yaml`]: values,
    [`charts/${name}/templates/pod.yaml`]: pod("{{ .Release.Name }}-{{ .Chart.Name }}", image),
  };
}

function dependencies(...lines: readonly string[]): string {
  return `dependencies:\n${lines.map((line) => `  - {version: 1.x.x, ${line}}\n`).join("")}`;
}

export const subchartCases: readonly ChartCase[] = [
  {
    name: "three levels",
    files: {
      "Chart.yaml": chartYaml("parent", dependencies("name: child")),
      "values.yaml": "image: {registry: docker.io, repository: acme/parent, tag: v1}\n",
      "templates/pod.yaml": pod("parent", mapImage),
      ...subchart("child", "image: {registry: quay.io, repository: acme/child, tag: v2}\n"),
      "charts/child/Chart.yaml": chartYaml("child", dependencies("name: grandchild")),
      ...Object.fromEntries(
        Object.entries(subchart("grandchild", "image: {repository: ghcr.io/acme/grandchild, tag: v3}\n")).map(
          ([file, text]) => [`charts/child/${file}`, text],
        ),
      ),
    },
    moves: movesTo({
      "docker.io/acme/parent:v1": "dockerio/acme/parent:v1",
      "quay.io/acme/child:v2": "quayio/acme/child:v2",
      "ghcr.io/acme/grandchild:v3": "ghcrio/acme/grandchild:v3",
    }),
    override: `image:
  registry: ${target}/dockerio
child:
  image:
    registry: ${target}/quayio
  grandchild:
    image:
      repository: ${target}/ghcrio/acme/grandchild
`,
  },
  {
    name: "one chart under two aliases, one with values of the parent",
    files: {
      "Chart.yaml": chartYaml(
        "parent",
        dependencies("name: queue, alias: orders", "name: queue, alias: mail"),
      ),
      "values.yaml": "mail: {image: {registry: ghcr.io, repository: acme/mail-queue}}\n",
      ...subchart("queue", "image: {registry: quay.io, repository: acme/queue, tag: v1}\n"),
    },
    moves: movesTo({
      "quay.io/acme/queue:v1": "quayio/acme/queue:v1",
      "ghcr.io/acme/mail-queue:v1": "ghcrio/acme/mail-queue:v1",
    }),
  },
  {
    name: "the parent's value beats the subchart's default",
    files: {
      "Chart.yaml": chartYaml("parent", dependencies("name: child")),
      "values.yaml": "child: {image: {repository: acme/patched}}\n",
      ...subchart("child", "image: {registry: quay.io, repository: acme/child, tag: v2}\n"),
    },
    moves: movesTo({ "quay.io/acme/patched:v2": "quayio/acme/patched:v2" }),
  },
  {
    name: "hub of global and the subchart's name",
    files: {
      "Chart.yaml": chartYaml("parent", dependencies("name: pilot")),
      "values.yaml": "global: {hub: docker.io/istio, tag: 1.27.0}\n",
      ...subchart(
        "pilot",
        "image: pilot\n",
        "{{ .Values.global.hub }}/{{ .Values.image }}:{{ .Values.global.tag }}",
      ),
    },
    moves: movesTo({ "docker.io/istio/pilot:1.27.0": "dockerio/istio/pilot:1.27.0" }),
  },
  {
    name: "a global registry that is empty moves nothing but each image its own way",
    files: {
      "Chart.yaml": chartYaml("parent", dependencies("name: one", "name: two")),
      "values.yaml": 'global: {imageRegistry: ""}\n',
      ...subchart("one", "image: {registry: quay.io, repository: acme/one, tag: v1}\n", globalImage),
      ...subchart("two", "image: {registry: ghcr.io, repository: acme/two, tag: v2}\n", globalImage),
    },
    moves: movesTo({
      "quay.io/acme/one:v1": "quayio/acme/one:v1",
      "ghcr.io/acme/two:v2": "ghcrio/acme/two:v2",
    }),
  },
  {
    name: "a global registry from which images without one inherit",
    files: {
      "Chart.yaml": chartYaml("parent", dependencies("name: one")),
      "values.yaml": "global: {imageRegistry: quay.io}\n",
      ...subchart(
        "one",
        "image: {repository: acme/one, tag: v1}\n",
        "{{ .Values.global.imageRegistry }}/{{ .Values.image.repository }}:{{ .Values.image.tag }}",
      ),
    },
    moves: movesTo({ "quay.io/acme/one:v1": "quayio/acme/one:v1" }),
  },
  {
    name: "import-values",
    files: {
      "Chart.yaml": chartYaml("parent", dependencies("name: child, import-values: [images]")),
      "values.yaml": "{}\n",
      "templates/pod.yaml": pod("parent", "{{ .Values.agent.image }}"),
      ...subchart(
        "child",
        "exports: {images: {agent: {image: quay.io/acme/agent:1}}}\nimage: {repository: acme/child, tag: v1}\n",
      ),
    },
    moves: movesTo({
      "quay.io/acme/agent:1": "quayio/acme/agent:1",
      "acme/child:v1": "dockerio/acme/child:v1",
    }),
  },
  {
    name: "import-values from child to parent",
    files: {
      "Chart.yaml": chartYaml(
        "parent",
        dependencies("name: child, import-values: [{child: image, parent: copied}]"),
      ),
      "values.yaml": "{}\n",
      "templates/pod.yaml": pod(
        "parent",
        "{{ .Values.copied.registry }}/{{ .Values.copied.repository }}:parent",
      ),
      ...subchart("child", "image: {registry: quay.io, repository: acme/child, tag: v1}\n"),
    },
    moves: movesTo({ "quay.io/acme/child": "quayio/acme/child" }),
  },
  {
    name: "a subchart that its condition switches off is covered for the day it is on",
    files: {
      "Chart.yaml": chartYaml("parent", dependencies("name: search, condition: search.enabled")),
      "values.yaml": "search: {enabled: false}\n",
      "templates/pod.yaml": pod("parent", "docker.io/acme/fixed:1"),
      ...subchart("search", "image: {registry: quay.io, repository: acme/search, tag: v1}\n"),
    },
    flags: ["--exclude-registries", "docker.io"],
    moves: {},
    override: `search:\n  image:\n    registry: ${target}/quayio\n`,
  },
  {
    name: "a condition that the user's values switch on",
    files: {
      "Chart.yaml": chartYaml(
        "parent",
        dependencies("name: search, condition: search.enabled", "name: tracing, tags: [observe]"),
      ),
      "values.yaml": "search: {enabled: false}\ntags: {observe: false}\n",
      ...subchart("search", "image: {registry: quay.io, repository: acme/search, tag: v1}\n"),
      ...subchart("tracing", "image: quay.io/acme/tracing:3\n", "{{ .Values.image }}"),
    },
    valueFlags: ["--set", "search.enabled=true,tags.observe=true"],
    moves: movesTo({
      "quay.io/acme/search:v1": "quayio/acme/search:v1",
      "quay.io/acme/tracing:3": "quayio/acme/tracing:3",
    }),
    override: `search:\n  image:\n    registry: ${target}/quayio\ntracing:\n  image: ${target}/quayio/acme/tracing:3\n`,
  },
];
