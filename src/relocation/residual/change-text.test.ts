import { describe, expect, test } from "vitest";
import { changeField, changeText, findNames } from "./change-text.ts";
import type { ResidualChange } from "./residual-object.ts";

const from = "quay.io/a/b:1";
const to = "registry.lan/quayio/a/b:1";

describe("names in a text", () => {
  test.each<[string, string, readonly number[]]>([
    ["alone", from, [0]],
    ["in an argument", `--image=${from}`, [8]],
    ["in quotes, twice", `"${from}", '${from}'`, [1, 18]],
    ["behind a transport", `docker://${from}`, [9]],
    ["before the end of a sentence", `use ${from}.`, [4]],
    ["before a colon", `${from}: none`, [0]],
    ["of a longer tag", `${from}2 ${from}.2 ${from}-alpine`, []],
    ["with a digest", `${from}@sha256:12`, []],
    ["of another registry", `mirror.lan/${from} my-${from} a.${from}`, []],
    ["not there", "quay.io/a/b:2", []],
  ])("%s", (_name, text, expected) => {
    expect(findNames(text, [from]).map(({ start }) => start)).toEqual(expected);
  });
});

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

const first: ResidualChange = { from, to, occurrence: { index: 0, of: 2 } };
const second: ResidualChange = { from, to, occurrence: { index: 1, of: 2 } };

describe("a text with its changes", () => {
  test.each<[string, string, readonly ResidualChange[], string | undefined]>([
    ["whole", from, [{ from, to }], to],
    ["whole, and there already", to, [{ from, to }], to],
    ["whole, and another text", "quay.io/a/b:2", [{ from, to }], undefined],
    ["whole, and empty", "", [{ from: "", to }], to],
    ["the first of two", `${from} ${from}`, [first], `${to} ${from}`],
    ["the second of two", `${from} ${from}`, [second], `${from} ${to}`],
    ["both", `${from} ${from}`, [first, second], `${to} ${to}`],
    ["the second, the first being moved", `${to} ${from}`, [second], `${to} ${to}`],
    ["both, and there already", `${to} ${to}`, [first, second], `${to} ${to}`],
    ["one of two is gone", from, [first], undefined],
    ["one more than there was", `${from} ${from} ${from}`, [first], undefined],
    [
      "two wholes",
      from,
      [
        { from, to },
        { from, to: "other" },
      ],
      undefined,
    ],
    [
      "two names of different length",
      "x: nginx:1 y: redis:2",
      [
        { from: "nginx:1", to: "a.lan/nginx:1", occurrence: { index: 0, of: 1 } },
        { from: "redis:2", to: "a.lan/redis:2", occurrence: { index: 0, of: 1 } },
      ],
      "x: a.lan/nginx:1 y: a.lan/redis:2",
    ],
  ])("%s", (_name, text, changes, expected) => {
    expect(changeText(text, changes)).toBe(expected);
  });

  test.each<[string, string, string | undefined]>([
    ["in base64", base64(`run ${from} now`), base64(`run ${to} now`)],
    ["in base64, and there already", base64(`run ${to} now`), base64(`run ${to} now`)],
    ["no base64", `run ${from} now`, undefined],
    ["another text", base64("run nothing"), undefined],
  ])("%s", (_name, text, expected) => {
    const changes = [{ from, to, occurrence: { index: 0, of: 1 } }];
    expect(changeField(text, { encoded: true, changes })).toBe(expected);
  });
});
