import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FairleadError } from "../core/error.ts";
import { isRepositoryPath, isTag } from "./grammar.ts";
import { maxReferenceLength } from "./invalid-reference.ts";
import {
  formatFamiliar,
  formatReference,
  formatWritten,
  parseReference,
  tryParseReference,
  withDefaultTag,
} from "./reference.ts";

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;

function word(from: string, maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...from.split("")), minLength: 1, maxLength });
}

function optional(arbitrary: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.option(arbitrary, { nil: "" });
}

function rejectionOf(text: string): FairleadError {
  try {
    parseReference(text);
  } catch (error) {
    if (error instanceof FairleadError) return error;
  }
  throw new Error(`${text.slice(0, 100)} was accepted`);
}

describe("references", () => {
  test.each([
    {
      text: "postgres:14",
      parsed: { registry: "docker.io", path: "library/postgres", tag: "14", writtenPath: "postgres" },
    },
    {
      text: "docker.io/nginx:1.23",
      parsed: {
        registry: "docker.io",
        path: "library/nginx",
        tag: "1.23",
        writtenRegistry: "docker.io",
        writtenPath: "nginx",
      },
    },
    {
      text: "index.docker.io/bitnami/redis",
      parsed: {
        registry: "docker.io",
        path: "bitnami/redis",
        writtenRegistry: "index.docker.io",
        writtenPath: "bitnami/redis",
      },
    },
    {
      text: "registry.hub.docker.com/library/nginx",
      parsed: {
        registry: "registry.hub.docker.com",
        path: "library/nginx",
        writtenRegistry: "registry.hub.docker.com",
        writtenPath: "library/nginx",
      },
    },
    {
      text: `[2001:db8::1]:5000/a/b:v1@${digest}`,
      parsed: {
        registry: "[2001:db8::1]:5000",
        path: "a/b",
        tag: "v1",
        digest,
        writtenRegistry: "[2001:db8::1]:5000",
        writtenPath: "a/b",
      },
    },
    { text: "org/app", parsed: { registry: "docker.io", path: "org/app", writtenPath: "org/app" } },
    {
      text: "my_mirror.example/app",
      parsed: { registry: "", path: "my_mirror.example/app", writtenPath: "my_mirror.example/app" },
    },
  ])("$text is taken apart", ({ text, parsed }) => {
    expect(parseReference(text)).toEqual(parsed);
  });

  test.each([
    { text: "nginx", canonical: "docker.io/library/nginx", familiar: "nginx" },
    { text: "index.docker.io/a/b:1", canonical: "docker.io/a/b:1", familiar: "a/b:1" },
    { text: "library/a/b", canonical: "docker.io/library/a/b", familiar: "library/a/b" },
    {
      text: `quay.io/a@${digest}`,
      canonical: `quay.io/a@${digest}`,
      familiar: `quay.io/a@${digest}`,
    },
  ])("$text is $canonical, shown as $familiar", ({ text, canonical, familiar }) => {
    const reference = parseReference(text);
    expect(formatReference(reference)).toBe(canonical);
    expect(formatFamiliar(reference)).toBe(familiar);
    expect(formatWritten(reference)).toBe(text);
  });

  test.each([
    { text: "nginx", result: "nginx:latest" },
    { text: "nginx:1", result: "nginx:1" },
    { text: `nginx@${digest}`, result: `nginx@${digest}` },
  ])("$text with a default tag is $result", ({ text, result }) => {
    expect(formatWritten(withDefaultTag(parseReference(text)))).toBe(result);
  });
});

