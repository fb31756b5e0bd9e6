import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Json, type JsonObject, statusPatch } from "./status-patch.ts";

const rows: readonly {
  name: string;
  before: JsonObject;
  after: JsonObject;
  patch: JsonObject | undefined;
}[] = [
  { name: "nothing of nothing", before: {}, after: {}, patch: undefined },
  { name: "what is new", before: { a: 1 }, after: { a: 1, b: "x" }, patch: { b: "x" } },
  { name: "what is another", before: { a: 1, b: 2 }, after: { a: 1, b: 3 }, patch: { b: 3 } },
  { name: "what is gone", before: { a: 1, b: { c: 2 } }, after: { a: 1 }, patch: { b: null } },
  {
    name: "the order of keys",
    before: { a: 1, b: { c: 2, d: 3 } },
    after: { b: { d: 3, c: 2 }, a: 1 },
    patch: undefined,
  },
  {
    name: "within an object",
    before: { a: { b: 1, c: 2 } },
    after: { a: { b: 1, d: 3 } },
    patch: { a: { c: null, d: 3 } },
  },
  { name: "an object that is emptied", before: { a: { b: 1 } }, after: { a: {} }, patch: { a: { b: null } } },
  { name: "an object that is empty at first", before: {}, after: { a: {} }, patch: { a: {} } },
  { name: "a list", before: { a: [1, 2] }, after: { a: [1, 3] }, patch: { a: [1, 3] } },
  {
    name: "the same list",
    before: { a: [{ b: 1, c: 2 }] },
    after: { a: [{ c: 2, b: 1 }] },
    patch: undefined,
  },
  { name: "a list for an object", before: { a: { b: 1 } }, after: { a: [1] }, patch: { a: [1] } },
  { name: "an object for a list", before: { a: [1] }, after: { a: { b: 1 } }, patch: { a: { b: 1 } } },
  { name: "what is undefined is not there", before: { a: 1 }, after: { a: undefined }, patch: { a: null } },
  { name: "neither is null", before: { a: null }, after: { b: { c: null } }, patch: { b: {} } },
  {
    name: "zero, false and empty are there",
    before: {},
    after: { a: 0, b: false, c: "" },
    patch: { a: 0, b: false, c: "" },
  },
];
test.each(rows)("$name", ({ before, after, patch }) => {
  expect(statusPatch(before, after)).toEqual(patch);
});

/** RFC 7386, section 2. */
function apply(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const applied = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) applied.delete(name);
    else applied.set(name, apply(applied.get(name), value));
  }
  return Object.fromEntries(applied);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** All patches that have one change less. */
function* smaller(patch: JsonObject): Generator<JsonObject> {
  for (const [name, value] of Object.entries(patch)) {
    const { [name]: _, ...rest } = patch;
    yield rest;
    if (!isObject(value)) continue;
    for (const less of smaller(value)) yield { ...rest, [name]: less };
  }
}

const name = fc.constantFrom("a", "b", "c", "__proto__", "constructor");
const status = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(0, 1, "x", "", true, false),
    fc.array(tie("value"), { maxLength: 2 }),
    tie("object"),
  ),
  object: fc
    .array(fc.tuple(name, tie("value")), { maxLength: 4 })
    .map((members) => Object.fromEntries(members)),
})).object;

test("a patch makes the one of the other, and no change in it is needless", () => {
  fc.assert(
    fc.property(status, status, (before, after) => {
      const patch = statusPatch(before, after);
      if (patch === undefined) {
        expect(before).toEqual(after);
        return;
      }
      expect(apply(before, patch)).toEqual(after);
      for (const less of smaller(patch)) expect(apply(before, less)).not.toEqual(after);
    }),
    { seed: 20261122, numRuns: 2000 },
  );
});
