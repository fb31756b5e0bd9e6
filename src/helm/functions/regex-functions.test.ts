import { expect, test } from "vitest";
import {
  callFunction,
  callRow,
  spelledSpans,
  valueText,
  type RowArgument,
  type RowResult,
} from "../../../test/support/go-function.ts";
import { RenderBudget } from "../go/context.ts";
import { intOf, type GoSlice, type GoValue } from "../go/value.ts";
import { regexFunctions } from "./regex-functions.ts";

/** What Go's own functions give. */
const rows: readonly [name: string, args: readonly RowArgument[], wanted: RowResult][] = [
  ["regexMatch", ["^[a-z]+$", "abc"], true],
  ["regexMatch", ["[", "abc"], false],
  ["mustRegexMatch", ["[", "abc"], { error: "error parsing regexp: missing closing ]: `[`" }],
  ["regexFind", ["[^/:]+$", "a/b:tag"], "tag"],
  ["regexFind", ["z", "abc"], ""],
  ["regexFindAll", ["a*", "baac", -1], ["", "aa", ""]],
  ["regexFindAll", ["é|.", "aé\n中", -1], ["a", "é", "中"]],
  ["regexFindAll", ["[0-9]", "a1b2c3", 2], ["1", "2"]],
  ["regexFindAll", ["x", "abc", -1], null],
  ["regexFindAll", ["a", "aaa", 0], null],
  ["regexReplaceAll", ["a(x*)b", "-ab-axxb-", "${1}W"], "-W-xxW-"],
  ["regexReplaceAll", ["a(x*)b", "-ab-axxb-", "$1W"], "---"],
  [
    "regexReplaceAll",
    ["a(x*)b", "-ab-axxb-", "<$0|$1|$2|$$|$|${1|${}|$-"],
    "-<ab|||$|$|${1|${}|$--<axxb|xx||$|$|${1|${}|$--",
  ],
  ["regexReplaceAll", ["(?P<k>\\w+)=(?P<v>\\w*)", "a=1 b=", "${v}:$k,"], "1:a, :b,"],
  ["regexReplaceAll", ["(a)|b", "ab", "[$1]"], "[a][]"],
  ["regexReplaceAll", ["a*", "baaac", "-"], "-b-c-"],
  ["regexReplaceAll", ["", "é", "-"], "-é-"],
  ["regexReplaceAll", ["$", "a\n", "!"], "a\n!"],
  ["regexReplaceAll", ["(?m)^", "a\nb", ". "], ". a\n. b"],
  ["regexReplaceAll", ["\\b", "ab cd", "|"], "|ab| |cd|"],
  ["regexReplaceAll", ["[^\\x00-\\x7f]", "né中", "\\u"], "n\\u\\u"],
  ["regexReplaceAllLiteral", ["a(x*)b", "-ab-axxb-", "${1}"], "-${1}-${1}-"],
  ["regexSplit", ["z+", "pizza", -1], ["pi", "a"]],
  ["regexSplit", ["z+", "pizza", 1], ["pizza"]],
  ["regexSplit", ["z+", "pizza", 2], ["pi", "a"]],
  ["regexSplit", ["z+", "pizza", 0], null],
  ["regexSplit", ["", "aé", -1], ["a", "é"]],
  ["regexSplit", [",", "", -1], [""]],
  ["regexSplit", [",", ",a,", -1], ["", "a", ""]],
  ["regexQuoteMeta", ["1.2.3-[a]{b}é"], "1\\.2\\.3-\\[a\\]\\{b\\}é"],
  ["mustRegexFind", ["[", ""], { error: "error parsing regexp: missing closing ]: `[`" }],
  ["mustRegexFind", ["(", ""], { error: "error parsing regexp: missing closing ): `(`" }],
  ["mustRegexFind", ["a)", ""], { error: "error parsing regexp: unexpected ): `a)`" }],
  [
    "mustRegexFind",
    ["*", ""],
    { error: "error parsing regexp: missing argument to repetition operator: `*`" },
  ],
  ["mustRegexFind", ["a**", ""], { error: "error parsing regexp: invalid nested repetition operator: `**`" }],
  [
    "mustRegexFind",
    ["\\", ""],
    { error: "error parsing regexp: trailing backslash at end of expression: ``" },
  ],
  ["mustRegexFind", ["a{1001}", ""], { error: "error parsing regexp: invalid repeat count: `{1001}`" }],
  ["mustRegexFind", ["(?<n", ""], { error: "error parsing regexp: invalid named capture: `(?<n`" }],
  ["mustRegexFind", ["(?P<>a)", ""], { error: "error parsing regexp: invalid named capture: `(?P<>`" }],
  [
    "mustRegexFind",
    ["(?=a)", ""],
    { error: "error parsing regexp: invalid or unsupported Perl syntax: `(?=`" },
  ],
  ["mustRegexFind", ["[z-a]", ""], { error: "error parsing regexp: invalid character class range: `z-a`" }],
  [
    "mustRegexFind",
    ["[[:foo:]]", ""],
    { error: "error parsing regexp: invalid character class range: `[:foo:]`" },
  ],
  [
    "mustRegexFind",
    ["\\p{Foo}", ""],
    { error: "error parsing regexp: invalid character class range: `\\p{Foo}`" },
  ],
  ["mustRegexFind", ["\\8", ""], { error: "error parsing regexp: invalid escape sequence: `\\8`" }],
  [
    "mustRegexFind",
    ["(?<", ""],
    { error: "error parsing regexp: invalid or unsupported Perl syntax: `(?<`" },
  ],
  [
    "mustRegexFind",
    ["(?z)", ""],
    { error: "error parsing regexp: invalid or unsupported Perl syntax: `(?z`" },
  ],
  ["mustRegexFind", ["é[", ""], { error: "error parsing regexp: missing closing ]: `[`" }],
  [
    "regexReplaceAll",
    ["[a", "x", "y"],
    { error: "regexp: Compile(`[a`): error parsing regexp: missing closing ]: `[a`" },
  ],
  [
    "regexFind",
    ["`(", ""],
    { error: 'regexp: Compile("`("): error parsing regexp: missing closing ): ``(`' },
  ],
  ["mustRegexReplaceAll", ["(", "x", "y"], { error: "error parsing regexp: missing closing ): `(`" }],
  [
    "mustRegexSplit",
    ["+", "x", 1],
    { error: "error parsing regexp: missing argument to repetition operator: `+`" },
  ],
];
test.each(rows)("%s %j", (name, args, wanted) => {
  expect(callRow(regexFunctions, name, args)).toEqual(wanted);
});

