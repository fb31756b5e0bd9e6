import { describe, expect, test } from "vitest";
import { FairleadError } from "../../core/error.ts";
import { fromBytes, toBytes } from "../go/utf8.ts";
import { Tracked } from "../go/value.ts";
import { formatNode } from "./format-node.ts";
import { parseTemplate } from "./parser.ts";

const functions: ReadonlySet<string> = new Set(["foo", "printf", "eq"]);

function parse(text: string, maxDepth?: number): ReturnType<typeof parseTemplate> {
  return parseTemplate({ name: "t", text: toBytes(text) }, (name) => functions.has(name), maxDepth);
}

describe("trees are Go's", () => {
  const rows: readonly (readonly [text: string, trees: string])[] = [
    ["", "t="],
    ["plain } text", "t=plain } text"],
    ["a {{.}} b", "t=a {{.}} b"],
    ["a {{- .a -}} b", "t=a{{.a}}b"],
    ["a\n\t{{- .a }}\n{{ .b -}}\n c", "t=a{{.a}}\n{{.b}}c"],
    ["{{-3}}{{- 3}}{{3 -}}", "t={{-3}}{{3}}{{3}}"],
    ["a {{- /* no */ -}} b{{/* c */}} c", "t=ab c"],
    ["{{/* only */}}", "t="],
    ["{{ .a.b.c }}", "t={{.a.b.c}}"],
    ["{{$.a.b}}{{$}}", "t={{$.a.b}}{{$}}"],
    ["{{(.a).b.c}}", "t={{(.a).b.c}}"],
    ['{{(foo .a).b | printf "%s"}}', 't={{(foo .a).b | printf "%s"}}'],
    ["{{foo.bar}}", "t={{foo.bar}}"],
    ["{{ foo   (foo  .a)\n.b|foo }}", "t={{foo (foo .a) .b | foo}}"],
    ['{{"a\\tb\\x41\\u00e9\\377"}}{{`r\\n`}}', 't={{"a\\tb\\x41\\u00e9\\377"}}{{`r\\n`}}'],
    ["{{true}}{{false}}{{nil | foo}}", "t={{true}}{{false}}{{nil | foo}}"],
    ["{{$x := 1}}{{$x = .a}}{{$x.b}}", "t={{$x := 1}}{{$x = .a}}{{$x.b}}"],
    ["{{$new = 1}}", "t={{$new = 1}}"],
    [
      "{{range $i, $e := .a}}{{$i}}{{break}}{{else}}{{end}}",
      "t={{range $i, $e := .a}}{{$i}}{{break}}{{else}}{{end}}",
    ],
    ["{{range $e := .a}}{{continue}}{{end}}", "t={{range $e := .a}}{{continue}}{{end}}"],
    ["{{range $i, $e = .a}}{{end}}", "t={{range $i, $e = .a}}{{end}}"],
    ["{{range .a}}{{if .b}}{{break}}{{end}}{{end}}", "t={{range .a}}{{if .b}}{{break}}{{end}}{{end}}"],
    [
      "{{if .a}}1{{else if .b}}2{{else if .c}}3{{else}}4{{end}}",
      "t={{if .a}}1{{else}}{{if .b}}2{{else}}{{if .c}}3{{else}}4{{end}}{{end}}{{end}}",
    ],
    [
      "{{with .a}}1{{else with .b}}2{{else}}3{{end}}",
      "t={{with .a}}1{{else}}{{with .b}}2{{else}}3{{end}}{{end}}",
    ],
    ["{{with $x := .a}}{{$x}}{{end}}", "t={{with $x := .a}}{{$x}}{{end}}"],
    [
      '{{template "x"}}{{template `y` .a}}{{template "q\\"" $}}',
      't={{template "x"}}{{template "y" .a}}{{template "q\\"" $}}',
    ],
    ['{{define "a"}}1{{end}}2{{define `b`}}{{end}}', "a=1 # b= # t=2"],
    ['{{define "a"}} {{end}}{{define "a"}}1{{end}}{{define "a"}}\n{{end}}', "a=1 # t="],
    ['{{block "a" .x}}1{{end}}', 'a=1 # t={{template "a" .x}}'],
    ['{{define "t"}}1{{end}} ', "t=1"],
    [
      '{{if .a}}{{block "b" .}}{{block "c" .}}{{end}}{{end}}{{end}}',
      'b={{template "c" .}} # c= # t={{if .a}}{{template "b" .}}{{end}}',
    ],
    ["{{.é.ñ٣}}", "t={{.é.ñ٣}}"],
    ["{{foo|}}", "t={{foo}}"],
    ["{{nil}}", "t={{nil}}"],
    ["{{. .a}}", "t={{. .a}}"],
    ["{{.1}}", "t={{.1}}"],
    ["{{. 1}}", "t={{. 1}}"],
    ["{{.a .}}", "t={{.a .}}"],
    ["{{1 +2i}}", "t={{1 +2i}}"],
    ["{{foo -}}x{{- foo }}", "t={{foo}}x{{foo}}"],
    ["{{foo .}}{{foo nil .a}}", "t={{foo .}}{{foo nil .a}}"],
  ];
  test.each(rows)("%j: %j", (text, expected) => {
    const trees = [...parse(text)].map(([name, { root }]) => `${name}=${formatNode(root)}`);
    expect(fromBytes(trees.sort().join(" # "))).toBe(expected);
  });
});

