import { expect, test } from "vitest";
import { evaluate, printed } from "../../../test/support/evaluate.ts";
import { plainText } from "../go/text.ts";
import { Tracked } from "../go/value.ts";
import type { Origin } from "../provenance/span.ts";
import { defaultFunctions } from "./default-functions.ts";
import { dictFunctions } from "./dict-functions.ts";
import { listFunctions } from "./list-functions.ts";
import { mathFunctions } from "./math-functions.ts";
import { semverFunctions } from "./semver-functions.ts";

const functions = {
  ...defaultFunctions,
  ...dictFunctions,
  ...listFunctions,
  ...mathFunctions,
  ...semverFunctions,
};

/** What Go prints of each with `%#v`, or its error. */
const rows: readonly (readonly [expression: string, printed: string])[] = [
  ["default 1", "1"],
  ["default 1 nil", "1"],
  ['default 1 ""', "1"],
  ["default 1 0", "1"],
  ["default 1 false", "1"],
  ["default 1 (list)", "1"],
  ["default 1 (dict)", "1"],
  ["default 1 .missing", "1"],
  ["default 1 .no", "1"],
  ['default 1 "a"', '"a"'],
  ["default 1 true", "true"],
  ["default 1 (list nil)", "[]interface {}{interface {}(nil)}"],
  ['default 1 (float64 "NaN")', "NaN"],
  ['default nil ""', "<nil>"],
  ['default 1 "" 2', "1"],
  ["empty 0.0", "true"],
  ['empty (semver "1.2.3")', "false"],
  ["empty nil", "true"],
  ["empty (rest (list))", "true"],
  ["coalesce", "<nil>"],
  ['coalesce nil "" 0', "<nil>"],
  ['coalesce .no .missing "" 0 false (list) "a" "b"', '"a"'],
  ["all", "true"],
  ['all 1 "a"', "true"],
  ['all 1 ""', "false"],
  ["any", "false"],
  ['any 0 "" 1', "true"],
  ["any nil false", "false"],
  ["ternary 1 2 true", "1"],
  ["ternary 1 2 false", "2"],
  ["ternary 1 2 nil", "cannot assign nil to bool"],
  ['ternary 1 2 "true"', 'expected bool; found "true"'],
];

test.each(rows)("%s", (expression, wanted) => {
  expect(printed(functions, `{{ printf "%#v" (${expression}) }}`, { no: null })).toBe(wanted);
});

const values = {
  image: { name: "web", tag: "", digest: null, port: 80 },
  none: {},
  list: ["first", ""],
};

/** Each span as `text<origins>`, with what it stands instead of behind a `!`. */
const spans: readonly (readonly [expression: string, spans: string])[] = [
  ["default .image.name .image.tag", "web<image.name!image.tag>"],
  ["default .image.tag .image.name", "web<image.name>"],
  [".image.tag | default .image.digest | default .image.name", "web<image.name!image.tag image.digest>"],
  ['.image.tag | default "latest"', "latest<template!image.tag>"],
  ['.image.registry | default "docker.io"', "docker.io<template!image.registry>"],
  ['.none | default "nothing"', "nothing<template!none>"],
  [".image.tag | default 80", "80<!image.tag>"],
  ["default 80 .image.port", "80<image.port>"],
  ["coalesce .image.tag .image.digest .image.name .image.port", "web<image.name!image.tag image.digest>"],
  ["default .image.name (coalesce .image.tag .image.digest)", "web<image.name!image.tag image.digest>"],
  ["ternary .image.name .image.tag true", "web<image.name>"],
  ["ternary 1 .image.name true", "1"],
  ["first .list", "first<list.0>"],
  ["first (list 1 .image.name)", "1"],
  ['last (without .list "")', "first<list.0>"],
  ['get .image "name"', "web<image.name>"],
  ['get .image "registry" | default .image.name', "web<image.name!image.registry>"],
  ['get (dict "port" 80 "name" .image.name) "port"', "80"],
  ['dig "image" "name" "other" .', "web<image.name>"],
  ['dig "image" "registry" "other" .', "other<template!image.registry>"],
  ['get (merge (dict "tag" .image.tag) .image) "name"', "web<image.name>"],
  ['get (merge .image (dict "tag" .list)) "tag" | first', "first<list.0>"],
  ['get (merge .image (dict "tag" "v1")) "tag"', "v1<template!image.tag>"],
  ['get (mergeOverwrite .image (dict "tag" "v1")) "tag"', "v1<template>"],
  ["int .image.port", "80<image.port>"],
];

test.each(spans)("%s tells where it comes from", (expression, wanted) => {
  const text = evaluate(functions, `{{ ${expression} }}`, { values, tracking: true });
  const spelled =
    text instanceof Tracked
      ? text.spans.map(({ start, end, source }) => {
          const insteadOf =
            source.insteadOf === undefined ? "" : `!${source.insteadOf.map(nameOf).join(" ")}`;
          return `${plainText(text).slice(start, end)}<${source.origins.map(nameOf).join(" ")}${insteadOf}>`;
        })
      : [text];
  expect(spelled.join("")).toBe(wanted);
});

function nameOf(origin: Origin): string {
  return origin.kind === "value" ? origin.path.join(".") : origin.kind;
}
