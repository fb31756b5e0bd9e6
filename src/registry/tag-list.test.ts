import { describe, expect, test } from "vitest";
import { type Answer, cut, endless, json, raw } from "../../test/support/faulty-registry.ts";
import { failureFrom, quickClient, tagsOf, useFaultyRegistry } from "../../test/support/registry-case.ts";
import { parseReference } from "../reference/reference.ts";

const fixture = useFaultyRegistry();

function linkTo(link: string): Record<string, string> {
  return { link: `<${link}>; rel="next"` };
}

function nothing(): void {
  // A level of the log that is not looked at.
}

describe("a list of tags", () => {
  test("goes on where the registry says, and tells each tag once", async () => {
    const { image, path } = fixture.repository();
    const page = (tags: readonly string[], last?: string): Answer =>
      json(200, { tags }, last === undefined ? {} : { link: `<${path}/tags/list?last=${last}>; rel="next"` });
    fixture
      .registry()
      .answer(`${path}/tags/list`, page(["a", "b"], "b"), page(["b", "c"], "c"), page(["a", "d"]));
    expect(await quickClient().listTags(parseReference(image))).toEqual(["a", "b", "c", "d"]);
    const asked = fixture
      .registry()
      .seen.filter((request) => request.path.startsWith(path))
      .map((seen) => seen.path);
    expect(asked.map((url) => new URL(url, "http://x").search)).toEqual(["?n=1000", "?last=b", "?last=c"]);
  });

  test("asks for less where 1000 is too much", async () => {
    const { image, path } = fixture.repository();
    const refusal = json(400, { errors: [{ code: "PAGINATION_NUMBER_INVALID", message: "too many" }] });
    fixture.registry().answer(`${path}/tags/list`, refusal, tagsOf("a"));
    expect(await quickClient().listTags(parseReference(image))).toEqual(["a"]);
    expect(fixture.registry().seen.at(-1)?.path).toBe(`${path}/tags/list?n=100`);
  });

  test.each<[string, Answer, readonly string[]]>([
    ["null", json(200, { name: "x", tags: null }), []],
    ["nothing", json(200, { name: "x" }), []],
    ["what is no tag", tagsOf("good", "bad tag", "", "../x", "a\u001b[31m", "-x", "x".repeat(129)), ["good"]],
    ["keys of objects", tagsOf("__proto__", "constructor"), ["__proto__", "constructor"]],
  ])("of %s", async (_name, answer, expected) => {
    const { image, path } = fixture.repository();
    fixture.registry().answer(`${path}/tags/list`, answer);
    expect(await quickClient().listTags(parseReference(image))).toEqual(expected);
  });

  test("warns of what is no tag", async () => {
    const { image, path } = fixture.repository();
    const warnings: unknown[] = [];
    const warn = (message: string, fields: unknown): void => void warnings.push([message, fields]);
    fixture.registry().answer(`${path}/tags/list`, tagsOf("good", "bad tag"));
    await quickClient({ log: { debug: nothing, info: nothing, error: nothing, warn } }).listTags(
      parseReference(image),
    );
    expect(warnings).toEqual([
      ["the registry lists what is no tag", { repository: path.slice(4), count: 1 }],
    ]);
  });

  test.each<[string, (path: string) => Answer, RegExp]>([
    ["cut short", () => cut, /cannot reach/u],
    ["that is no JSON", () => raw(200, "<html>"), /no JSON object/u],
    ["that is no UTF-8", () => raw(200, Uint8Array.of(0x7b, 0xff, 0x7d)), /no JSON object/u],
    ["that is a list", () => json(200, ["a"]), /no JSON object/u],
    ["of numbers", () => tagsOf(1), /no list of tags/u],
    ["whose tags are a text", () => json(200, { tags: "a" }), /no list of tags/u],
    ["deeper than any stack", () => raw(200, `{"tags":${"[".repeat(900_000)}`), /no JSON object/u],
    [
      "of countless lists",
      () => raw(200, `{"tags":[${"[],".repeat(1_100_000)}[]]}`),
      /far more than a list/u,
    ],
    ["larger than allowed", () => endless(200, "a".repeat(65_536)), /sends more than 4000000 bytes/u],
    [
      "packed unasked",
      () => raw(200, "x", { "content-encoding": "gzip" }),
      /encoding that was not asked for/u,
    ],
    ["on another host", () => json(200, { tags: ["a"] }, linkTo("http://192.0.2.1/v2/x")), /another host/u],
    [
      "on another port",
      () => json(200, { tags: ["a"] }, linkTo("http://127.0.0.1:1/v2/x/tags/list")),
      /another host/u,
    ],
    [
      "by another scheme",
      () => json(200, { tags: ["a"] }, linkTo(`https://${fixture.registry().host}/v2/x/tags/list`)),
      /another host/u,
    ],
    [
      "for another user",
      () => json(200, { tags: ["a"] }, linkTo(`http://a:b@${fixture.registry().host}/v2/x/tags/list`)),
      /another host/u,
    ],
    [
      "that leads to itself",
      (path) => json(200, { tags: ["a"] }, linkTo(`${path}/tags/list?n=1000&last=a`)),
      /in a circle/u,
    ],
    [
      "that brings nothing more",
      (path) => {
        let page = 0;
        return (...args) => {
          page += 1;
          json(200, { tags: ["a"] }, linkTo(`${path}/tags/list?page=${page}`))(...args);
        };
      },
      /in a circle/u,
    ],
    [
      "without an end",
      (path) => {
        let page = 0;
        return (...args) => {
          page += 1;
          json(200, { tags: [`t${page}`] }, linkTo(`${path}/tags/list?page=${page}`))(...args);
        };
      },
      /without an end/u,
    ],
    [
      "with more tags than allowed",
      (path) => {
        let page = 0;
        return (...args) => {
          page += 1;
          const tags = Array.from({ length: 500 }, (_, index) => `t${page}-${index}`);
          json(200, { tags }, linkTo(`${path}/tags/list?page=${page}`))(...args);
        };
      },
      /without an end/u,
    ],
  ])("%s is refused", async (_name, answerFor, message) => {
    const { image, path } = fixture.repository();
    fixture.registry().answer(`${path}/tags/list`, answerFor(path));
    const limits = { maxPages: 50, maxTags: 2_000, maxPageBytes: 4_000_000 };
    const error = await failureFrom(quickClient({ tagListLimits: limits }).listTags(parseReference(image)));
    expect(error.message).toMatch(message);
    expect(["registry-failed", "registry-unreachable", "limit-exceeded"]).toContain(error.code);
  });

  test("a hundred thousand tags on one page", async () => {
    const { image, path } = fixture.repository();
    const tags = Array.from({ length: 100_000 }, (_, index) => `main-${index}-0123456789abcdef`);
    fixture.registry().answer(`${path}/tags/list`, tagsOf(...tags));
    expect(await quickClient().listTags(parseReference(image))).toEqual(tags);
  });
});
