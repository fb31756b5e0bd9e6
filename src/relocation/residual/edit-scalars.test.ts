import { describe, expect, test } from "vitest";
import { loadYaml } from "../../yaml/load.ts";
import { getAt, parseValuePath } from "../../yaml/value-path.ts";
import { changeText } from "./change-text.ts";
import { editScalars, type ScalarEdit } from "./edit-scalars.ts";

const from = "quay.io/a/b:1";
const to = "r.lan/a/b:1";

/** An edit of the first of the names in the text at a path. */
function edit(document: string, path: string, of = 1): ScalarEdit {
  const leaf = getAt(loadYaml(document).value, parseValuePath(path));
  const text = typeof leaf === "string" ? leaf : "";
  const isWhole = text === from || text === "";
  const changes = [isWhole ? { from: text, to } : { from, to, occurrence: { index: 0, of } }];
  return { path: parseValuePath(path), changes, wanted: changeText(text, changes) ?? "" };
}

describe("only the characters of the text change", () => {
  test.each<[string, string, string]>([
    ["plain", `a: ${from}  # why\nb: 1\n`, `a: ${to}  # why\nb: 1\n`],
    ["plain, at the end of the text", `a: ${from}`, `a: ${to}`],
    ["in double quotes", `a:   "${from}" # why\n`, `a:   "${to}" # why\n`],
    ["in single quotes", `a: '${from}'\n`, `a: '${to}'\n`],
    ["in a flow", `{b: [1], a: ${from}, c: d}\n`, `{b: [1], a: ${to}, c: d}\n`],
    ["in JSON", `{"b":[1],"a":"${from}"}`, `{"b":[1],"a":"${to}"}`],
    ["behind an anchor and a tag", `a: !!str &x ${from}\n`, `a: !!str &x ${to}\n`],
    ["of the later of two keys", `a: ${from}\na: ${from}\n`, `a: ${from}\na: ${to}\n`],
    ["of a list below its key's column", `a:\n- ${from}\n`, `a:\n- ${to}\n`],
    ["with CRLF", `a: ${from}\r\nb: 1\r\n`, `a: ${to}\r\nb: 1\r\n`],
    ["beside other alphabets", `ä: "€😀"\na: ${from} # 😀\n`, `ä: "€😀"\na: ${to} # 😀\n`],
    [
      "of a literal block",
      `a: |-  # kept\n   x\n\n   image: ${from}\n   # y\n# not its own\nb: 1\n`,
      `a: |-  # kept\n   x\n\n   image: ${to}\n   # y\n# not its own\nb: 1\n`,
    ],
    ["of a folded block", `a: >\n  x\n  ${from}\n  y\nb: 1\n`, `a: >\n  x\n  ${to}\n  y\nb: 1\n`],
    ["of a plain text of two lines", `a: x\n  ${from}\nb: 1\n`, `a: x\n  ${to}\nb: 1\n`],
    ["with escapes beside it", `a: "\\t${from}\\n"\n`, `a: "\\t${to}\\n"\n`],
  ])("%s", (_name, document, expected) => {
    const path = document.includes("\n- ") ? "a[0]" : "a";
    expect(editScalars(document, [edit(document, path)])).toBe(expected);
  });
});

describe("a scalar that cannot be edited is quoted", () => {
  test.each<[string, string, string]>([
    ["escaped", `a: "quay\\x2eio/a/b:1" # why\n`, `a: "${to}" # why\n`],
    ["an empty one", "a: ''\nb: 1\n", `a: "${to}"\nb: 1\n`],
    ["folded within its name", `a: "x quay.io/a/\\\n  b:1"\nb: 1\n`, `a: "x ${to}"\nb: 1\n`],
    [
      "a block with a comment that holds the name",
      `a: | # ${from}\n  ${from}\n  x\nb: 1\n`,
      `a: "${to}\\nx\\n"\nb: 1\n`,
    ],
  ])("%s", (_name, document, expected) => {
    expect(editScalars(document, [edit(document, "a")])).toBe(expected);
  });
});

describe("aliases", () => {
  const document = `a: &x ${from}\nb: *x\n`;

  test("change with their anchor where both are to", () => {
    expect(editScalars(document, [edit(document, "a"), edit(document, "b")])).toBe(`a: &x ${to}\nb: *x\n`);
  });

  test("keep it from changing where only one is to", () => {
    expect(() => editScalars(document, [edit(document, "b")])).toThrow(
      expect.objectContaining({ code: "residual-drift" }) as Error,
    );
  });
});

test("a text that is right already stays as it is written", () => {
  const document = `a: '${to}' # why\n`;
  const changes = [{ from, to }];
  expect(editScalars(document, [{ path: ["a"], wanted: to, changes }])).toBe(document);
});
