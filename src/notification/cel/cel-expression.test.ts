import { describe, expect, test } from "vitest";
import { compileCel } from "./cel-expression.ts";

const values = {
  event: { metadata: { revision: "main@sha1:abc", cluster: "prod" }, name: "podinfo", list: [1, 2, 3] },
};

describe("an expression", () => {
  test.each<[source: string, expected: unknown]>([
    ["'a' + event.name", "apodinfo"],
    ["event.metadata.?none.orValue('x')", "x"],
    ["has(event.metadata.none)", false],
    ["event.name.matches('^pod(info)?$')", true],
    ["event.name // matches\n.matches('x')", false],
    ["event.name.replace('o', '$&')", "p$&dinf$&"],
    ["event.metadata.revision.split(':')[1]", "abc"],
    ["event.name.charAt(1).upperAscii()", "O"],
    ["event.list.map(x, event.list.exists(y, y == x)).size()", 3n],
    ["event.list.last().orValue(0)", 3],
  ])("%s", async (source, expected) => {
    expect((await compileCel(source, ["event"])).evaluate(values)).toEqual(expected);
  });

  test.each<[name: string, source: string, message: RegExp]>([
    ["does not parse", "event.", /the CEL expression 'event\.'/u],
    ["names what is not there", "other.name", /Unknown variable: other/u],
    ["has no such function", "event.name.nope()", /nope/u],
    ["binds, by which texts grow", "cel.bind(x, 'a', x + x)", /cel\.bind is not known/u],
    [
      "nests too deep",
      "event.list.all(a, event.list.all(b, event.list.all(c, true)))",
      /nested more than 2 deep/u,
    ],
    ["is too long", `'${"x".repeat(5000)}'`, /longer than 4096/u],
  ])("is refused where it %s", async (_name, source, message) => {
    await expect(compileCel(source, ["event"])).rejects.toThrow(message);
    await expect(compileCel(source, ["event"])).rejects.toThrow(
      expect.objectContaining({ code: "config-invalid" }),
    );
  });

  test.each<[name: string, source: string]>([
    ["has no such key", "event.none"],
    ["has an expression that is none", "event.name.matches('(')"],
    ["has an expression of another language", "event.name.matches('(?=x)')"],
  ])("fails where it %s", async (_name, source) => {
    const { evaluate } = await compileCel(source, ["event"]);
    expect(() => evaluate(values)).toThrow(expect.objectContaining({ code: "config-invalid" }));
  });

  test("ends where another engine would not", async () => {
    const { evaluate } = await compileCel("event.text.matches('^(a+)+$')", ["event"]);
    expect(evaluate({ event: { text: `${"a".repeat(5000)}!` } })).toBe(false);
  });

  test("knows its type", async () => {
    expect((await compileCel("event.name", ["event"])).type).toBe("dyn");
    expect((await compileCel("event.name + ''", ["event"])).type).toBe("string");
  });
});
