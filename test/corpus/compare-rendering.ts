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
import { renderWithHelm, type Helm, type HelmOutput, type RenderCase } from "./helm-output.ts";
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
async function renderEmbedded(
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
  if (!expected.ok) {
    const ours = await renderEmbedded(render, helm.version, Date.now());
    const actual = ours.ok ? "(rendered)" : ours.message;
    const isSame = !ours.ok && actual === expected.message;
    return { id, isRefusal: true, ...(isSame ? {} : { difference: { expected: expected.message, actual } }) };
  }
  let difference = await compareOnce(helm, render, expected, corpusKey);
  // A key in PEM may happen to be a line longer than helm's.
  if (difference?.isRandom === true) difference = await compareOnce(helm, render, expected, corpusKey);
  if (difference === undefined) return { id, isRefusal: false };
  const { expected: from, actual } = difference;
  return { id, isRefusal: false, difference: { expected: from, actual } };
}

/** @returns the first difference, and whether helm's own output differs from run to run; undefined for none */
async function compareOnce(
  helm: Helm,
  render: RenderCase,
  expected: HelmOutput & { readonly ok: true },
  corpusKey: string,
): Promise<{ expected: string; actual: string; isRandom: boolean } | undefined> {
  const ours = await renderEmbedded(render, helm.version, expected.startedAtMs);
  if (!ours.ok) return { expected: "(rendered)", actual: ours.message, isRandom: false };
  if (ours.text === expected.text) return undefined;
  const second = await renderWithHelm(helm, render, corpusKey, 2);
  const again = second.ok ? second.text : expected.text;
  const difference = findDifference(ours.text, expected.text, again);
  if (difference === undefined) return undefined;
  const at = (text: string): string => `line ${difference.line}: ${text}`;
  return {
    expected: at(difference.expected),
    actual: at(difference.actual),
    isRandom: again !== expected.text,
  };
}
