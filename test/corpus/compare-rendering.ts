import { readFile } from "node:fs/promises";
import path from "node:path";
import { messageOf } from "../../src/core/error.ts";
import type { HelmVersion } from "../../src/helm/chart/chart.ts";
import { loadChart } from "../../src/helm/chart/load.ts";
import { renderChart } from "../../src/helm/render/render-chart.ts";
import { formatManifests } from "../../src/helm/render/format-manifests.ts";
import { fromBytes } from "../../src/helm/go/utf8.ts";
import { plainText } from "../../src/helm/go/text.ts";
import { loadYamlMap } from "../../src/yaml/load.ts";
import type { YamlMap } from "../../src/yaml/value.ts";
import { corpusFolder } from "./corpus.ts";
import { renderWithHelm, type Helm, type RenderCase } from "./helm-output.ts";
import { findDifference } from "./mask.ts";
import { kubeVersion } from "./renderable.ts";

/** One case beside helm. */
export interface Comparison {
  /** See {@link RenderCase.id}. */
  readonly id: string;
  /** Whether helm refuses the chart. */
  readonly isRefusal: boolean;
  /** Absent where both print the same, or refuse with the same message. */
  readonly difference?: { readonly expected: string; readonly actual: string };
}

type OurOutput =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

/** Renders a case with the embedded engine alone. */
export async function renderEmbedded(
  { chartFolder, valuesFile }: RenderCase,
  helm: HelmVersion,
  now: number,
): Promise<OurOutput> {
  const folder = path.join(corpusFolder, chartFolder);
  try {
    const { chart } = await loadChart(folder);
    const values = valuesFile === undefined ? {} : await readValues(path.join(folder, valuesFile));
    const rendered = renderChart(chart, { helm, values, releaseName: "release", kubeVersion, now });
    return { ok: true, text: fromBytes(plainText(formatManifests(rendered, { helm }))) };
  } catch (error) {
    return { ok: false, message: messageOf(error) };
  }
}

async function readValues(file: string): Promise<YamlMap> {
  return loadYamlMap(await readFile(file, "utf8"), { file }).value;
}

/** Renders a case with helm and with the embedded engine and compares what they print. */
export async function compareRendering(
  helm: Helm,
  render: RenderCase,
  corpusKey: string,
): Promise<Comparison> {
  const { id } = render;
  const expected = await renderWithHelm(helm, render, corpusKey, 1);
  const ours = await renderEmbedded(render, helm.version, expected.ok ? expected.startedAtMs : Date.now());
  if (!expected.ok) {
    const actual = ours.ok ? "(rendered)" : ours.message;
    const isSame = !ours.ok && actual === expected.message;
    return { id, isRefusal: true, ...(isSame ? {} : { difference: { expected: expected.message, actual } }) };
  }
  if (!ours.ok) {
    return { id, isRefusal: false, difference: { expected: "(rendered)", actual: ours.message } };
  }
  if (ours.text === expected.text) return { id, isRefusal: false };
  const again = await renderWithHelm(helm, render, corpusKey, 2);
  const difference = findDifference(ours.text, expected.text, again.ok ? again.text : expected.text);
  if (difference === undefined) return { id, isRefusal: false };
  const at = (text: string): string => `line ${difference.line}: ${text}`;
  return {
    id,
    isRefusal: false,
    difference: { expected: at(difference.expected), actual: at(difference.actual) },
  };
}
