import { expect, test } from "vitest";
import { callRow, type RowArgument, type RowResult } from "../../../test/support/go-function.ts";

import { wrapFunctions } from "./wrap-functions.ts";

/** What Go's own functions give. */
const rows: readonly [name: string, args: readonly RowArgument[], wanted: RowResult][] = [
  ["wrap", [5, "Hello World a"], "Hello\nWorld\na"],
  ["wrap", [3, "  long longer"], "long\nlonger"],
  ["wrap", [0, "a b"], "a\nb"],
  ["wrap", [5, "abcdefgh"], "abcdefgh"],
  ["wrapWith", [5, "\t", "HelloWorldHello"], "Hello\tWorld\tHello"],
  ["wrapWith", [4, "", "ab cdefghi j"], "ab\ncdef\nghi\nj"],
  ["wrapWith", [-1, "|", "ab c"], "a|b|c"],
];
test.each(rows)("%s %j", (name, args, wanted) => {
  expect(callRow(wrapFunctions, name, args)).toEqual(wanted);
});
