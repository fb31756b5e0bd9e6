import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../test/support/canonical.ts";
import { FairleadError } from "../core/error.ts";
import { dumpYaml } from "./dump.ts";
import { formatGoFloat } from "./go-number.ts";
import { loadYaml, loadYamlMap } from "./load.ts";
import type { YamlValue } from "./value.ts";

interface YamlCase {
  readonly yaml: string;
  readonly value?: YamlValue;
  readonly error?: string;
}

interface NumberCase {
  /** The float64's bits in hexadecimal. */
  readonly bits: string;
  readonly printed: string;
  readonly key: string;
}

function readLines(name: string): readonly string[] {
  const file = new URL(`../../test/conformance/values/${name}`, import.meta.url);
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

function toNumber(bits: string): number {
  return new DataView(new BigUint64Array([BigInt(`0x${bits}`)]).buffer).getFloat64(0, true);
}

/** What we make of a text, to compare with what Go made of it: its value, or that it is refused. */
function read(text: string): string {
  try {
    return canonicalJson(loadYaml(text).value);
  } catch (error) {
    if (error instanceof FairleadError) return "refused";
    throw error;
  }
}

describe("sigs.k8s.io/yaml reads the same", () => {
  const cases = readLines("cases-yaml.jsonl").map((line) => JSON.parse(line) as YamlCase);

  test("there are cases of both kinds", () => {
    expect(cases.filter((row) => row.error === undefined).length).toBeGreaterThan(2500);
    expect(cases.filter((row) => row.error !== undefined).length).toBeGreaterThan(500);
  });

  test("every case", () => {
    const expected = cases.map((row) => [
      row.yaml,
      row.error === undefined ? canonicalJson(row.value ?? null) : "refused",
    ]);
    expect(cases.map((row) => [row.yaml, read(row.yaml)])).toEqual(expected);
  });
});

describe("Go reads what dumpYaml writes", () => {
  test("every sample", () => {
    const cases = readLines("cases-dump.jsonl").map((line) => JSON.parse(line) as YamlCase);
    expect(cases.length).toBeGreaterThan(200);
    expect(cases.filter((row) => row.error !== undefined)).toEqual([]);
    expect(cases.map((row) => read(row.yaml))).toEqual(cases.map((row) => canonicalJson(row.value ?? null)));
    expect(cases.map((row) => dumpYaml(loadYamlMap(row.yaml).value))).toEqual(cases.map((row) => row.yaml));
  });
});

describe("Go prints the same numbers", () => {
  const cases = readLines("cases-numbers.jsonl").map((line) => JSON.parse(line) as NumberCase);

  test("as %v in a template", () => {
    expect(cases.map(({ bits }) => formatGoFloat(toNumber(bits)))).toEqual(
      cases.map(({ printed }) => printed),
    );
  });

  test("as the key of a map", () => {
    expect(cases.map(({ bits }) => formatGoFloat(toNumber(bits), 32))).toEqual(cases.map(({ key }) => key));
  });
});
