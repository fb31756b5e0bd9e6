import { movesTo, pod, podChart, target, type ChartCase } from "./chart-case.ts";

const templated = podChart("{{ tpl .Values.image . }}", 'image: "quay.io/acme/app:{{ .Chart.Version }}"\n');
const templatedMoves = movesTo({ "quay.io/acme/app:1.0.0": "quayio/acme/app:1.0.0" });

/** Images whose values only a rendering tells. */
export const tracedCases: readonly ChartCase[] = [
  {
    name: "a default inside a helper, with the value unset",
    files: {
      "values.yaml": "agent: {tag: v1}\n",
      "templates/_helpers.tpl":
        '{{ define "agent.image" }}{{ .Values.agent.repository | default "quay.io/acme/agent" }}:{{ .Values.agent.tag }}{{ end }}\n',
      "templates/pod.yaml": pod("agent", '{{ include "agent.image" . }}'),
    },
    moves: movesTo({ "quay.io/acme/agent:v1": "quayio/acme/agent:v1" }),
    override: `agent:\n  repository: ${target}/quayio/acme/agent\n`,
  },
  {
    name: "a base repository with a path behind it",
    files: podChart("{{ .Values.baseRepo }}/agent:1", "baseRepo: quay.io/acme\n"),
    moves: movesTo({ "quay.io/acme/agent:1": "quayio/acme/agent:1" }),
    override: `baseRepo: ${target}/quayio/acme\n`,
  },
  {
    name: "a value with template code",
    files: templated,
    moves: templatedMoves,
    says: ["warning: the value holds template code; only the rendering tells", "chart/values.yaml:1"],
    override: `image: "${target}/quayio/acme/app:{{ .Chart.Version }}"\n`,
  },
  {
    name: "a value with template code under --strict",
    files: templated,
    flags: ["--strict"],
    moves: templatedMoves,
    exitCode: 5,
    says: ["the value holds template code"],
  },
];
