import { describe, expect, test } from "vitest";
import { readDiscoveryTags } from "./discovery-page.ts";
import { renderTemplates } from "./discovery-template.ts";

const labels = [
  { name: "version", value: "1.0" },
  { name: "os", value: "linux" },
  { name: "arch", value: "amd64" },
];

test.each([
  ["double quotes", `<meta name="ac-discovery" content="a.b https://x/{ext}">`, ["a.b https://x/{ext}"]],
  ["single quotes", `<meta name='ac-discovery' content='a.b https://x/{ext}'>`, ["a.b https://x/{ext}"]],
  ["no quotes where none are needed", `<meta name=ac-discovery content="a.b https://x">`, ["a.b https://x"]],
  ["the other order", `<meta content="a.b https://x" name="ac-discovery"/>`, ["a.b https://x"]],
  ["capitals", `<META NAME="AC-Discovery" CONTENT="a.b https://x">`, ["a.b https://x"]],
  [
    "lines and blanks",
    `<meta\n  name = "ac-discovery"\n\tcontent = " a.b\n https://x "\n>`,
    ["a.b https://x"],
  ],
  [
    "entities",
    `<meta name="ac-discovery" content="a&#46;b https://x/?q&#x3D;1&amp;v={version}">`,
    ["a.b https://x/?q=1&v={version}"],
  ],
  [
    "what is no entity",
    `<meta name="ac-discovery" content="a.b https://x/?a&nothing;=1&constructor;">`,
    ["a.b https://x/?a&nothing;=1&constructor;"],
  ],
  [
    "the first of an attribute twice",
    `<meta name="ac-discovery" content="a.b https://x" content="a.b https://y">`,
    ["a.b https://x"],
  ],
  [
    "a quote in the other quotes",
    `<meta data-x='">' name="ac-discovery" content="a.b https://x">`,
    ["a.b https://x"],
  ],
  [
    "several, in order",
    `<meta name="ac-discovery" content="a 1"><p><meta name="ac-discovery" content="b 2">`,
    ["a 1", "b 2"],
  ],
  ["none in a comment", `<!-- <meta name="ac-discovery" content="a.b https://x"> -->`, []],
  ["none in an open comment", `<!-- > <meta name="ac-discovery" content="a.b https://x">`, []],
  ["none in a script", `<script>"<meta name='ac-discovery' content='a https://x'>"</script>`, []],
  [
    "one after a script",
    `<script>if (a</script>0) {}</script ><meta name="ac-discovery" content="a 1">`,
    ["a 1"],
  ],
  ["none in a title", `<title><meta name="ac-discovery" content="a 1"></title>`, []],
  ["none in the body", `<head></head><body><meta name="ac-discovery" content="a 1">`, []],
  ["none after the head", `<head></HEAD ><meta name="ac-discovery" content="a 1">`, []],
  [
    "none of another name",
    `<meta name="ac-discovery-pubkeys" content="a 1"><metal name="ac-discovery" content="a 1">`,
    [],
  ],
  ["none with one part", `<meta name="ac-discovery" content="a.b">`, []],
  ["none with three parts", `<meta name="ac-discovery" content="a b c">`, []],
  ["none without an end", `<meta name="ac-discovery" content="a b`, []],
  ["what is no tag before it", `a < b <3 <> </> <meta name="ac-discovery" content="a 1">`, ["a 1"]],
])("tags are read: %s", (_title, html, expected) => {
  expect(readDiscoveryTags(html).map(({ prefix, template }) => `${prefix} ${template}`)).toEqual(expected);
});

test.each([
  ["open tags", "<a".repeat(500_000)],
  ["open tags and a quote", `${"<a".repeat(500_000)}"`],
  ["open comments", "<!--".repeat(250_000)],
  ["blanks in a tag", `<meta ${" ".repeat(1_000_000)}>`],
  ["attributes without an end", `<meta ${`a="b" `.repeat(150_000)}`],
  ["scripts without an end", "<script>".repeat(125_000)],
  ["quotes", `<meta ${`"`.repeat(999_999)}>`],
  ["equals", `<meta ${"a = ".repeat(250_000)}>`],
])("a megabyte of %s is read in time", (_title, html) => {
  const startMs = performance.now();
  expect(readDiscoveryTags(html)).toEqual([]);
  expect(performance.now() - startMs).toBeLessThan(2000);
});

describe("templates", () => {
  test.each([
    [
      "all that are as good, in order",
      ["a.b https://x/{name}-{version}.{ext}", "a.b https://y/{version}.{ext}"],
      ["https://x/a.b/c-1.0.aci", "https://y/1.0.aci"],
    ],
    [
      "those that tell most labels alone",
      ["a.b https://x/latest.{ext}", "a.b https://y/{os}/{arch}/{version}.{ext}"],
      ["https://y/linux/amd64/1.0.aci"],
    ],
    [
      "a plain prefix",
      ["a.b/ https://x/{ext}", "a. https://y/{ext}", "a.b/d https://z/{ext}", "b https://z/{ext}"],
      ["https://x/aci", "https://y/aci"],
    ],
    ["none with a part that is unknown", ["a.b https://x/{env}/{ext}"], []],
    ["none that is left open", ["a.b https://x/{version}/{{ext}}"], []],
    ["none of another scheme", ["a.b hdfs://x/{ext}", "a.b file:///x.{ext}", "a.b javascript:{ext}"], []],
    ["none with a user", ["a.b https://user:password@x/{ext}"], []],
    ["none that cannot tell a signature", ["a.b https://x/{version}"], []],
  ])("%s", (_title, tags, expected) => {
    const parsed = tags.map((tag) => ({
      prefix: tag.split(" ")[0] ?? "",
      template: tag.split(" ")[1] ?? "",
    }));
    const rendered = renderTemplates(parsed, { name: "a.b/c", labels });
    expect(rendered.map(({ image }) => image.href)).toEqual(expected);
    for (const { image, signature } of rendered)
      expect(signature.href).toBe(image.href.replace(/aci$/u, "aci.asc"));
  });

  test("values cannot leave their place in an address", () => {
    const version = "../../x?y#z/é";
    const tags = [{ prefix: "a", template: "https://x/{version}/f.{ext}" }];
    const [found] = renderTemplates(tags, { name: "a/b", labels: [{ name: "version", value: version }] });
    expect(found?.image.pathname).toBe(`/${encodeURIComponent(version)}/f.aci`);
  });
});
