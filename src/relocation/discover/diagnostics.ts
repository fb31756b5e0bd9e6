import type { Diagnostic } from "../../core/diagnostic.ts";
import type { ChartInstance } from "../../helm/chart/chart.ts";
import { locateValue } from "../../helm/chart/origin.ts";
import { parseValuePath } from "../../yaml/value-path.ts";
import { findSpellings } from "../repository-identity.ts";
import type { Discovery } from "./discover.ts";

/** What discovery has to say, with file and line: unsupported structures, unparsable texts, spellings. */
export function discoveryDiagnostics(discovery: Discovery, root: ChartInstance): Diagnostic[] {
  return [...discovery.diagnostics.map((finding) => withLocation(finding, root)), ...spellings(discovery)];
}

/** Adds file and line to a finding that names a value path. */
export function withLocation(finding: Diagnostic, root: ChartInstance): Diagnostic {
  const { valuePath } = finding.where;
  if (valuePath === undefined) return finding;
  return { ...finding, where: { ...locateValue(root, parseValuePath(valuePath)), ...finding.where } };
}

function spellings({ sites }: Discovery): Diagnostic[] {
  return findSpellings(sites.map(({ reference }) => reference)).map(({ repository, spellings }) => ({
    code: "spelling-differs",
    severity: "info",
    message: `${repository} is spelled ${spellings.join(" and ")} in this chart`,
    where: {},
  }));
}