describe("what a node holds", () => {
  test("the value of a string constant", () => {
    const [action] = parse(String.raw`{{"a\tb\x41\u00e9\377"}}`).get("t")?.root.nodes ?? [];
    expect(action).toMatchObject({
      pipe: { commands: [{ args: [{ text: "a\tbA\u00c3\u00a9\u00ff" }] }] },
    });
  });

  test("a raw string without carriage returns", () => {
    const [action] = parse("{{`a\r\n\\n`}}").get("t")?.root.nodes ?? [];
    expect(action).toMatchObject({ pipe: { commands: [{ args: [{ text: "a\n\\n" }] }] } });
  });

  test("text from values is parsed like any other", () => {
    const source = { name: "t", text: new Tracked("{{.a}}", []) };
    const tree = parseTemplate(source, () => false).get("t");
    expect(tree?.source).toBe(source);
    expect(tree?.root.nodes).toMatchObject([{ kind: "action", source }]);
  });
});

function nested(depth: number): string {
  return "{{if (.a)}}".repeat(depth - 1) + "{{end}}".repeat(depth - 1);
}

describe("limits", () => {
  const rows: readonly (readonly [name: string, text: string])[] = [
    ["parentheses", `{{${"(".repeat(1_000_000)}`],
    ["arguments in parentheses", `{{${"(.a ".repeat(250_000)}`],
    ["if in if", "{{if .a}}".repeat(100_000)],
    ["else if", `{{if .a}}${"{{else if .a}}".repeat(70_000)}`],
    ["range and with", "{{range .a}}{{with .b}}".repeat(40_000)],
    ["block in block", '{{block "a" .}}'.repeat(60_000)],
  ];
  test.each(rows)("%s without end", (_name, text) => {
    expect(() => parse(text)).toThrow(FairleadError);
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: "limit-exceeded" }));
  });

  test("the deepest nesting", () => {
    expect(parse(nested(50), 50).size).toBe(1);
    expect(() => parse(nested(51), 50)).toThrow("the template nests deeper than 50 levels");
  });

  test("what stands side by side is not deep", () => {
    expect(parse("{{foo (.a) (.b)}}{{if .a}}{{end}}".repeat(1000), 1).size).toBe(1);
  });
});

test("break and continue are functions where functions have their names", () => {
  const tree = parseTemplate({ name: "t", text: "{{break 1}}{{continue}}" }, () => true).get("t");
  expect(tree?.root.nodes.map(({ kind }) => kind)).toEqual(["action", "action"]);
});
