import { assert, constantFrom, integer, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import {
  escapeChatMarkdown,
  escapeHtml,
  escapeLark,
  escapeMarkdown,
  escapeTelegram,
  escapeWithin,
} from "./escape-markup.ts";
import { lengthOf } from "./truncate.ts";

describe("Markdown", () => {
  test.each([
    ["plain words, podinfo:6.5.0 and main@sha1:ab_cd", "plain words, podinfo:6.5.0 and main@sha1:ab_cd"],
    ["*bold* _soft_ snake_case", String.raw`\*bold\* \_soft\_ snake_case`],
    ["[a](https://b) ![c](d)", String.raw`\[a\](https://b) !\[c\](d)`],
    ["<img src=x> &lt; R&D", "&lt;img src=x> &amp;lt; R&D"],
    ["# head\n> quote\n- item\n1. one\n+ x", "\\# head\n\\> quote\n\\- item\n1\\. one\n\\+ x"],
    ["a\n===\nb\n---", "a\n\\===\nb\n\\---"],
    ["`code` ~~x~~ | y", String.raw`\`code\` \~\~x\~\~ \| y`],
    ["@team hi @me", "@\u2060team hi @\u2060me"],
    ["back\\slash", "back\\\\slash"],
  ])("%j", (text, expected) => {
    expect(escapeMarkdown(text)).toBe(expected);
  });
});

test.each([
  ["@**all** [x](y) snake_case", String.raw`@\*\*all\*\* \[x\](y) snake_case`],
  ["# head <x>", String.raw`\# head <x>`],
])("chat %j", (text, expected) => {
  expect(escapeChatMarkdown(text)).toBe(expected);
});

test("HTML is text again to who reads it", () => {
  expect(escapeHtml(`<a href="x">'&amp;'</a>`)).toBe(
    "&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;&#39;&lt;/a&gt;",
  );
});

describe("any text", () => {
  const escapes = { escapeChatMarkdown, escapeHtml, escapeLark, escapeMarkdown, escapeTelegram };
  test.each(Object.entries(escapes))("%s stays within its limit, whole", (_name, escape) => {
    assert(
      property(
        string({ unit: "binary", maxLength: 300 }),
        integer({ min: 20, max: 120 }),
        constantFrom("code points" as const, "utf-16" as const, "bytes" as const),
        (text, limit, unit) => {
          const escaped = escapeWithin(text, escape, limit, unit);
          expect(lengthOf(escaped, unit)).toBeLessThanOrEqual(limit);
          expect(escaped.isWellFormed()).toBe(text.isWellFormed());
        },
      ),
      { seed: 20_260_504 },
    );
  });
});
