import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { canonicalJson } from "../../../test/support/canonical.ts";
import { FairleadError } from "../../core/error.ts";
import type { YamlMap, YamlValue } from "../../yaml/value.ts";
import { applySet, type SetMode } from "./set-grammar.ts";

interface SetCase {
  readonly mode: SetMode;
  readonly target: YamlMap;
  readonly text: string;
  readonly value?: YamlValue;
  readonly error?: string;
}

/** The reader that the Go program gives to `--set-file`. */
function readFile(path: string): string {
  if (path === "missing") throw new FairleadError("input-unreadable", "no such file");
  return `<${path}>`;
}

function apply({ target, text, mode }: SetCase): string {
  try {
    return canonicalJson(applySet(target, text, mode, { readFile }));
  } catch (error) {
    if (error instanceof FairleadError) return "refused";
    throw error;
  }
}

test("Helm's strvals gives the same", () => {
  const file = new URL("../../../test/conformance/values/cases-set.jsonl", import.meta.url);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(3000);
  const cases = lines.map((line) => {
    const row = JSON.parse(line) as SetCase;
    const expected = row.error === undefined ? canonicalJson(row.value ?? null) : "refused";
    return { flag: `--${row.mode} ${row.text}`, result: apply(row), expected };
  });
  expect(cases.filter(({ expected }) => expected !== "refused").length).toBeGreaterThan(1000);
  expect(cases.map(({ flag, result }) => [flag, result])).toEqual(
    cases.map(({ flag, expected }) => [flag, expected]),
  );
});
