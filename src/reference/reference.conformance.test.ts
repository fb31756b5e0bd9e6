import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatFamiliar, formatReference, formatWritten, tryParseReference } from "./reference.ts";

interface Case {
  readonly text: string;
  readonly accepted?: Parts;
}

interface Parts {
  readonly domain: string;
  readonly path: string;
  readonly tag?: string;
  readonly digest?: string;
  /** Absent where it is the text itself. */
  readonly familiar?: string;
}

const cases = readFileSync(new URL("../../test/conformance/reference/cases.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Case);

function partsOf(text: string): Parts | undefined {
  const reference = tryParseReference(text);
  if (reference === undefined) return undefined;
  const { registry, path, tag, digest } = reference;
  const familiar = formatFamiliar(reference);
  return {
    domain: registry,
    path,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
    ...(familiar === text ? {} : { familiar }),
  };
}

test("the oracle's cases are more than 12,000, and a good half of them are references", () => {
  const accepted = cases.filter((row) => row.accepted !== undefined);
  expect(cases.length).toBeGreaterThan(12_000);
  expect(accepted.length / cases.length).toBeGreaterThan(0.5);
  expect(accepted.length / cases.length).toBeLessThan(0.7);
});

test("every text is accepted or refused, and taken apart, as by distribution/reference", () => {
  const differences = cases
    .map(({ text, accepted }) => ({ text, accepted, ours: partsOf(text) }))
    .filter(({ accepted, ours }) => JSON.stringify(ours) !== JSON.stringify(accepted));
  expect(differences).toEqual([]);
});

test("every reference formats to the text it was, and to a canonical text with the same parts", () => {
  for (const { text } of cases) {
    const reference = tryParseReference(text);
    if (reference === undefined) continue;
    expect(formatWritten(reference)).toBe(text);
    const canonical = formatReference(reference);
    const again = tryParseReference(canonical);
    expect(again, canonical).toMatchObject({
      registry: reference.registry,
      path: reference.path,
      writtenPath: reference.path,
    });
    expect([again?.tag, again?.digest]).toEqual([reference.tag, reference.digest]);
  }
});
