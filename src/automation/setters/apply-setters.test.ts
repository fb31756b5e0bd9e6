import { describe, expect, test } from "vitest";
import { applySetters } from "./apply-setters.ts";
import type { SetterPolicies, SetterPolicy } from "./setter-value.ts";

const shop: SetterPolicy = {
  latest: { name: "ghcr.io/acme/shop", tag: "1.10", attributes: { pr: "1245", sha1: "9f1e2d", empty: "" } },
  attributeNames: ["pr", "sha1", "empty", "optional"],
};
const reflected: SetterPolicy = {
  latest: { name: "acme/api", tag: "v2", digest: `sha256:${"0".repeat(64)}`, attributes: {} },
  attributeNames: [],
};
const hostile: SetterPolicy = {
  latest: {
    name: "a",
    tag: "b",
    digest: "",
    attributes: { lines: "a\nb: c", quote: `"'`, constructor: "c" },
  },
  attributeNames: [],
};
const policies: SetterPolicies = new Map([
  ["apps/shop", shop],
  ["apps/api", reflected],
  ["apps/bad", hostile],
  ["apps/unknown-yet", { latest: undefined, attributeNames: ["pr"] }],
]);

/** A marker, by its setter. */
const marker = (setter: string): string => `# {"$imagepolicy": "${setter}"}`;
const tag = marker("apps:shop:tag");
const sha = marker("apps:shop:sha1");

function apply(text: string): string {
  return applySetters(text, policies, "a.yaml").text;
}

