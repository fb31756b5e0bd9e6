import type { Diagnostic } from "../../core/diagnostic.ts";
import { createYamlMap, type YamlMap } from "../../yaml/value.ts";
import type { Chart, ChartInstance, HelmVersion } from "../chart/chart.ts";
import { describeMetadata } from "../chart/metadata-details.ts";
import { createHelmTemplateSet, withoutNoValue } from "../functions/helm-functions.ts";
import { RenderBudget, type RandomSource, type RenderLimits } from "../go/context.ts";
import { createSystemRandom } from "../go/random.ts";
import { trackedFrom } from "../go/text.ts";
import { bytesOf, toBytes } from "../go/utf8.ts";
import { GoMap, type Text } from "../go/value.ts";
import type { Origin } from "../provenance/span.ts";
import { TemplateParseError } from "../template/template-error.ts";
import type { TemplateTree } from "../template/node.ts";
import { StackExhaustedError, type TemplateSet } from "../template/template-set.ts";
import { checkInstallable, checkKubeVersion, resolveChart } from "./check-chart.ts";
import type { CustomResourceFile } from "./format-manifests.ts";
import { helmTypesOf } from "./go-types.ts";
import { defaultKubeVersion, parseKubeVersion } from "./kube-version.ts";
import { executionFailure, parseFailure } from "./render-error.ts";
import { stackExhausted } from "./stack-exhausted.ts";
import { sortManifests, type Hook, type Manifest } from "./sort-manifests.ts";
import { templateFunctionsOf } from "./template-functions.ts";
import { collectRenderables, isPartial, type Renderable } from "./top-level-values.ts";
import { checkValues } from "./validate-values.ts";

export interface RenderOptions {
  /** Values files and `--set`, already merged; default: none. */
  readonly values?: YamlMap;
  /** What `--set` alone makes: numbers in it are integers to templates, all others are floats. */
  readonly integers?: YamlMap | undefined;
  /** Which Helm is followed where the two differ; default: helm3. */
  readonly helm?: HelmVersion | undefined;
  /** Default: release-name, as in `helm template`. */
  readonly releaseName?: string | undefined;
  /** Default: default. */
  readonly namespace?: string | undefined;
  readonly isUpgrade?: boolean | undefined;
  /** Default: 1. */
  readonly revision?: number | undefined;
  /** Default: {@link defaultKubeVersion}. */
  readonly kubeVersion?: string | undefined;
  /** Beside those that Helm knows. */
  readonly apiVersions?: readonly string[] | undefined;
  /** Whether values are checked against the schemas of the charts; default: true. */
  readonly checkSchema?: boolean | undefined;
  /** Where random texts and certificates come from; default: the system. */
  readonly random?: RandomSource | undefined;
  /** What `now` gives, in milliseconds since 1970; default: the clock, read once. */
  readonly now?: number | undefined;
  readonly limits?: RenderLimits | undefined;
  /** Whether the texts know which value put each byte there; default: false. */
  readonly tracking?: boolean | undefined;
  /** Filled, in a rendering that tracks, with the origins of the values that conditions found empty. */
  readonly emptyConditions?: Set<Origin> | undefined;
}

