import { expect, test } from "vitest";
import type { ListedImage } from "../../relocation/list-images.ts";
import type { ImageOrigin } from "../../relocation/rendering/image-origins.ts";
import { formatImageTable } from "./image-table.ts";
import { describeTerminal } from "./terminal.ts";

const terminal = describeTerminal({}, {});

function image(origins: readonly Partial<ImageOrigin>[], changes: Partial<ListedImage> = {}): ListedImage {
  const place = {
    apiVersion: "v1",
    kind: "Pod",
    namespace: "",
    name: "web",
    field: "spec.containers[0].image",
    form: "container",
    origins: origins.map((origin): ImageOrigin => ({
      part: "repository",
      kind: "value",
      text: "a",
      start: 0,
      end: 1,
      exact: true,
      ...origin,
    })),
  } as const;
  return {
    source: "a:1",
    spec: { dockerImage: { registry: "docker.io", name: "library/a", tag: "1" } },
    values: [],
    enabled: true,
    places: [place],
    ...changes,
  };
}

const literal = { kind: "template", file: "app/templates/a.yaml", line: 3, column: 9 } as const;

test.each<[string, ListedImage, string]>([
  ["values alone", image([{}]), ""],
  ["off", image([], { enabled: false, places: [] }), "switched off"],
  ["not rendered", image([], { values: [{ valuePath: "a" }], places: [] }), "not rendered"],
  [
    "a literal",
    image([
      { ...literal, part: "registry" },
      { ...literal, part: "separator" },
      literal,
      { ...literal, part: "tag" },
    ]),
    "registry, repository, tag: literal in app/templates/a.yaml:3",
  ],
  [
    "a literal and a field in place of a value",
    image([
      { ...literal, part: "tag", insteadOf: [{ path: "tag" }] },
      { part: "tag", kind: "metadata", field: "Chart.AppVersion", insteadOf: [{ path: "tag" }] },
    ]),
    "tag: literal in app/templates/a.yaml:3 and .Chart.AppVersion, unless tag is set",
  ],
  ["a file", image([{ kind: "file", file: "app/a.txt", line: 1 }]), "repository: app/a.txt:1"],
  ["a function", image([{ kind: "generated", function: "randAlpha" }]), "repository: the function randAlpha"],
  ["nothing known", image([{ kind: "unknown" }]), "repository: not known"],
])("the note of %s", (_name, listed, note) => {
  const table = formatImageTable([listed], { rendered: true, terminal });
  const row = table.split("\n")[1] ?? "";
  expect(row.slice(row.indexOf(note === "" ? "a:1" : note))).toBe(note === "" ? row : note);
});

test("without a rendering nothing is called not rendered", () => {
  const listed = image([], { values: [{ valuePath: "web.image" }], places: [] });
  expect(formatImageTable([listed], { rendered: false, terminal })).toBe(
    "IMAGE  VALUES     NOTE\na:1    web.image\n",
  );
});