const image = valueText("docker.io/nginx:1.2", "image");
const spanRows: readonly [name: string, args: readonly GoValue[], wanted: string][] = [
  ["regexFind", ["[^:]+$", image], "[image+16:1.2]"],
  ["regexReplaceAll", ["^[^/]+", image, "mirror"], "mirror[image+9:/nginx:1.2]"],
  [
    "regexReplaceAll",
    ["^([^/]+)/([^:]+)", image, "$2 ${1}!"],
    "[image+10:nginx] [image+0:docker.io]![image+15::1.2]",
  ],
  [
    "regexReplaceAll",
    ["io", image, valueText("i$0", "new")],
    "[image+0:docker.][new+0:i][image+7:io/nginx:1.2]",
  ],
  ["regexReplaceAll", ["x$", image, "y"], "[image+0:docker.io/nginx:1.2]"],
  ["regexReplaceAllLiteral", [":.*", image, valueText(":2", "new")], "[image+0:docker.io/nginx][new+0::2]"],
];
test.each(spanRows)("%s keeps spans: %#", (name, args, wanted) => {
  expect(spelledSpans(callFunction(regexFunctions, name, args, { tracking: true }))).toBe(wanted);
});

test("parts keep their spans", () => {
  const split = callFunction(regexFunctions, "regexSplit", ["[/:]", image, intOf(-1)]) as GoSlice;
  expect(split.items.map(spelledSpans)).toEqual([
    "[image+0:docker.io]",
    "[image+10:nginx]",
    "[image+16:1.2]",
  ]);
  const found = callFunction(regexFunctions, "regexFindAll", ["[a-z]+x", image, intOf(-1)]) as GoSlice;
  expect(found.items.map(spelledSpans)).toEqual(["[image+10:nginx]"]);
});

test("bytes that are no UTF-8 are runes of their own", () => {
  expect(callFunction(regexFunctions, "regexReplaceAll", [".", "a\xffb", "<$0>"])).toBe("<a><\xff><b>");
  expect(() => callFunction(regexFunctions, "mustRegexMatch", ["a\xff", ""])).toThrow(
    "error parsing regexp: invalid UTF-8: `\xff`",
  );
});

test("a replacement makes no more than the budget has", () => {
  for (const name of ["regexReplaceAll", "regexReplaceAllLiteral"]) {
    const budget = new RenderBudget({ maxBytes: 1000 });
    const args = ["a", "a".repeat(100), "b".repeat(100)];
    expect(() => callFunction(regexFunctions, name, args, { budget })).toThrow(
      expect.objectContaining({ code: "limit-exceeded" }),
    );
  }
});
