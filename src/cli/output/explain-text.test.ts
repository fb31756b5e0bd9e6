import { expect, test } from "vitest";
import type { ExplainedLeaf, ExplainedObject } from "../../relocation/explain/explain.ts";
import type { TextOrigin } from "../../relocation/rendering/text-origins.ts";
import { formatExplanation } from "./explain-text.ts";
import { describeTerminal, type Terminal } from "./terminal.ts";

const wide = describeTerminal({}, {});
const narrow = describeTerminal({ isTTY: true, columns: 40 }, { NO_COLOR: "1" });
const chart = { name: "app", version: "1.0.0", path: "app" };

function origin(text: string, start: number, source: Partial<TextOrigin>): TextOrigin {
  return { kind: "value", text, start, end: start + text.length, exact: true, ...source };
}

const image: ExplainedLeaf = {
  field: "spec.image",
  value: "org/app:2",
  text: "org/app:2",
  origins: [
    origin("org/app", 0, { path: "web.image", file: "app/values.yaml", line: 3, column: 5 }),
    origin(":", 7, { kind: "template", file: "app/templates/a.yaml", line: 9, column: 1 }),
    origin("2", 8, {
      kind: "metadata",
      field: "Chart.AppVersion",
      file: "app/Chart.yaml",
      line: 4,
      column: 1,
      insteadOf: [{ path: "web.tag", flag: "--set" }],
    }),
  ],
};
const computed: ExplainedLeaf = {
  field: "spec.sum",
  value: "abc",
  text: "abc",
  origins: [
    origin("abc", 0, { path: "a", exact: false, file: "app/values.yaml", line: 1, column: 1 }),
    origin("abc", 0, { path: "b", exact: false }),
  ],
};

function format(object: Partial<ExplainedObject>, terminal: Terminal = wide): string {
  const named = { apiVersion: "v1", kind: "Pod", namespace: "", name: "web", file: "app/templates/a.yaml" };
  return formatExplanation({ chart, objects: [{ ...named, ...object }] }, terminal);
}

test("the objects of a chart", () => {
  expect(format({ namespace: "prod" })).toBe("OBJECT        TEMPLATE\nprod/Pod/web  app/templates/a.yaml\n");
});

test("a field, piece by piece", () => {
  expect(format({ field: "spec.image", leaves: [image] })).toBe(`Pod/web spec.image
  of app/templates/a.yaml

org/app:2

TEXT     FROM                   AT
org/app  web.image              app/values.yaml:3:5
:        the template's text    app/templates/a.yaml:9:1
2        .Chart.AppVersion      app/Chart.yaml:4:1
         unless web.tag is set  --set
`);
});

test("where a table would be cut, each piece has lines of its own", () => {
  expect(format({ field: "spec.image", leaves: [image] }, narrow)).toBe(`Pod/web spec.image
  of app/templates/a.yaml

org/app:2

org/app
  web.image
  app/values.yaml:3:5
:
  the template's text
  app/templates/a.yaml:9:1
2
  .Chart.AppVersion
  app/Chart.yaml:4:1
  unless web.tag is set
  --set
`);
});

test("what is below a field", () => {
  expect(format({ field: "spec", leaves: [image, computed] })).toBe(`Pod/web spec
  of app/templates/a.yaml

FIELD  TEXT     FROM                   AT
image  org/app  web.image              app/values.yaml:3:5
       :        the template's text    app/templates/a.yaml:9:1
       2        .Chart.AppVersion      app/Chart.yaml:4:1
                unless web.tag is set  --set
sum    abc      computed from a        app/values.yaml:1:1
                and computed from b
`);
});

test("all of an object, a line a field", () => {
  expect(format({ leaves: [image, computed] })).toBe(`Pod/web
  of app/templates/a.yaml

FIELD       TEXT       FROM                              AT
spec.image  org/app:2  web.image, .Chart.AppVersion
spec.sum    abc        computed from a, computed from b
`);
});

test("a narrow terminal gets no places for a whole object", () => {
  const text = format({ leaves: [image] }, narrow);
  expect(text).toContain("FIELD       TEXT       FROM\n");
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(40);
});

test("pieces have the colours of what they come from", () => {
  const terminal = describeTerminal({ isTTY: true, columns: 100 }, {});
  expect(format({ field: "spec.image", leaves: [image] }, terminal)).toContain(
    "\u001B[32morg/app\u001B[39m\u001B[34m:\u001B[39m\u001B[35m2\u001B[39m\n",
  );
});

test("texts that a terminal or a CI system would act on are made harmless", () => {
  const hostile = "::set-output name=a::\u001B[31m\nb";
  const origins = [origin(hostile, 0, { path: "a" })];
  const leaf: ExplainedLeaf = { field: "data", value: hostile, text: hostile, origins };
  for (const terminal of [wide, narrow]) {
    const text = format({ field: "data", leaves: [leaf] }, terminal);
    expect(text).toContain(String.raw`\x3a:set-output name=a::\x1b[31m\nb`);
    expect(text).not.toContain("\u001B");
  }
});