describe("refusals", () => {
  test.each([
    { name: "the document's example", text: "invalid::image", hint: /tag/u },
    { name: "nothing", text: "", hint: /empty/u },
    { name: "an image ID", text: "0123456789abcdef".repeat(4), hint: /image ID/u },
    { name: "a URL", text: "https://quay.io/a", hint: /scheme/u },
    { name: "a space", text: "a b", hint: /character ' '/u },
    { name: "a line end", text: "nginx\n", hint: /character '\\n'/u },
    { name: "capitals in the path", text: "quay.io/App", hint: /lower case/u },
    { name: "a short digest", text: "a@sha256:0123", hint: /digest/u },
    { name: "a long tag", text: `a:${"x".repeat(129)}`, hint: /tag/u },
    { name: "a host with two dots", text: "quay..io/a", hint: /'quay\.\.io' is not a host/u },
    { name: "a long path", text: `quay.io/${"a".repeat(256)}`, hint: /at most 255/u },
    { name: "a long official path", text: "a".repeat(248), hint: /at most 255/u },
    { name: "an empty component", text: "a//b", hint: /empty/u },
    { name: "three underscores", text: "a___b", hint: /joined by/u },
    { name: "a megabyte", text: "a".repeat(1_000_000), hint: /at most 4096/u },
  ])("$name", ({ text, hint }) => {
    const error = rejectionOf(text);
    expect(error.code).toBe("reference-invalid");
    expect(error.hint).toMatch(hint);
    expect(tryParseReference(text)).toBeUndefined();
  });

  test("the message is document 002's", () => {
    expect(rejectionOf("invalid::image").message).toBe(
      "Cannot parse image reference 'invalid::image': invalid format",
    );
  });

  test("the message quotes the text escaped and capped", () => {
    expect(rejectionOf("a\u001b]0;x\u0007").message).toContain("'a\\x1b]0;x\\x07'");
    expect(rejectionOf(`a ${"😀".repeat(500_000)}`).message.length).toBeLessThan(260);
  });
});

test.each([
  { text: "a", path: true, tag: true },
  { text: "library/a_b--c.d", path: true, tag: false },
  { text: "A", path: false, tag: true },
  { text: "1.10-rc.1_x", path: true, tag: true },
  { text: "", path: false, tag: false },
  { text: ".a", path: false, tag: false },
  { text: "a/", path: false, tag: false },
  { text: "a\n", path: false, tag: false },
  { text: "a".repeat(128), path: true, tag: true },
  { text: "a".repeat(129), path: true, tag: false },
  { text: "a".repeat(256), path: false, tag: false },
])("%o: a path or a tag", ({ text, path, tag }) => {
  expect(isRepositoryPath(text)).toBe(path);
  expect(isTag(text)).toBe(tag);
});

describe("texts made to be slow", () => {
  const fragments = ["a", "-", "a-", "a.", "_", "a/", "a:", "A.", "[:", ":", "@", "0", "sha256:a", "a--"];
  test.each(fragments)("%o repeated", (fragment) => {
    const startMs = performance.now();
    for (const end of ["", "!", "/", "@", ":", "-"]) {
      tryParseReference(fragment.repeat(1_000_000) + end);
      for (let length = maxReferenceLength - 20; length < maxReferenceLength; length++) {
        tryParseReference(`a.b/${fragment.repeat(length / fragment.length)}${end}`);
      }
    }
    expect(performance.now() - startMs).toBeLessThan(2000);
  });
});

describe("properties", () => {
  const lower = "abcxyz0189";
  const component = fc
    .array(fc.tuple(word(lower, 5), fc.constantFrom(".", "_", "__", "-", "---")), {
      minLength: 1,
      maxLength: 3,
    })
    .map((parts) => parts.map(([text, separator]) => text + separator).join(""))
    .chain((head) => word(lower, 3).map((tail) => head + tail));
  const reference = fc
    .tuple(
      optional(
        fc.constantFrom("docker.io/", "index.docker.io/", "localhost/", "Host/", "[::1]:5000/", "a.b:1/"),
      ),
      fc.array(component, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/")),
      optional(word("aZ0_", 20).map((tag) => `:${tag}`)),
      optional(fc.constant(`@${digest}`)),
    )
    .map((parts) => parts.join(""));

  test("a reference formats as it was written, and its canonical form is a fixed point", () => {
    fc.assert(
      fc.property(reference, (text) => {
        const parsed = parseReference(text);
        expect(formatWritten(parsed)).toBe(text);
        const canonical = formatReference(parsed);
        const again = parseReference(canonical);
        expect(again).toMatchObject({ registry: parsed.registry, path: parsed.path });
        expect(formatReference(again)).toBe(canonical);
      }),
      { seed: 2, numRuns: 2000 },
    );
  });

  test("any text is a reference or a typed error", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      reference.chain((r) => fc.string().map((s) => r + s)),
    );
    fc.assert(
      fc.property(text, (any) => {
        const parsed = tryParseReference(any);
        if (parsed === undefined) expect(rejectionOf(any).code).toBe("reference-invalid");
        else expect(formatWritten(parsed)).toBe(any);
      }),
      { seed: 2, numRuns: 2000 },
    );
  });
});
