import { describe, expect, test } from "vitest";
import { createLocator } from "./locate.ts";
import { parseValuePath } from "./value-path.ts";

const text = `# values
image: &image
  repository: nginx
  "tag": 1.10 # a float
list:
- a
-   b: 1
    c: 2
- - d
flow: {e: [1, {f: 2}]}
alias: *image
merged:
  <<: *image
  tag: x
image2: 1
image2: 2
? explicit
: value
`;

describe("positions", () => {
  const rows = [
    { path: "image", position: { line: 2, column: 1 } },
    { path: "image.repository", position: { line: 3, column: 3 } },
    { path: "image.tag", position: { line: 4, column: 3 } },
    { path: "list", position: { line: 5, column: 1 } },
    { path: "list[0]", position: { line: 6, column: 3 } },
    { path: "list[1]", position: { line: 7, column: 5 } },
    { path: "list[1].c", position: { line: 8, column: 5 } },
    { path: "list[2][0]", position: { line: 9, column: 5 } },
    { path: "flow.e[1].f", position: { line: 10, column: 16 } },
    { path: "alias", position: { line: 11, column: 1 } },
    { path: "alias.tag", position: { line: 4, column: 3 } },
    { path: "merged.repository", position: { line: 3, column: 3 } },
    { path: "merged.tag", position: { line: 14, column: 3 } },
    { path: "image2", position: { line: 16, column: 1 } },
    { path: "explicit", position: { line: 17, column: 3 } },
    { path: "nothing", position: undefined },
    { path: "image.repository.x", position: undefined },
    { path: "list[9]", position: undefined },
    { path: "image.toString", position: undefined },
    { path: "", position: undefined },
  ];
  const locate = createLocator(text);
  test.each(rows)("$path", ({ path, position }) => {
    expect(locate(parseValuePath(path))).toEqual(position);
  });
});

test("a malformed text is refused when it is asked, not before", () => {
  const locate = createLocator("a: [", { file: "values.yaml" });
  expect(() => locate(["a"])).toThrow("expected a value");
});
