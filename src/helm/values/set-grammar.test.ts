import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FairleadError } from "../../core/error.ts";
import type { YamlMap } from "../../yaml/value.ts";
import { applySet, type SetMode } from "./set-grammar.ts";

describe("errors name the flag, the character and the reason, and quote nothing", () => {
  const rows: readonly { mode: SetMode; text: string; reason: string }[] = [
    { mode: "set", text: "a", reason: "has no value" },
    { mode: "set", text: "a,b=c", reason: "has no value" },
    { mode: "set", text: "a.=b", reason: "has no value" },
    { mode: "set", text: "a={b", reason: "list must terminate with '}'" },
    { mode: "set", text: "a[-1]=b", reason: "negative -1 index not allowed" },
    { mode: "set", text: "a[x]=b", reason: "is not a number followed by ]" },
    { mode: "set", text: "a[0]x=b", reason: "unexpected data at end of array index" },
    { mode: "set-string", text: "s.x=1", reason: "is a string, not a map" },
    { mode: "set-literal", text: "s[0]=1", reason: "is a string, not a list" },
    { mode: "set-json", text: "a={", reason: "malformed JSON value" },
    { mode: "set-json", text: "a=12.", reason: "malformed JSON value" },
  ];
  test.each(rows)("--$mode $text: $reason", ({ mode, text, reason }) => {
    expect(() => applySet({ s: "text" }, text, mode)).toThrow(
      expect.objectContaining({
        code: "input-invalid",
        message: expect.stringMatching(new RegExp(`^--${mode}\\b`, "u")) as unknown,
      }),
    );
    expect(() => applySet({ s: "text" }, text, mode)).toThrow(reason);
  });
});

describe("limits", () => {
  test("the greatest index", () => {
    expect(applySet({}, "a[65536]=b", "set")["a"]).toHaveLength(65_537);
    expect(() => applySet({}, "a[65537]=b", "set")).toThrow("greater than maximum supported index of 65536");
  });

  test.each(["a.".repeat(10_000), `a${"[0]".repeat(10_000)}=b`, `a=${"[".repeat(10_000)}`])(
    "nesting without end",
    (text) => {
      for (const mode of ["set", "set-json", "set-literal"] as const) {
        try {
          applySet({}, text, mode);
        } catch (error) {
          expect(error).toBeInstanceOf(FairleadError);
        }
      }
    },
  );
});

test("the target is left alone", () => {
  const target: YamlMap = { a: { b: [1, { c: 2 }] } };
  expect(applySet(target, "a.b[1].c=3,a.b[0]=4,a.d=5", "set")).toEqual({ a: { b: [4, { c: 3 }], d: 5 } });
  expect(target).toEqual({ a: { b: [1, { c: 2 }] } });
});

test("no name reaches a prototype", () => {
  for (const mode of ["set", "set-json", "set-literal"] as const) {
    applySet({}, "__proto__.polluted=1", mode);
    applySet({ a: [] }, "a[0].__proto__.polluted=1", mode);
  }
  applySet({}, 'a={"__proto__":{"polluted":1}}', "set-json");
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test("a file is read only where the caller lets it", () => {
  expect(() => applySet({}, "a=file", "set-file")).toThrow("files cannot be read here");
  expect(applySet({}, "a=b\\,c", "set-file", { readFile: (path) => `of ${path}` })).toEqual({ a: "of b,c" });
});

test("no text makes it fail in any other way than with a FairleadError", () => {
  const part = fc.constantFrom(
    ...'ab.=,[]{}\\"019 -'.split(""),
    "[0]",
    "null",
    "true",
    '{"x":1}',
    "__proto__",
    "😀",
  );
  const mode = fc.constantFrom<SetMode>("set", "set-string", "set-file", "set-json", "set-literal");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 15 }), mode, (parts, mode) => {
      try {
        applySet({ a: { b: [1] } }, parts.join(""), mode, { readFile: (path) => path });
      } catch (error) {
        expect(error).toBeInstanceOf(FairleadError);
      }
    }),
    { numRuns: 5000, seed: 20261108 },
  );
});
