import { expect, test } from "vitest";
import { sortManifests } from "./sort-manifests.ts";

function kinds(names: readonly string[]): string {
  return names.map((name) => `kind: ${name}\n---\n`).join("");
}

test.each([
  ["helm3", ["Namespace", "Service", "Deployment", "Foo", "MutatingWebhookConfiguration", "Zed", "Zed"]],
  ["helm4", ["Namespace", "Service", "Deployment", "MutatingWebhookConfiguration", "Foo", "Zed", "Zed"]],
] as const)("%s sorts by kind, and by file within a kind", (helm, sorted) => {
  const files = new Map([
    ["c/templates/z.yaml", kinds(["Zed", "Service", "MutatingWebhookConfiguration", "Namespace"])],
    ["c/templates/a.yaml", kinds(["Foo", "Deployment", "Zed"])],
    ["c/templates/_p.yaml", kinds(["Pod"])],
    ["c/templates/e.yaml", " \n"],
  ]);
  const { manifests } = sortManifests(files, helm);
  expect(manifests.map(({ head }) => head.kind)).toEqual(sorted);
  expect(manifests.filter(({ head }) => head.kind === "Zed").map(({ source }) => source)).toEqual([
    "c/templates/a.yaml",
    "c/templates/z.yaml",
  ]);
});

test.each<[string, string, readonly string[] | undefined, number]>([
  ["one event", "pre-install", ["pre-install"], 0],
  ["several, in any case", "Pre-Install, test-success", ["pre-install", "test"], 0],
  ["a weight", "post-delete\n    helm.sh/hook-weight: '-5'", ["post-delete"], -5],
  ["a weight that is a number", "test\n    helm.sh/hook-weight: 7", ["test"], 7],
  ["a weight that the text ends with", "test\n    helm.sh/hook-weight: |\n      5", ["test"], 5],
  ["a weight that is none", "test\n    helm.sh/hook-weight: many", ["test"], 0],
  ["an unknown event", "crd-install", undefined, 0],
  ["an unknown event among others", "test,soon", undefined, 0],
  ["nothing", '""', undefined, 0],
])("hooks: %s", (_name, annotation, events, weight) => {
  const text = `metadata:\n  annotations:\n    helm.sh/hook: ${annotation}\n`;
  const { hooks, manifests, unknownHooks } = sortManifests(new Map([["c/h.yaml", text]]), "helm3");
  expect(manifests).toEqual([]);
  expect(unknownHooks).toHaveLength(events === undefined ? 1 : 0);
  expect(hooks).toMatchObject(events === undefined ? [] : [{ events, weight }]);
});

const unmarshal = "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal";
const metadata = String.raw`struct { Name string "json:\"name\""; Annotations map[string]string "json:\"annotations\"" }`;

test.each([
  ["a list", "- a", `${unmarshal} array into Go value of type releaseutil.SimpleHead`],
  ["a text", "text", `${unmarshal} string into Go value of type releaseutil.SimpleHead`],
  [
    "a kind that is a map",
    "kind: {a: b}",
    `${unmarshal} object into Go struct field SimpleHead.kind of type string`,
  ],
  [
    "metadata",
    "metadata: x",
    `${unmarshal} string into Go struct field SimpleHead.metadata of type ${metadata}`,
  ],
  [
    "annotations",
    "metadata: {annotations: [a]}",
    `${unmarshal} array into Go struct field .metadata.annotations of type map[string]string`,
  ],
  [
    "an annotation",
    "metadata: {annotations: {a: [b]}}",
    `${unmarshal} array into Go struct field .metadata.annotations of type string`,
  ],
  [
    "no YAML",
    "a: b: c",
    "error converting YAML to JSON: yaml: mapping values are not allowed in this context",
  ],
])("refuses %s", (_name, text, problem) => {
  expect(() => sortManifests(new Map([["c/templates/a.yaml", text]]), "helm3")).toThrow(
    expect.objectContaining({
      code: "render-failed",
      message: `YAML parse error on c/templates/a.yaml: ${problem}`,
    }) as Error,
  );
});

test("reads a head as Go reads a struct", () => {
  const text =
    "Kind: 5\napiVersion: 1.10\nmetadata:\n  name: 0x10\n  annotations: {a: true, b: null, c: 1.5}\n";
  expect(sortManifests(new Map([["c/a.yaml", text]]), "helm3").manifests[0]?.head).toEqual({
    kind: "5",
    apiVersion: "1.1",
    name: "16",
    annotations: new Map([
      ["a", "true"],
      ["b", ""],
      ["c", "1.5"],
    ]),
  });
});
