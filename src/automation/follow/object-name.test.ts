import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { namesFor, objectNameOf } from "./object-name.ts";

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u;

test.each<[string, string]>([
  ["shop-bitnami/redis", "shop-bitnami-redis"],
  ["shop-Org__App.x", "shop-org-app-x"],
  ["--a--", "a"],
  ["...", "image-ab5df625"],
  [`shop-${"x".repeat(80)}`, `shop-${"x".repeat(49)}-1dbad422`],
])("%s is %s", (text, expected) => {
  expect(objectNameOf(text)).toMatch(label);
  expect(objectNameOf(text)).toBe(expected);
});

function named(things: readonly (readonly [string, ...string[]])[]): readonly string[] {
  const names = namesFor(things, (texts) => texts);
  return things.map((thing) => names.get(thing) ?? "");
}

describe("names for things", () => {
  test("are short where nothing else has them", () => {
    expect(
      named([
        ["a", "x-a"],
        ["b", "x-b"],
      ]),
    ).toEqual(["a", "b"]);
  });

  test("tell what would share one by what is its alone", () => {
    expect(
      named([
        ["a", "x-a"],
        ["a", "y-a"],
        ["b", "x-b"],
      ]),
    ).toEqual(["x-a", "y-a", "b"]);
  });

  test("end in a hash where all of them are shared", () => {
    const names = named([
      ["a", "x/a"],
      ["a", "x.a"],
    ]);
    expect(names[0]).toMatch(/^x-a-[0-9a-f]{8}$/u);
    expect(names[0]).not.toBe(names[1]);
  });

  test("do not take a name that is given", () => {
    const names = named([
      ["a-b", "1"],
      ["a", "a-b"],
      ["a", "a_c"],
    ]);
    expect(new Set(names).size).toBe(3);
    expect(names[0]).toBe("a-b");
  });

  test("are labels, one each, in whatever order the things come", () => {
    const word = fc.constantFrom("a", "b", "a/b", "a.b", "A", "x".repeat(70), "");
    const thing = fc
      .tuple(word, word)
      .map(([first, second]): [string, string] => [first, `${first}/${second}`]);
    const things = fc.uniqueArray(thing, { selector: (texts) => texts[1] });
    fc.assert(
      fc.property(things, (texts) => {
        const names = named(texts);
        expect(new Set(names).size).toBe(texts.length);
        for (const name of names) expect(name).toMatch(label);
        expect(named(texts.toReversed())).toEqual(names.toReversed());
      }),
      { numRuns: 1000, seed: 20261202 },
    );
  });
});
