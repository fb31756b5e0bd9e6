import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isMap, isScalar, isSeq, parseAllDocuments, type Scalar, visit } from "yaml";
import { arbitraryMarkedText, type MarkedValue } from "../../../test/support/arbitrary-marked-yaml.ts";
import { readWrittenNodes } from "../../yaml/written-nodes.ts";
import { applySetters } from "./apply-setters.ts";
import type { SetterPolicies } from "./setter-value.ts";

const digest = `sha256:${"0".repeat(64)}`;
const policies: SetterPolicies = new Map([
  [
    "apps/shop",
    {
      latest: {
        name: "ghcr.io/acme/shop",
        tag: "1.10",
        digest,
        attributes: { pr: "1245", sha1: "9f1e2d", on: "on", empty: "", exponent: "0e12" },
      },
      attributeNames: ["pr", "sha1", "on", "empty", "exponent"],
    },
  ],
]);

const values: readonly MarkedValue[] = [
  { setter: "apps:shop", value: `ghcr.io/acme/shop:1.10@${digest}`, isPlain: true },
  { setter: "apps:shop:name", value: "ghcr.io/acme/shop", isPlain: true },
  { setter: "apps:shop:tag", value: "1.10", isPlain: false },
  { setter: "apps:shop:digest", value: digest, isPlain: true },
  { setter: "apps:shop:pr", value: "1245", isPlain: false },
  { setter: "apps:shop:sha1", value: "9f1e2d", isPlain: true },
  { setter: "apps:shop:on", value: "on", isPlain: false },
  { setter: "apps:shop:exponent", value: "0e12", isPlain: false },
];

test("only the bytes of marked scalars change, and read as the new values", () => {
  fc.assert(
    fc.property(arbitraryMarkedText(values), ({ before, after, changes, values: expected }) => {
      const applied = applySetters(before, policies, "a.yaml");
      expect(applied.diagnostics).toEqual([]);
      expect(applied.text).toBe(after);
      expect(applied.changes.map(({ setter, newValue }) => [setter, newValue])).toEqual(
        changes.map(({ setter, value }) => [setter, value]),
      );
      const { texts, strings } = read(after, expected);
      expect(texts).toEqual(expected);
      expect(changes.filter(({ key }) => !strings.has(key))).toEqual([]);
      // What is done once is done.
      expect(applySetters(after, policies, "a.yaml")).toEqual({ text: after, changes: [], diagnostics: [] });
    }),
    { numRuns: 5000, seed: 5 },
  );
}, 300_000);

const characters = `: - ? # & * ! | > ' " % @ \` { } [ ] , \n \r \t x`.split(" ").concat(" ");

/** A text with a few characters taken out, doubled or put in. */
const mutated = fc
  .tuple(
    arbitraryMarkedText(values),
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(...characters, "")), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([{ before }, mutations]) =>
    mutations.reduce((text, [at, put]) => {
      const offset = Math.floor(at * text.length);
      return text.slice(0, offset) + put + text.slice(put === "" ? offset + 1 : offset);
    }, before),
  );

test("whatever a text is, what changes is what is told", () => {
  fc.assert(
    fc.property(mutated, (text) => {
      const applied = applySetters(text, policies, "a.yaml");
      if (applied.changes.length === 0) {
        expect(applied.text).toBe(text);
        return;
      }
      const [before, after] = [readWrittenNodes(text).nodes, readWrittenNodes(applied.text).nodes];
      const changed = before.flatMap((node, index) => {
        const other = after[index];
        return other?.kind === node.kind && other.text === node.text ? [] : [trimmed(other?.text ?? "")];
      });
      expect(after).toHaveLength(before.length);
      expect(changed).toEqual(applied.changes.map(({ newValue }) => newValue));
      expect(applySetters(applied.text, policies, "a.yaml").changes).toEqual([]);
    }),
    { numRuns: 3000, seed: 6 },
  );
}, 300_000);

const trimmed = (text: string): string => text.replace(/\n+$/u, "");

/** What another reader of YAML finds at the keys, in a scalar itself or in a collection, and which are strings. */
function read(
  text: string,
  keys: Readonly<Record<string, string>>,
): { readonly texts: Readonly<Record<string, string>>; readonly strings: ReadonlySet<string> } {
  const texts: Record<string, string> = {};
  const strings = new Set<string>();
  for (const document of parseAllDocuments(text, { version: "1.1", logLevel: "error" })) {
    visit(document, {
      Pair: (_, { key, value }) => {
        if (!isScalar(key) || typeof key.value !== "string" || !Object.hasOwn(keys, key.value)) return;
        const wanted = keys[key.value];
        const found = itemsOf(value).filter((node) => isScalar(node));
        const scalar = found.find((node) => textOf(node) === wanted) ?? found[0];
        texts[key.value] = scalar === undefined ? "" : textOf(scalar);
        if (typeof scalar?.value === "string") strings.add(key.value);
      },
    });
  }
  return { texts, strings };
}

function itemsOf(value: unknown): readonly unknown[] {
  if (isSeq(value)) return value.items;
  return isMap(value) ? value.items.map((pair) => pair.value) : [value];
}

function textOf({ value, source }: Scalar): string {
  return typeof value === "string" ? trimmed(value) : (source ?? "");
}
