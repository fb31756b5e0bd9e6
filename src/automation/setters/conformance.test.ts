import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { applySetters } from "./apply-setters.ts";
import type { SetterPolicy } from "./setter-value.ts";

interface SetterCase {
  readonly name: string;
  readonly yaml: string;
  readonly refused?: boolean;
  readonly changes?: readonly {
    readonly setter: string;
    readonly old: string;
    readonly new: string;
    readonly quoted?: boolean;
  }[];
}

const file = new URL("../../../test/conformance/setters/cases.jsonl", import.meta.url);
const cases = readFileSync(file, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as SetterCase);

/** The policies of the Go program. */
const policies = new Map([
  ["apps/shop", policyOf("ghcr.io/acme/shop", "1.10", `sha256:${"a".repeat(64)}`)],
  ["apps/web", policyOf("docker.io/library/nginx", "1.27.3-alpine")],
  ["apps/num", policyOf("localhost:5000/num", "0e12")],
  ["apps/on", policyOf("on", "on")],
]);

function policyOf(name: string, tag: string, digest?: string): SetterPolicy {
  const latest = { name, tag, ...(digest === undefined ? {} : { digest }), attributes: {} };
  return { latest, attributeNames: [] };
}

/** Where we do otherwise on purpose, and what the values become that we change. */
const exceptions: Readonly<Record<string, { readonly reason: string; readonly old: readonly string[] }>> = {
  "escaped key": { reason: "Flux looks at no file without the text $imagepolicy either", old: [] },
  "tagged float": { reason: "Flux takes the tag away", old: [] },
  "head of an item with comment and blank line above": {
    reason: "Flux follows it above the second item alone",
    old: ["old"],
  },
  "behind the key": { reason: "Flux passes it over", old: ["old"] },
  "behind the key, quoted": { reason: "Flux passes it over", old: ["old"] },
  "empty value": { reason: "Flux passes it over", old: [""] },
  "empty value at the end": { reason: "Flux passes it over", old: [""] },
  "empty value with an anchor": { reason: "Flux passes it over", old: [""] },
  "empty item": { reason: "Flux sets the next item", old: [""] },
  "flow mapping": { reason: "Flux passes it over", old: ["old"] },
  "flow sequence": { reason: "Flux passes it over", old: ["old"] },
  "flow mapping, maps in lines": { reason: "Flux passes it over", old: ["old"] },
  "flow mapping end on its own line": { reason: "Flux passes it over", old: ["old"] },
  directive: { reason: "Flux passes the file over", old: ["old"] },
  "duplicate keys": { reason: "Flux changes one of them", old: [] },
  "template at the beginning": { reason: "Flux passes the file over in silence", old: [] },
};

/** A block scalar's line ends are not its value to us. */
const trimmed = (text: string): string => text.replace(/\n+$/u, "");

test("there are enough cases", () => {
  expect(cases.length).toBeGreaterThan(1600);
  expect(cases.flatMap(({ changes = [] }) => changes).length).toBeGreaterThan(2500);
});

test.each(cases.filter(({ name }) => Object.hasOwn(exceptions, name)))(
  "otherwise on purpose: $name",
  ({ name, yaml }) => {
    const { changes } = applySetters(yaml, policies, "a.yaml");
    expect(changes.map(({ oldValue }) => oldValue)).toEqual(exceptions[name]?.old);
  },
);

describe("the same fields are marked, and get the same values", () => {
  const same = cases.filter(({ name }) => !Object.hasOwn(exceptions, name));

  test("every case", () => {
    for (const { name, yaml, refused = false, changes = [] } of same) {
      const applied = applySetters(yaml, policies, "a.yaml");
      const found = applied.changes.map(({ setter, oldValue, newValue }) => [setter, oldValue, newValue]);
      const isRefused = applied.diagnostics.some(({ code }) => code === "file-unparsable");
      const wanted = changes.map((change) => [change.setter, trimmed(change.old), change.new]);
      expect([name, isRefused, found]).toEqual([name, refused, wanted]);
    }
  });

  test("what Flux puts in quotes is in quotes", () => {
    for (const { name, yaml, changes = [] } of same) {
      const [change] = changes;
      // A block keeps its indicator, and so needs no quotes.
      if (change?.quoted !== true || changes.length > 1 || /[|>][-+]?[ \t]*#/u.test(yaml)) continue;
      expect([name, applySetters(yaml, policies, "a.yaml").text]).toEqual([
        name,
        expect.stringContaining(`"${change.new}"`),
      ]);
    }
  });
});
