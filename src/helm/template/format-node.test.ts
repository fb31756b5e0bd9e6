import { describe, expect, test } from "vitest";
import { fromBytes, toBytes } from "../go/utf8.ts";
import { locateNode } from "./format-node.ts";
import type { TemplateSyntaxNode } from "./node.ts";
import { parseTemplate } from "./parser.ts";

const functions: ReadonlySet<string> = new Set(["foo", "eq"]);

/** A node and all that is in it, in the order of the text. */
function nodesIn(node: TemplateSyntaxNode): TemplateSyntaxNode[] {
  return [node].concat(childrenOf(node).flatMap((child) => nodesIn(child)));
}

function childrenOf(node: TemplateSyntaxNode): readonly TemplateSyntaxNode[] {
  if (node.kind === "list") return node.nodes;
  if (node.kind === "pipe") return [...node.declarations, ...node.commands];
  if (node.kind === "command") return node.args;
  if (node.kind === "chain") return [node.node];
  if (!("pipe" in node) || node.pipe === undefined) return [];
  if (!("list" in node)) return [node.pipe];
  return [node.pipe, node.list, ...(node.elseList === undefined ? [] : [node.elseList])];
}

describe("nodes stand where Go says, in its words", () => {
  const rows: readonly { readonly text: string; readonly nodes: readonly string[] }[] = [
    {
      text: "a\n\n  {{- foo .a.b.c (eq 1 $) -}}\n b",
      nodes: [
        "list 1:0 <a{{foo .a.b.c (eq 1 $)}}b>",
        "text 1:0 <a>",
        "action 3:6 <{{foo .a.b.c (eq 1 $)}}>",
        "pipe 3:6 <foo .a.b.c (eq 1 $)>",
        "command 3:6 <foo .a.b.c (eq 1 $)>",
        "identifier 3:6 <foo>",
        "field 3:12 <.a.b.c>",
        "pipe 3:18 <eq 1 $>",
        "command 3:18 <eq 1 $>",
        "identifier 3:18 <eq>",
        "number 3:21 <1>",
        "variable 3:23 <$>",
        "text 4:1 <b>",
      ],
    },
    {
      text: "é{{ $x := .a }}{{ $x.b }}\n{{$x = (foo).c }}",
      nodes: [
        "list 1:0 <é{{$x := .a}}{{$x.b}}\n{{$x = (foo).c}}>",
        "text 1:0 <é>",
        "action 1:5 <{{$x := .a}}>",
        "pipe 1:5 <$x := .a>",
        "variable 1:5 <$x>",
        "command 1:11 <.a>",
        "field 1:11 <.a>",
        "action 1:19 <{{$x.b}}>",
        "pipe 1:19 <$x.b>",
        "command 1:19 <$x.b>",
        "variable 1:21 <$x.b>",
        "text 1:26 <\n>",
        "action 2:2 <{{$x = (foo).c}}>",
        "pipe 2:2 <$x = (foo).c>",
        "variable 2:2 <$x>",
        "command 2:7 <(foo).c>",
        "chain 2:12 <(foo).c>",
        "pipe 2:8 <foo>",
        "command 2:8 <foo>",
        "identifier 2:8 <foo>",
      ],
    },
    {
      text: "{{if .a}}1{{else if eq .b 2}}\n {{.}}{{else}}{{nil | foo}}{{end}}",
      nodes: [
        "list 1:0 <{{if .a}}1{{else}}{{if eq .b 2}}\n {{.}}{{else}}{{nil | foo}}{{end}}{{end}}>",
        "if 1:5 <{{if .a}}1{{else}}{{if eq .b 2}}\n {{.}}{{else}}{{nil | foo}}{{end}}{{end}}>",
        "pipe 1:5 <.a>",
        "command 1:5 <.a>",
        "field 1:5 <.a>",
        "list 1:9 <1>",
        "text 1:9 <1>",
        "list 1:17 <{{if eq .b 2}}\n {{.}}{{else}}{{nil | foo}}{{end}}>",
        "if 1:20 <{{if eq .b 2}}\n {{.}}{{else}}{{nil | foo}}{{end}}>",
        "pipe 1:20 <eq .b 2>",
        "command 1:20 <eq .b 2>",
        "identifier 1:20 <eq>",
        "field 1:23 <.b>",
        "number 1:26 <2>",
        "list 1:29 <\n {{.}}>",
        "text 1:29 <\n >",
        "action 2:3 <{{.}}>",
        "pipe 2:3 <.>",
        "command 2:3 <.>",
        "dot 2:3 <.>",
        "list 2:14 <{{nil | foo}}>",
        "action 2:16 <{{nil | foo}}>",
        "pipe 2:16 <nil | foo>",
        "command 2:16 <nil>",
        "nil 2:16 <nil>",
        "command 2:22 <foo>",
        "identifier 2:22 <foo>",
      ],
    },
    {
      text: "{{range $i, $e := .l }}\n{{break}}{{continue}}{{else}}{{/* c */}} x {{end}}",
      nodes: [
        "list 1:0 <{{range $i, $e := .l}}\n{{break}}{{continue}}{{else}} x {{end}}>",
        "range 1:8 <{{range $i, $e := .l}}\n{{break}}{{continue}}{{else}} x {{end}}>",
        "pipe 1:8 <$i, $e := .l>",
        "variable 1:8 <$i>",
        "variable 1:12 <$e>",
        "command 1:18 <.l>",
        "field 1:18 <.l>",
        "list 1:23 <\n{{break}}{{continue}}>",
        "text 1:23 <\n>",
        "break 2:2 <{{break}}>",
        "continue 2:11 <{{continue}}>",
        "list 2:40 < x >",
        "text 2:40 < x >",
      ],
    },
    {
      text: '{{- with "a" }}{{ template "t" . }}\n{{ template `u` }}{{end}}',
      nodes: [
        'list 1:0 <{{with "a"}}{{template "t" .}}\n{{template "u"}}{{end}}>',
        'with 1:9 <{{with "a"}}{{template "t" .}}\n{{template "u"}}{{end}}>',
        'pipe 1:9 <"a">',
        'command 1:9 <"a">',
        'string 1:9 <"a">',
        'list 1:15 <{{template "t" .}}\n{{template "u"}}>',
        'template 1:27 <{{template "t" .}}>',
        "pipe 1:31 <.>",
        "command 1:31 <.>",
        "dot 1:31 <.>",
        "text 1:35 <\n>",
        'template 2:12 <{{template "u"}}>',
      ],
    },
    {
      text: '\n{{ block "b" .a }} {{ true }}{{end}}',
      nodes: [
        "list 2:18 < {{true}}>",
        "text 2:18 < >",
        "action 2:22 <{{true}}>",
        "pipe 2:22 <true>",
        "command 2:22 <true>",
        "bool 2:22 <true>",
        'list 1:0 <\n{{template "b" .a}}>',
        "text 1:0 <\n>",
        'template 2:9 <{{template "b" .a}}>',
        "pipe 2:13 <.a>",
        "command 2:13 <.a>",
        "field 2:13 <.a>",
      ],
    },
    {
      text: "{{define \"d\"}}\n  {{- .x }}{{end}}{{ foo.bar 'c' }}",
      nodes: [
        "list 2:2 <{{.x}}>",
        "action 2:6 <{{.x}}>",
        "pipe 2:6 <.x>",
        "command 2:6 <.x>",
        "field 2:6 <.x>",
        "list 1:0 <{{foo.bar 'c'}}>",
        "action 2:21 <{{foo.bar 'c'}}>",
        "pipe 2:21 <foo.bar 'c'>",
        "command 2:21 <foo.bar 'c'>",
        "chain 2:24 <foo.bar>",
        "identifier 2:21 <foo>",
        "number 2:29 <'c'>",
      ],
    },
  ];
  test.each(rows)("$text", ({ text, nodes }) => {
    const trees = parseTemplate({ name: "t", text: toBytes(text) }, (name) => functions.has(name));
    const inOrder = [...trees.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
    const found = inOrder.flatMap(({ root }) => nodesIn(root));
    const described = found.map((node) => {
      const { location, context } = locateNode(node);
      return `${node.kind} ${location.slice(2)} <${fromBytes(context)}>`;
    });
    expect(described).toEqual(nodes);
  });
});
