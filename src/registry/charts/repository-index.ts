import { FairleadError, type Where } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { loadYamlMap } from "../../yaml/load.ts";
import { createYamlMap, isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import type { VersionChoice } from "./remote-chart.ts";

/** A version of a chart, as a repository's index.yaml names it. */
export interface ChartEntry {
  readonly version: string;
  /** Where its archive is, as written: relative to the repository or absolute. */
  readonly url: string;
  /** The archive's SHA-256 in hexadecimal, where the index gives it. */
  readonly sha256: string | undefined;
}

/** The largest public indexes have some 25 MB with 1.3 million nodes. */
export const maxIndexBytes: number = 64 * 1024 * 1024;
const maxNodes = 2_500_000;

/** The charts of a repository; `where` is the index, for messages. */
export interface RepositoryIndex {
  readonly charts: YamlMap;
  readonly where: Where;
}

/**
 * Reads an index.yaml (helm.sh/helm/v3, pkg/repo/index.go).
 * @throws FairleadError `input-invalid` for a text that is no index, `limit-exceeded`
 */
export function parseRepositoryIndex(bytes: Uint8Array, file: string): RepositoryIndex {
  const where = { file };
  const { value } = loadYamlMap(decode(bytes, where), { file, code: "input-invalid", maxNodes });
  if (typeof value["apiVersion"] !== "string") {
    throw new FairleadError("input-invalid", "this is no index of a chart repository: it has no apiVersion", {
      where,
    });
  }
  const charts = value["entries"];
  return { charts: isYamlMap(charts) ? charts : createYamlMap(), where };
}

/**
 * Finds a version of a chart. Entries without a version or an address count for nothing.
 * @throws FairleadError `input-invalid` for a chart that the index does not have, and a version that does not fit
 */
export function findChartEntry(
  { charts, where }: RepositoryIndex,
  name: string,
  version: VersionChoice,
): ChartEntry {
  const found = Object.hasOwn(charts, name) ? charts[name] : undefined;
  const entries = itemsOf(found).flatMap((entry) => readEntry(entry));
  if (entries.length === 0) {
    throw new FairleadError("input-invalid", `the repository has no chart ${JSON.stringify(excerpt(name))}`, {
      where,
    });
  }
  const chosen = version.choose(entries.map((entry) => entry.version));
  const entry = entries.find((candidate) => candidate.version === chosen);
  if (entry !== undefined) return entry;
  const what = version.wanted === undefined ? "" : ` that fits ${JSON.stringify(version.wanted)}`;
  throw new FairleadError("input-invalid", `the repository has no version of ${name}${what}`, {
    where,
    hint: "a range such as '>=0.0.0-0' takes pre-releases too",
  });
}

function itemsOf(value: YamlValue | undefined): readonly YamlValue[] {
  return Array.isArray(value) ? (value as readonly YamlValue[]) : [];
}

function readEntry(entry: YamlValue): ChartEntry[] {
  if (!isYamlMap(entry)) return [];
  const { version, urls, digest } = entry;
  const url = itemsOf(urls)[0];
  if (typeof version !== "string" || typeof url !== "string") return [];
  const sha256 = typeof digest === "string" ? /^(?:sha256:)?(?<hex>[0-9a-f]{64})$/iu.exec(digest) : null;
  return [{ version, url, sha256: sha256?.groups?.["hex"]?.toLowerCase() }];
}

function decode(bytes: Uint8Array, where: Where): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new FairleadError("input-invalid", "the repository's index is not UTF-8 text", { where });
  }
}
