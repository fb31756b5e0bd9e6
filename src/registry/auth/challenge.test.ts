import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readChallenges } from "./challenge.ts";

const bearer = (parameters: Readonly<Record<string, string>>): object => ({ scheme: "bearer", parameters });
const basic = (parameters: Readonly<Record<string, string>> = {}): object => ({
  scheme: "basic",
  parameters,
});

test.each<[string, string | undefined, readonly object[]]>([
  ["none", undefined, []],
  ["an empty one", "", []],
  ["Basic", 'Basic realm="x"', [basic({ realm: "x" })]],
  ["Basic alone", "Basic", [basic()]],
  [
    "Docker Hub's",
    'Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:a/b:pull"',
    [
      bearer({
        realm: "https://auth.docker.io/token",
        service: "registry.docker.io",
        scope: "repository:a/b:pull",
      }),
    ],
  ],
  [
    "a comma in a value",
    'Bearer realm="r",scope="repository:a:pull,push"',
    [bearer({ realm: "r", scope: "repository:a:pull,push" })],
  ],
  ["any case of letters", 'BEARER Realm="r"', [bearer({ realm: "r" })]],
  [
    "bare values",
    "Bearer realm=https://x/token, service=s",
    [bearer({ realm: "https://x/token", service: "s" })],
  ],
  ["blanks", 'Bearer  realm = "r" ,\t service = "s"', [bearer({ realm: "r", service: "s" })]],
  ["escapes", String.raw`Basic realm="a\"b\\c"`, [basic({ realm: String.raw`a"b\c` })]],
  [
    "two",
    'Basic realm="a", Bearer realm="b",service="c"',
    [basic({ realm: "a" }), bearer({ realm: "b", service: "c" })],
  ],
  ["others too", 'Negotiate, NTLM TlRMTVNTUAAC==, Basic realm="a"', [basic({ realm: "a" })]],
  ["a name twice", 'Bearer realm="a",realm="b"', [bearer({ realm: "a" })]],
  ["no end of a text", 'Bearer realm="a', [bearer({})]],
  ["parameters alone", 'realm="a"', []],
  ["more than anybody sends", `Bearer realm="${"a".repeat(20_000)}"`, []],
])("reads %s", (_name, header, expected) => {
  expect(readChallenges(header)).toEqual(expected);
});

test("reads anything", () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom("Basic", "Bearer", " ", "=", '"', ",", "\\", "\t", "\0", "é", "a"),
        maxLength: 200,
      }),
      (header) => {
        expect(Array.isArray(readChallenges(header))).toBe(true);
      },
    ),
    { seed: 5 },
  );
});
