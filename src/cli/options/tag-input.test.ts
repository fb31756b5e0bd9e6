import { describe, expect, test } from "vitest";
import { parseTags } from "./tag-input.ts";

test.each<[string, string, readonly string[]]>([
  ["lines", "1.0.0\n 1.1.0 \r\n\n2.0.0", ["1.0.0", "1.1.0", "2.0.0"]],
  ["nothing", "", []],
  ["an array", ' ["1.0.0","x"]', ["1.0.0", "x"]],
  ["what fairlead tags and registries write", '{"name":"a","tags":["1.0.0"]}', ["1.0.0"]],
  ["what skopeo writes", '{"Repository":"a","Tags":["1.0.0"]}', ["1.0.0"]],
  ["a registry without tags", '{"name":"a","tags":null}', []],
])("%s", (_name, text, expected) => {
  expect(parseTags(text, "tags")).toEqual(expected);
});

describe("refuses", () => {
  test.each([
    ["malformed JSON", "[1,", "malformed JSON"],
    ["an array of numbers", "[1]", "no array of tags"],
    ["an object without tags", "{}", "no array of tags"],
    ["tags that are a text", '{"tags":"1.0.0"}', "no array of tags"],
  ])("%s", (_name, text, message) => {
    expect(() => parseTags(text, "tags")).toThrow(message);
  });
});
