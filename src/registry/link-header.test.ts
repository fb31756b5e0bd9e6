import * as fc from "fast-check";
import { expect, test } from "vitest";
import { tryFindNextLink } from "./link-header.ts";

test.each<[string, string | undefined, string | undefined]>([
  ["none", undefined, undefined],
  ["an empty one", "", undefined],
  ["distribution's", '</v2/a/tags/list?n=2&last=b>; rel="next"', "/v2/a/tags/list?n=2&last=b"],
  ["a bare relation", "</x>; rel=next", "/x"],
  ["no blanks", '</x>;rel="next"', "/x"],
  ["capitals", '</x>; REL="Next"', "/x"],
  ["several relations", '</x>; rel="last next"', "/x"],
  ["other parameters", '</x>; title="a, b; c"; rel="next"; n=1', "/x"],
  ["several links", '</a>; rel="prev", </b>; rel="next"', "/b"],
  ["a comma in the address", '</a,b>; rel="next"', "/a,b"],
  ["another relation", '</x>; rel="prev"', undefined],
  ["no relation", "</x>", undefined],
  ["a relation inside a text", '</x>; title="rel=next"', undefined],
  ["no address", 'rel="next"', undefined],
  ["no end of the address", '</x; rel="next"', undefined],
  ["more than anybody sends", `</${"x".repeat(20_000)}>; rel="next"`, undefined],
])("of %s", (_name, header, expected) => {
  expect(tryFindNextLink(header)).toBe(expected);
});

test("of anything", () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom("<", ">", ";", ",", "=", '"', "\\", " ", "rel", "next"),
        maxLength: 300,
      }),
      (header) => {
        const link = tryFindNextLink(header);
        expect(link === undefined || header.includes(`<${link}>`)).toBe(true);
      },
    ),
    { seed: 5 },
  );
});
