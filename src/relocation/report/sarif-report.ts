import type { Severity } from "../../core/diagnostic.ts";
import type { Where } from "../../core/error.ts";
import type { SurveyEntry } from "../result.ts";
import { findFurtherDiagnostics, findMisses, type Miss } from "./finding.ts";
import { formatJson } from "./json-text.ts";
import type { ReportContext } from "./report-context.ts";
import { diagnosticRules } from "./sarif-rules.ts";

interface Finding {
  readonly ruleId: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string | undefined;
  readonly places: readonly Where[];
}

interface ChartFindings {
  readonly chart: string;
  readonly path: string;
  readonly findings: readonly Finding[];
}

const levels: Readonly<Record<Severity, "error" | "warning" | "note">> = {
  error: "error",
  warning: "warning",
  info: "note",
};

/**
 * The report as SARIF 2.1.0 (OASIS standard): every diagnostic, every image in scope that did not move and
 * every chart that could not be worked on is a result with its rule, file, line and value path.
 */
export function formatSarifReport(entries: readonly SurveyEntry[], context: ReportContext): string {
  const charts = entries.map(collectFindings);
  const rules = listRules(charts);
  const ruleIndex = new Map(rules.map((rule, index) => [rule.id, index]));
  return formatJson({
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "fairlead", version: context.toolVersion, rules } },
        invocations: [
          {
            executionSuccessful: entries.every((entry) => !("failure" in entry)),
            endTimeUtc: context.generatedAt?.toISOString(),
          },
        ],
        columnKind: "utf16CodeUnits",
        results: charts.flatMap((chart) =>
          chart.findings.map((finding) => createResult(finding, chart, ruleIndex.get(finding.ruleId) ?? -1)),
        ),
      },
    ],
  });
}

/** The rules of all diagnostics, and of those errors that this run met. */
function listRules(charts: readonly ChartFindings[]): readonly { id: string; shortDescription: object }[] {
  const texts = new Map<string, string>(Object.entries(diagnosticRules));
  for (const { ruleId } of charts.flatMap((chart) => chart.findings)) {
    if (!texts.has(ruleId)) texts.set(ruleId, "The chart could not be worked on.");
  }
  return [...texts].map(([id, text]) => ({ id, shortDescription: { text } }));
}

function collectFindings(entry: SurveyEntry): ChartFindings {
  if ("failure" in entry) {
    const { chart, error } = entry.failure;
    const { code, message, hint, where } = error;
    const finding: Finding = { ruleId: code, severity: "error", message, hint, places: [where] };
    return { chart: chart.path, path: chart.path, findings: [finding] };
  }
  const { result } = entry;
  return {
    chart: `${result.chart.name} ${result.chart.version}`,
    path: result.chart.path,
    findings: [
      ...findMisses(result).map(createMiss),
      ...findFurtherDiagnostics(result).map(({ code, severity, message, hint, where }): Finding => ({
        ruleId: code,
        severity,
        message,
        hint,
        places: [where],
      })),
    ],
  };
}

function createMiss({ image, reason, hint, places }: Miss): Finding {
  return {
    ruleId: "image-not-moved",
    severity: "error",
    message: `Image ${image.source} was not moved: ${reason}`,
    hint,
    // Code scanners drop a result without a location.
    places: places.length > 0 ? places : [{}],
  };
}

function createResult(finding: Finding, chart: ChartFindings, ruleIndex: number): object {
  const message = finding.message.replace(/\.?$/u, ".");
  const text = finding.hint === undefined ? message : `${message} ${finding.hint}`;
  return {
    ruleId: finding.ruleId,
    ruleIndex,
    level: levels[finding.severity],
    // In a SARIF message `[text](target)` is a link (§3.11.6); text from a chart must not make one.
    message: { text: text.replaceAll("](", "] (") },
    locations: finding.places.map((where) => createLocation(where, chart)),
    properties: { chart: chart.chart },
  };
}

function createLocation(where: Where, chart: ChartFindings): object {
  const { line, column, valuePath } = where;
  // The chart itself stands in for an unknown file.
  const file = where.file ?? chartFile(chart.path);
  const region =
    line === undefined
      ? {}
      : { region: { startLine: line, ...(column === undefined ? {} : { startColumn: column }) } };
  const logical =
    valuePath === undefined
      ? {}
      : { logicalLocations: [{ fullyQualifiedName: valuePath, kind: "property" }] };
  return {
    physicalLocation: { artifactLocation: { uri: formatUri(file) }, ...region },
    ...logical,
  };
}

function chartFile(chartPath: string): string {
  return chartPath.endsWith(".tgz") ? chartPath : `${chartPath.replace(/\/+$/u, "")}/Chart.yaml`;
}

/** A file's path as a relative or `file:` URI (RFC 3986). */
function formatUri(path: string): string {
  const encoded = path
    .replace(/^(\.\/+)+/u, "")
    .toWellFormed()
    .split("/")
    .map(encodeURIComponent)
    .join("/");
  return encoded.startsWith("/") ? `file://${encoded}` : encoded;
}
