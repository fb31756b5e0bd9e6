import { expect, test } from "vitest";
import { formatTable, type TableColumn } from "./table.ts";
import { textWidth } from "./text-width.ts";

const columns: readonly TableColumn[] = [
  { title: "image", shrinks: true },
  { title: "count", align: "right" },
  { title: "where", shrinks: true },
];
const long = `registry.k8s.io/${"path/".repeat(10)}app@sha256:${"a".repeat(64)}`;

test("columns are aligned and nothing trails", () => {
  const rows = [
    ["nginx:1.23", "2", "web.image"],
    ["redis:7", "10", ""],
    ["日本", "1", "x"],
  ];
  expect(formatTable(columns, rows, { width: undefined })).toBe(
    [
      "IMAGE       COUNT  WHERE",
      "nginx:1.23      2  web.image",
      "redis:7        10",
      "日本            1  x",
      "",
    ].join("\n"),
  );
});

test("a pipe gets every text whole", () => {
  expect(formatTable(columns, [[long, "1", long]], { width: undefined })).toContain(
    `${long}      1  ${long}\n`,
  );
});

test.each([60, 80, 200])("a terminal of %i columns gets lines that fit", (width) => {
  const lines = formatTable(
    columns,
    [
      [long, "1", long],
      ["short", "22", "short"],
    ],
    { width },
  ).split("\n");
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
  expect(lines[1]).toMatch(/^registry\.k8s\S*…\S*aaa +1 {2}registry\.k8s\S*…\S*aaa$/u);
});

test("text from outside cannot leave its cell", () => {
  const table = formatTable(
    columns,
    [["\u001b[2Jx\ny", "1", { text: "\u202ez", style: (text) => `<${text}>` }]],
    { width: undefined },
  );
  expect(table.split("\n")).toHaveLength(3);
  expect(table).toContain("\\x1b[2Jx\\ny");
  expect(table).toContain("<\\u202ez>");
});

test("a row that misses cells is filled, and no row leaves the titles", () => {
  expect(formatTable(columns, [["a"]], { width: 80 })).toBe("IMAGE  COUNT  WHERE\na\n");
  expect(formatTable(columns, [], { width: 80 })).toBe("IMAGE  COUNT  WHERE\n");
});