/** What a chart renders to. Names and texts are bytes, see go/utf8.ts. */
export interface RenderedChart {
  /** What each template wrote, by its name; partials do not write. */
  readonly files: ReadonlyMap<string, Text>;
  /** In the order of installation. */
  readonly manifests: readonly Manifest[];
  /** In the order of installation. */
  readonly hooks: readonly Hook[];
  readonly crds: readonly CustomResourceFile[];
  /** What the chart's own NOTES.txt says; empty where there is none. */
  readonly notes: Text;
  /** What Helm only logs. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Renders a chart as `helm template` does, without a cluster.
 * @throws FairleadError `render-failed` with the message that Helm prints after `Error: `; `input-invalid` for
 *   a version of Kubernetes that is none; `limit-exceeded`
 */
export function renderChart(chart: Chart, options: RenderOptions = {}): RenderedChart {
  const { helm = "helm3", releaseName = "release-name", values: userValues = createYamlMap() } = options;
  const kubeVersion = parseKubeVersion(options.kubeVersion ?? defaultKubeVersion, helm);
  checkInstallable(chart, releaseName, helm);
  const { root, renderValues, diagnostics } = resolveChart(chart, userValues, helm);
  const budget = new RenderBudget(options.limits);
  if (options.checkSchema !== false) checkValues(root, renderValues, budget);
  checkKubeVersion(chart, kubeVersion);
  const renderables = collectRenderables(root, renderValues, {
    helm,
    tracking: options.tracking ?? false,
    release: {
      name: releaseName,
      namespace: options.namespace ?? "default",
      isUpgrade: options.isUpgrade ?? false,
      revision: options.revision ?? 1,
    },
    kubeVersion,
    apiVersions: options.apiVersions ?? [],
    integers: options.integers,
  });
  const files = renderTemplates(renderables, options, budget);
  const { manifests, hooks, unknownHooks } = sortManifests(withoutNotes(files), helm);
  return {
    files,
    manifests,
    hooks,
    crds: collectCrds(root, options.tracking ?? false),
    notes: files.get(`${toBytes(root.name)}/templates/${notesName}`) ?? "",
    diagnostics: [
      ...(describeMetadata(chart.metadata).deprecated ? [deprecation(chart)] : []),
      ...diagnostics,
      ...unknownHooks.map(describeUnknownHook),
    ],
  };
}

const notesName = "NOTES.txt";

/** Parses all templates, then executes those that are no partials (pkg/engine/engine.go, render). */
function renderTemplates(
  renderables: ReadonlyMap<string, Renderable>,
  {
    helm = "helm3",
    random = createSystemRandom(),
    now = Date.now(),
    tracking = false,
    emptyConditions,
  }: RenderOptions,
  budget: RenderBudget,
): ReadonlyMap<string, Text> {
  const context = {
    budget,
    random,
    now,
    tracking,
    ...(emptyConditions === undefined ? {} : { emptyConditions }),
  };
  const set = createHelmTemplateSet(templateFunctionsOf(helm), context);
  const ordered = [...renderables.values()].sort(byDepthThenName);
  for (const renderable of ordered) set.add(parse(set, renderable, helm));
  const type = helmTypesOf(helm).values;
  const files = new Map<string, Text>();
  for (const { name, folder, values } of ordered) {
    if (isPartial(name)) continue;
    const template = new GoMap(
      [
        ["Name", name],
        ["BasePath", folder],
      ],
      type,
    );
    values.entries.set("Template", template);
    files.set(name, execute(set, name, values, helm));
  }
  return files;
}

/** Deeper templates come first, so that a chart's definitions win over those of its subcharts. */
function byDepthThenName(left: Renderable, right: Renderable): number {
  const depth = right.name.split("/").length - left.name.split("/").length;
  if (depth !== 0) return depth;
  return left.name < right.name ? 1 : left.name > right.name ? -1 : 0;
}

/** What the files of charts hold, by the Helm whose functions they call and the name they go by. */
const parsed = new WeakMap<Uint8Array, Map<string, ReadonlyMap<string, TemplateTree>>>();

/** A chart that is rendered again is not parsed again. */
function parse(
  set: TemplateSet,
  { name, text, data }: Renderable,
  helm: HelmVersion,
): ReadonlyMap<string, TemplateTree> {
  const ofFile = parsed.get(data) ?? new Map<string, ReadonlyMap<string, TemplateTree>>();
  const known = ofFile.get(`${helm} ${name}`);
  if (known !== undefined) return known;
  try {
    const trees = set.read({ name, text });
    parsed.set(data, ofFile.set(`${helm} ${name}`, trees));
    return trees;
  } catch (error) {
    throw error instanceof TemplateParseError ? parseFailure(error) : error;
  }
}

function execute(set: TemplateSet, name: string, values: GoMap, helm: HelmVersion): Text {
  try {
    return withoutNoValue(set.execute(name, values));
  } catch (error) {
    if (error instanceof StackExhaustedError) stackExhausted.publish(undefined);
    throw error instanceof Error ? executionFailure(error, helm) : error;
  }
}

/** Whatever ends so is no manifest, wherever it stands. */
function withoutNotes(files: ReadonlyMap<string, Text>): ReadonlyMap<string, Text> {
  return new Map([...files].filter(([name]) => !name.endsWith(notesName)));
}

/** The files of `crds/`, of the chart and of its subcharts (pkg/chart/chart.go, CRDObjects). */
function collectCrds(instance: ChartInstance, tracking: boolean): CustomResourceFile[] {
  const folder = toBytes(instance.templateFolder);
  const own = instance.chart.files.filter(({ name }) => /^crds\/.*\.(?:ya?ml|json)$/isu.test(name));
  const crds = own.map(({ name, data }): CustomResourceFile => {
    const text = bytesOf(data);
    const file = `${instance.templateFolder}/${name}`;
    const tracked = tracking && text !== "" ? trackText(text, file) : text;
    return { source: `${folder}/${toBytes(name)}`, text: tracked };
  });
  const below = instance.children.filter(({ enabled }) => enabled);
  return [...crds, ...below.flatMap((child) => collectCrds(child, tracking))];
}

function trackText(text: string, file: string): Text {
  return trackedFrom(text, { origins: [{ kind: "file", file }], exact: true }) as Text;
}

function deprecation({ metadata, location }: Chart): Diagnostic {
  return {
    code: "chart-oddity",
    severity: "warning",
    message: `the chart ${metadata.name} is deprecated`,
    where: { file: `${location}/Chart.yaml` },
  };
}

function describeUnknownHook(annotation: string): Diagnostic {
  return {
    code: "chart-oddity",
    severity: "warning",
    message: `Helm leaves a manifest out because its hook ${JSON.stringify(annotation)} is not known`,
    where: {},
  };
}
