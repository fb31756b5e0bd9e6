import { chartYaml } from "../../support/chart-files.ts";

/** The target of every case, and the registries it moves images from. */
export const target = "myharbor.internal:5000";
export const sourceRegistries = "docker.io,quay.io,gcr.io,ghcr.io,nvcr.io";

/** A small chart, and what helm must render with the override. */
export interface ChartCase {
  readonly name: string;
  /** By name within the chart; Chart.yaml is made where there is none. */
  readonly files: Readonly<Record<string, string>>;
  /** More flags for `fairlead override`. */
  readonly flags?: readonly string[];
  /** Flags that helm and `fairlead override` both take. */
  readonly valueFlags?: readonly string[];
  /** Files beside the chart, for {@link ChartCase.valueFlags}. */
  readonly userFiles?: Readonly<Record<string, string>>;
  /**
   * Texts of the original rendering and what each becomes everywhere; the rest must stay to the byte.
   */
  readonly moves: Readonly<Record<string, string>>;
  /** Default: 0. */
  readonly exitCode?: 0 | 4 | 5;
  /** What standard error must hold. */
  readonly says?: readonly (string | RegExp)[];
  /** The whole override, where its form matters. */
  readonly override?: string;
}

/** A chart of one pod whose container has this `image` template. */
export function podChart(image: string, values: string): Readonly<Record<string, string>> {
  return { "values.yaml": values, "templates/pod.yaml": pod("main", image) };
}

/** A pod template with one container. */
export function pod(name: string, image: string, annotations = ""): string {
  return `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
${annotations === "" ? "" : `  annotations: ${annotations}\n`}spec:
  containers:
    - name: main
      image: ${image}
`;
}

/** Moves of references that are rendered as written, each to its place under the target. */
export function movesTo(moves: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(moves).map(([from, to]) => [from, `${target}/${to}`]));
}

/** The files with a Chart.yaml. */
export function chartFiles({ name, files }: ChartCase): Readonly<Record<string, string>> {
  return { "Chart.yaml": chartYaml(chartName(name)), ...files };
}

function chartName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^-|-$/gu, "")
    .slice(0, 40);
}

/** Joins registry, repository, tag and digest, each where it is there. */
export const mapImage: string =
  "{{ with .Values.image }}{{ with .registry }}{{ . }}/{{ end }}{{ .repository }}{{ with .tag }}:{{ . }}{{ end }}{{ with .digest }}@{{ . }}{{ end }}{{ end }}";
