import { describe, expect, test } from "vitest";
import { FairleadError } from "../core/error.ts";
import { formatDigest, isDigest, parseDigest } from "./digest.ts";

const hex = "0123456789abcdef";

describe("digests", () => {
  test.each([
    { name: "sha256", text: `sha256:${hex.repeat(4)}`, algorithm: "sha256" },
    { name: "sha384", text: `sha384:${hex.repeat(6)}`, algorithm: "sha384" },
    { name: "sha512", text: `sha512:${hex.repeat(8)}`, algorithm: "sha512" },
  ])("$name is taken apart and put together again", ({ text, algorithm }) => {
    const digest = parseDigest(text);
    expect(digest).toEqual({ algorithm, hex: text.slice(7) });
    expect(formatDigest(digest)).toBe(text);
    expect(isDigest(text)).toBe(true);
  });
});

describe("what is no digest", () => {
  test.each([
    { name: "nothing", text: "" },
    { name: "hex alone", text: hex.repeat(4) },
    { name: "no hex", text: "sha256:" },
    { name: "too short", text: `sha256:${hex.repeat(4).slice(1)}` },
    { name: "too long", text: `sha256:${hex.repeat(4)}0` },
    { name: "the length of another algorithm", text: `sha512:${hex.repeat(4)}` },
    { name: "capital hex", text: `sha256:${hex.repeat(4).toUpperCase()}` },
    { name: "capital algorithm", text: `SHA256:${hex.repeat(4)}` },
    { name: "an unregistered algorithm", text: `md5:${hex.repeat(2)}` },
    { name: "a line end", text: `sha256:${hex.repeat(4)}\n` },
    { name: "an appc identifier", text: `sha512-${hex.repeat(8)}` },
    { name: "a megabyte", text: `sha256:${"a".repeat(1_000_000)}` },
  ])("$name is refused", ({ text }) => {
    expect(isDigest(text)).toBe(false);
    expect(() => parseDigest(text)).toThrow(FairleadError);
    expect(() => parseDigest(text)).toThrow(/^Cannot parse digest '.{0,230}': invalid format$/u);
  });
});