interface Row {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** `@` stands for the old scalar and the new one. */
function row(name: string, text: string, before: string, after: string): Row {
  return { name, before: text.replace("@", () => before), after: text.replace("@", () => after) };
}

describe("only the scalar changes", () => {
  const digest = `sha256:${"0".repeat(64)}`;
  test.each<Row>([
    row("an image", `image: @ ${marker("apps:shop")}\n`, "x:1", "ghcr.io/acme/shop:1.10"),
    row("an image with its digest", `image: @ ${marker("apps:api")}\n`, "x:1", `acme/api:v2@${digest}`),
    row("a name", `image: @ ${marker("apps:shop:name")}\n`, "x", "ghcr.io/acme/shop"),
    row("a digest", `image: @ ${marker("apps:api:digest")}\n`, "sha256:1", digest),
    row("an attribute", `a: @ ${sha}\n`, "old", "9f1e2d"),
    row("an attribute in quotes", `a: @ ${marker("apps:shop:pr")}\n`, '"12"', '"1245"'),
    row("a number becomes a string", `a: @ ${marker("apps:shop:pr")}\n`, "12", '"1245"'),
    row("an empty attribute", `a: @ ${marker("apps:shop:empty")}\n`, "x", '""'),
    row("a number in single quotes", `a: @ ${tag}\n`, "'1.9'", "'1.10'"),
    row("two quotes within quotes", `a: @ ${marker("apps:bad:quote")}\n`, "'1'", "'\"'''"),
    row("two quotes within double quotes", `a: @ ${marker("apps:bad:quote")}\n`, '"1"', `"\\"'"`),
    row("two quotes without quotes", `a: @ ${marker("apps:bad:quote")}\n`, "x", `"\\"'"`),
    row("an attribute named like a part of objects", `a: @ ${marker("apps:bad:constructor")}\n`, "x", "c"),
    row("a quoted scalar over lines", `a: @ ${sha}\n`, '"a\n\n  b"', '"9f1e2d"'),
    row("a plain scalar over lines", `a: @ ${sha}\nb: c\n`, "a\n   b\n  c", "9f1e2d"),
    row("a literal", `a: |-  ${sha}\n    @\nb: c\n`, "old\n    older", "9f1e2d"),
    row("a folded scalar", `a: >  ${sha}\n @\n\n\nb: c\n`, "old\n\n   older", "9f1e2d"),
    row("a literal that begins with blank lines", `a: |  ${sha}\n@\nb: c\n`, "\n\n  old", "  9f1e2d"),
    row("a literal that begins with blanks", `a: |2-  ${sha}\n  @\nb: c\n`, "   \n  old", "9f1e2d"),
    row("a literal that keeps its end", `a: |+  ${sha}\n  @\n\n\nb: c\n`, "old", "9f1e2d"),
    row("a literal that ends the text", `a: |  ${sha}\n  @`, "old", "9f1e2d"),
    row("a literal with CRLF", `a: |\t${sha}\r\n  @\r\nb: c\r\n`, "old\r\n  older", "9f1e2d"),
    row("an empty literal", `a: |  ${sha}\n@b: c\n`, "", "  9f1e2d\n"),
    row("an empty literal, deeper", `a:\n  b: |-  ${sha}\n@  c: d\n`, "", "    9f1e2d\n"),
    row("an empty literal with an indicator", `a: |3 ${sha}\n@b: c\n`, "", "   9f1e2d\n"),
    row("an empty literal that ends the text", `a: | ${sha}@`, "", "\n  9f1e2d"),
    row("an empty literal with CRLF", `a: | ${sha}\r\n@b: c\r\n`, "", "  9f1e2d\r\n"),
    row("an empty value", `a:@ ${sha}\nb: c\n`, "", " 9f1e2d"),
    row("an empty value, tagged", `a: !!str@ ${sha}\nb: c\n`, "", " 9f1e2d"),
    row("an empty value, anchored", `a: &x@   ${sha}\nb: *x\n`, "", " 9f1e2d"),
    row("an empty value in a flow map", `a: {b:@ , ${sha}\n  c: d}\n`, "", " 9f1e2d"),
    row("an empty value before the comment", `a: {"b":@${sha}\n  }\n`, "", " 9f1e2d "),
    row("an empty item", `-@ ${sha}\n- b\n`, "", " 9f1e2d"),
    row("a value on the next line", `a: ${sha}\n  @\nb: c\n`, "'old'", "'9f1e2d'"),
    row("the end of a flow map", `a: {b: @} ${sha}\n`, "old", "9f1e2d"),
    row("the end of a nested flow", `a: {b: [{c: @}]} ${sha}\n`, "old", "9f1e2d"),
    row("the end of a flow over lines", `a: [\n  @\n] ${sha}\n`, "old", "9f1e2d"),
    row("a flow with a key of the part", `a: {name: x, newTag: @} ${tag}\n`, "old", '"1.10"'),
    row("a flow with a key of the attribute", `a: {pr: x, sha1: @} ${sha}\n`, "old", "9f1e2d"),
    row(
      "a flow with an image",
      `- {name: x, image: @} ${marker("apps:shop")}\n`,
      "old",
      "ghcr.io/acme/shop:1.10",
    ),
    row("the value of a question mark", `? a\n: @ ${sha}\n`, "old", "9f1e2d"),
    row("a value with a key that is a map", `{{ .x }}: b\n? [c]\n: @ ${sha}\n`, "old", "9f1e2d"),
    row("beside a template", `a: {{ .x }} # {{ .y }}\nb: @ ${sha}\n`, "old", "9f1e2d"),
    row("beside emoji", `"😀": "😀" # 😀\nb: @ ${sha} \n`, "'😀'", "'9f1e2d'"),
    row("a lone carriage return", `a: @ ${sha}\rb: c\r`, "old", "9f1e2d"),
    row("a scalar of a document that is one", `--- @ ${sha}\n...\n`, "old", "9f1e2d"),
    row("after a directive", `%YAML 1.1\n---\na: @ ${sha}\n`, "old", "9f1e2d"),
  ])("$name", ({ before, after }) => {
    expect(applySetters(before, policies, "a.yaml").diagnostics).toEqual([]);
    expect(apply(before)).toBe(after);
    expect(apply(after)).toBe(after);
  });
});

describe("what is left alone", () => {
  const rows: readonly (readonly [name: string, text: string, message: string, hint?: string])[] = [
    [
      "an unknown policy",
      `a: x ${marker("apps:shpo")}`,
      "there is no policy apps:shpo",
      "did you mean apps:shop?",
    ],
    ["an unknown policy like none", `a: x ${marker("b:c:tag")}`, "there is no policy b:c"],
    [
      "an unknown part",
      `a: x ${marker("apps:shop:tga")}`,
      "apps:shop has no part tga",
      "did you mean apps:shop:tag?",
    ],
    [
      "an unknown attribute",
      `a: x ${marker("apps:shop:sha")}`,
      "apps:shop has no part sha",
      "did you mean apps:shop:sha1?",
    ],
    ["an inherited name", `a: x ${marker("apps:shop:toString")}`, "apps:shop has no part toString"],
    [
      "a name of one part",
      `a: x ${marker("shop")}`,
      'the marker\'s name "shop" is not of the form namespace:policy[:part]',
    ],
    [
      "a name of four parts",
      `a: x ${marker("a:b:c:d")}`,
      'the marker\'s name "a:b:c:d" is not of the form namespace:policy[:part]',
    ],
    [
      "a part that is none",
      `a: x ${marker("apps:shop:a-b")}`,
      'the marker\'s name "apps:shop:a-b" is not of the form namespace:policy[:part]',
    ],
    [
      "trailing text",
      `a: x ${sha} keep`,
      "this looks like a marker and is none: a marker is a JSON object of strings, and nothing more",
    ],
    [
      "no JSON",
      "a: x # {$imagepolicy: apps:shop}",
      "this looks like a marker and is none: a marker is a JSON object of strings, and nothing more",
    ],
    ["a key", `{a ${sha}\n}`, "the marker stands behind a key, not behind a value"],
    [
      "above a key",
      `${sha}\na: x`,
      "a marker on a line of its own counts only above a list item",
      "write it behind the value, on the same line",
    ],
    [
      "below a value",
      `a: x\n${sha}`,
      "a marker on a line of its own counts only above a list item",
      "write it behind the value, on the same line",
    ],
    [
      "behind a block's text",
      `a: |\n  x\n${sha}`,
      "a marker on a line of its own counts only above a list item",
      "write it behind the value, on the same line",
    ],
    [
      "an alias",
      `a: &x y\nb: *x ${sha}`,
      "the marker stands behind an alias, whose value is written elsewhere",
      "write it behind the value of the anchor &x",
    ],
    [
      "a flow of two",
      `a: [x, y] ${sha}`,
      "the marker stands behind several values",
      "write the values on lines of their own, and the marker behind one of them",
    ],
    [
      "a flow of a value and an alias",
      `a: &x y\nb: [z, *x] ${sha}`,
      "the marker stands behind several values",
      "write the values on lines of their own, and the marker behind one of them",
    ],
    [
      "a flow of an alias",
      `a: &x y\nb: [*x] ${sha}`,
      "the marker stands behind an alias, whose value is written elsewhere",
      "write it behind the value of the anchor &x",
    ],
    ["an empty flow", `a: [] ${sha}`, "the marker stands behind nothing that it could mean"],
    ["a flow's beginning", `a: [ ${sha}\n  x]`, "the marker stands behind nothing that it could mean"],
    ["a map's key", `a: ${sha}\n  b: x`, "the marker stands behind a key, not behind a value"],
    ["a list's key", `a: ${sha}\n  - x`, "the marker stands behind nothing that it could mean"],
    [
      "a marker in a longer comment",
      `# keep\n${sha}\n- x`,
      "the marker is a line of a longer comment, which as a whole is no marker",
      "write it behind the value, on the same line",
    ],
    [
      "a marker that a blank line parts",
      `- y\n${sha}\n\n- x`,
      "a blank line parts the marker from the item below it",
      "write it behind the value, on the same line",
    ],
    ["a number by its tag", `a: !!int 5 ${sha}`, 'the value is tagged !!int, and "9f1e2d" is a string'],
    ["a key that has no value", `{a, ${sha}\n}`, "the marker stands behind a key, not behind a value"],
  ];

  test.each(rows.map(([name, ...rest]) => ({ name, rest })))("$name", ({ rest: [text, message, hint] }) => {
    const applied = applySetters(text, policies, "a.yaml");
    expect(applied.text).toBe(text);
    const [diagnostic] = applied.diagnostics;
    expect(applied.diagnostics).toHaveLength(1);
    expect(diagnostic).toMatchObject({ code: "marker-unknown", severity: "warning", message });
    expect(diagnostic?.hint).toBe(hint);
    expect(diagnostic?.where.file).toBe("a.yaml");
  });

  test.each([
    [
      "an item that has one behind it",
      `- a\n${tag}\n- x ${sha}\n`,
      `- a\n${tag}\n- 9f1e2d ${sha}\n`,
      "the comment behind the item counts, not the marker above it",
    ],
    [
      "a scalar that has one already",
      `a: [x, ${sha}\n] ${tag}\n`,
      `a: [9f1e2d, ${sha}\n] ${tag}\n`,
      "the value has another marker already",
    ],
  ])("a second marker for %s", (_name, before, after, message) => {
    const { text, diagnostics } = applySetters(before, policies, "a.yaml");
    expect(text).toBe(after);
    expect(diagnostics).toMatchObject([{ code: "marker-unknown", message }]);
  });

  test("a group that took no part in the match", () => {
    const { text, diagnostics } = applySetters(
      `b: c\na: x ${marker("apps:shop:optional")}\n`,
      policies,
      "a.yaml",
    );
    expect(text).toContain("a: x #");
    expect(diagnostics).toMatchObject([{ code: "attribute-unmatched", where: { file: "a.yaml", line: 2 } }]);
  });

  test.each(["apps:shop:digest", "apps:bad:digest"])("a digest that there is not: %s", (setter) => {
    const { text, diagnostics } = applySetters(`a: x ${marker(setter)}\n`, policies, "a.yaml");
    expect(text).toContain("a: x #");
    expect(diagnostics).toMatchObject([
      { code: "attribute-unmatched", hint: "set digestReflectionPolicy to IfNotPresent or Always" },
    ]);
  });

  test("a value that no scalar is to hold", () => {
    const { text, diagnostics } = applySetters(`a: x ${marker("apps:bad:lines")}\n`, policies, "a.yaml");
    expect(text).toContain("a: x #");
    expect(diagnostics).toMatchObject([{ code: "object-invalid" }]);
  });

  test("a policy that has chosen nothing, in silence", () => {
    const text = `a: x ${marker("apps:unknown-yet")}\nb: y ${marker("apps:unknown-yet:pr")}\n`;
    expect(applySetters(text, policies, "a.yaml")).toEqual({ text, changes: [], diagnostics: [] });
  });

  test("other comments, in silence", () => {
    const text = `a: x # image: y ${sha}\n# see $imagepolicy\nb: "${sha.replaceAll('"', "'")}"\n`;
    expect(applySetters(text, policies, "a.yaml")).toEqual({ text, changes: [], diagnostics: [] });
  });

  test("a value that is the same", () => {
    const text = `a: 1.10 ${tag}\nb: |+ ${tag}\n  1.10\n\n`;
    expect(applySetters(text, policies, "a.yaml")).toEqual({ text, changes: [], diagnostics: [] });
  });

  test.each([
    ["a template", `a: x ${sha}\n{{- if .x }}\nb: c\n{{- end }}\n`, 2],
    ["a key given twice", `a: x ${sha}\nb: 1\nc:\n  d: 1\n  'd': 2\n`, 5],
    ["a second document", `a: x ${sha}\n---\nb: [c\n`, 4],
    ["an anchor that is missing", `a: x ${sha}\nb: *c\n`, 2],
    ["an anchor of another document", `a: &c x ${sha}\n---\nb: *c\n`, 3],
    ["a control character", `a: x ${sha}\nb: \u0007\n`, 2],
    ["a depth without end", `a: x ${sha}\nb: ${"[".repeat(2000)}\n`, 2],
  ])("a file with %s", (_name, text, line) => {
    expect(applySetters(text, policies, "a.yaml")).toMatchObject({
      text,
      changes: [],
      diagnostics: [{ code: "file-unparsable", where: { file: "a.yaml", line } }],
    });
  });
});

test("changes tell their object, line, setter and values, in their order", () => {
  const text = [
    "apiVersion: apps/v1",
    "kind: Deployment",
    "metadata: {name: shop, namespace: prod}",
    "spec:",
    `  image: "x" ${marker("apps:shop")}`,
    "---",
    "kind: ConfigMapList",
    "items:",
    "- kind: ConfigMap",
    "  metadata:",
    "    name: one",
    "  data:",
    `    tag: |- ${tag}`,
    "      1.9",
    `- ${sha}`,
    "  x",
    "",
  ].join("\n");
  const { changes } = applySetters(text, policies, "a.yaml");
  const deployment = { apiVersion: "apps/v1", kind: "Deployment", namespace: "prod", name: "shop" };
  expect(changes).toEqual([
    { line: 5, object: deployment, setter: "apps:shop", oldValue: "x", newValue: "ghcr.io/acme/shop:1.10" },
    {
      line: 13,
      object: { kind: "ConfigMap", name: "one" },
      setter: "apps:shop:tag",
      oldValue: "1.9",
      newValue: "1.10",
    },
    {
      line: 16,
      object: { kind: "ConfigMapList" },
      setter: "apps:shop:sha1",
      oldValue: "x",
      newValue: "9f1e2d",
    },
  ]);
});

const isNewer = (left: string, right: string): boolean => Number(left) > Number(right);

describe("downgrades", () => {
  const guarded: SetterPolicies = new Map([
    ["apps/shop", { ...shop, latest: { name: "shop", tag: "5", attributes: { sha1: "a" } }, isNewer }],
  ]);
  const image = marker("apps:shop");

  test.each([
    ["an older tag", `a: "4" ${tag}\n`, `a: "5" ${tag}\n`],
    ["an older image", `a: x:4@sha256:0 ${image}\n`, `a: shop:5 ${image}\n`],
    ["an image without a tag", `a: localhost:6/x ${image}\n`, `a: shop:5 ${image}\n`],
    ["a tag without a place in the order", `a: latest ${tag}\n`, `a: "5" ${tag}\n`],
  ])("%s is replaced", (_name, before, after) => {
    expect(applySetters(before, guarded, "a.yaml").text).toBe(after);
  });

  test.each([
    ["a newer tag", `a: "6" ${tag}\n`],
    ["a newer image", `a: x:6@sha256:0 ${image}\n`],
    ["what goes with a newer tag", `sha: b ${sha}\na: "6" ${tag}\n`],
  ])("%s is left", (_name, text) => {
    const { text: after, diagnostics } = applySetters(text, guarded, "a.yaml");
    expect(after).toBe(text);
    expect(diagnostics).toMatchObject([{ code: "downgrade-refused", where: { file: "a.yaml" } }]);
  });
});
