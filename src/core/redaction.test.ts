import { describe, expect, test } from "vitest";
import { createRedactor } from "./redaction.ts";

describe("a redactor", () => {
  const rows: readonly { name: string; secrets: readonly string[]; text: string; redacted: string }[] = [
    { name: "plain", secrets: ["hunter2"], text: "is hunter2!", redacted: "is [redacted]!" },
    { name: "twice", secrets: ["hunter2"], text: "hunter2hunter2", redacted: "[redacted][redacted]" },
    { name: "quoted", secrets: ['a"b\\c'], text: '"a\\"b\\\\c"', redacted: '"[redacted]"' },
    { name: "in base64", secrets: ["hunter2"], text: "aHVudGVyMg==", redacted: "[redacted]" },
    { name: "line by line", secrets: ["first\n  second\n"], text: "> second", redacted: "> [redacted]" },
    { name: "one in another", secrets: ["hunter", "hunter2"], text: "hunter2", redacted: "[redacted]" },
    { name: "a pattern's characters", secrets: ["a.*$&"], text: "abc a.*$&", redacted: "abc [redacted]" },
    { name: "too short", secrets: ["abc", ""], text: "abc", redacted: "abc" },
    { name: "no secret", secrets: ["true", "False"], text: "true False", redacted: "true False" },
  ];
  test.each(rows)("$name", ({ secrets, text, redacted }) => {
    expect(createRedactor(secrets)(text)).toBe(redacted);
  });
});
