import { describe, expect, test } from "vitest";
import { parseManifests } from "./manifest.ts";

function kindsOf(rendered: string): string[] {
  return parseManifests(rendered).map(({ kind, name }) => `${kind}/${name}`);
}

const object = (kind: string, name: string): string =>
  `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n`;

describe("the objects of a rendering", () => {
  test.each<[string, string, readonly string[]]>([
    ["nothing", "", []],
    ["two documents", `---\n${object("A", "a")}---\n${object("B", "b")}`, ["A/a", "B/b"]],
    ["no separator before the first", object("A", "a"), ["A/a"]],
    [
      "separators with blanks and comments",
      `---  \n${object("A", "a")}--- # next\n${object("B", "b")}`,
      ["A/a", "B/b"],
    ],
    ["comments and blank lines alone", `---\n# Source: app/templates/a.yaml\n\n# none\n---\n  \n`, []],
    [
      "lines that end in CRLF",
      `---\n${object("A", "a")}---\n${object("B", "b")}`.replaceAll("\n", "\r\n"),
      ["A/a", "B/b"],
    ],
    [
      "--- inside a block scalar",
      `---\n${object("A", "a")}data:\n  cert: |\n    ---\n    text\n    ---\n---\n${object("B", "b")}`,
      ["A/a", "B/b"],
    ],
    [
      "a document that is indented as a whole",
      `---\n${object("A", "a").replaceAll(/^/gmu, "  ").trimEnd()}\n`,
      ["A/a"],
    ],
    ["a document in JSON", '---\n{"kind": "A", "metadata": {"name": "a"}}\n', ["A/a"]],
    ["a scalar and a list", "---\ntext\n---\n- a\n", []],
    [
      "a List",
      "---\nkind: List\nitems:\n- kind: A\n  metadata: {name: a}\n- kind: B\n  metadata: {name: b}\n",
      ["A/a", "B/b"],
    ],
    ["a list of one kind", "---\nkind: RoleList\nitems: [{kind: Role, metadata: {name: a}}]\n", ["Role/a"]],
    [
      "a kind that ends in List and has no items",
      "---\nkind: AllowList\nmetadata: {name: a}\n",
      ["AllowList/a"],
    ],
    ["a list with text", "---\nkind: List\nitems: [{kind: A}, text]\n", ["List/"]],
    ["a resource with items", "---\nkind: PullList\nmetadata: {name: a}\nitems: [{a: 1}]\n", ["PullList/a"]],
    [
      "a resource with objects and more",
      "---\nkind: PullList\nmetadata: {name: a}\nspec: {}\nitems: [{kind: A}]\n",
      ["PullList/a"],
    ],
    ["a name that the cluster makes", "---\nkind: Job\nmetadata: {generateName: run-}\n", ["Job/run-"]],
    ["an object without a name", "---\nkind: A\n", ["A/"]],
  ])("%s", (_name, rendered, expected) => {
    expect(kindsOf(rendered)).toEqual(expected);
  });

  test("know the template that rendered them", () => {
    const rendered = `---
# Source: app/templates/a.yaml
${object("A", "a")}---
${object("B", "b")}---
# Source: app/charts/web/templates/c.yaml
# Source: not this one
${object("C", "c")}`;
    expect(parseManifests(rendered).map(({ template }) => template)).toEqual([
      "app/templates/a.yaml",
      "app/templates/a.yaml",
      "app/charts/web/templates/c.yaml",
    ]);
  });

  test("two objects of one document have one text", () => {
    const [first, second, third] = parseManifests(
      `---\n${object("A", "a")}---\n${object("A", "a")}---\n${object("A", "b")}`,
    );
    expect(first?.text).toBe(second?.text);
    expect(first?.text).not.toBe(third?.text);
  });

  test.each([
    ["test", true],
    ["test-success", true],
    ["test, test-failure", true],
    ["pre-install, test", false],
    ["pre-install", false],
    ["latest", false],
  ])("a hook %s is of helm test: %s", (hook, isTest) => {
    const rendered = `kind: Pod\nmetadata: {name: a, annotations: {helm.sh/hook: '${hook}'}}\n`;
    expect(parseManifests(rendered)).toMatchObject([{ isTest }]);
  });

  test("a document that is no YAML is an error that names the template", () => {
    expect(() => parseManifests("---\n# Source: app/templates/a.yaml\na: [\n")).toThrow(
      expect.objectContaining({
        code: "render-failed",
        where: expect.objectContaining({ file: "app/templates/a.yaml" }) as unknown,
      }) as Error,
    );
  });
});
