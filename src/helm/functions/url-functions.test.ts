import { expect, test } from "vitest";
import {
  callFunction,
  callRow,
  spelledSpans,
  valueText,
  type RowResult,
} from "../../../test/support/go-function.ts";
import { toBytes } from "../go/utf8.ts";
import { GoMap, intOf } from "../go/value.ts";
import { urlFunctions } from "./url-functions.ts";

/** What Go's own functions give. */
const parseRows: readonly [name: string, args: readonly string[], wanted: RowResult][] = [
  [
    "urlParse",
    ["http://user:pa%20ss@Host:80/p%2Fq?x=y#fr%61g"],
    {
      fragment: "frag",
      host: "Host:80",
      hostname: "Host",
      opaque: "",
      scheme: "http",
      path: "/p/q",
      query: "x=y",
      userinfo: "user:pa%20ss",
    },
  ],
  [
    "urlParse",
    ["mailto:a@b"],
    {
      fragment: "",
      host: "",
      hostname: "",
      opaque: "a@b",
      scheme: "mailto",
      path: "",
      query: "",
      userinfo: "",
    },
  ],
  [
    "urlParse",
    ["//h/p"],
    { fragment: "", host: "h", hostname: "h", opaque: "", scheme: "", path: "/p", query: "", userinfo: "" },
  ],
  [
    "urlParse",
    ["///p"],
    { fragment: "", host: "", hostname: "", opaque: "", scheme: "", path: "///p", query: "", userinfo: "" },
  ],
  [
    "urlParse",
    ["p?"],
    { fragment: "", host: "", hostname: "", opaque: "", scheme: "", path: "p", query: "", userinfo: "" },
  ],
  [
    "urlParse",
    ["http://[fe80::1%25en0]:80/"],
    {
      fragment: "",
      host: "[fe80::1%en0]:80",
      hostname: "fe80::1%en0",
      opaque: "",
      scheme: "http",
      path: "/",
      query: "",
      userinfo: "",
    },
  ],
  [
    "urlParse",
    ["http://h?x#"],
    {
      fragment: "",
      host: "h",
      hostname: "h",
      opaque: "",
      scheme: "http",
      path: "",
      query: "x",
      userinfo: "",
    },
  ],
  [
    "urlParse",
    ["oci://r.io/x:1"],
    {
      fragment: "",
      host: "r.io",
      hostname: "r.io",
      opaque: "",
      scheme: "oci",
      path: "/x:1",
      query: "",
      userinfo: "",
    },
  ],
  [
    "urlParse",
    ["*"],
    { fragment: "", host: "", hostname: "", opaque: "", scheme: "", path: "*", query: "", userinfo: "" },
  ],
  [
    "urlParse",
    ["http://@h"],
    { fragment: "", host: "h", hostname: "h", opaque: "", scheme: "http", path: "", query: "", userinfo: "" },
  ],
  [
    "urlParse",
    ["http://h%c3%a9/"],
    {
      fragment: "",
      host: "hé",
      hostname: "hé",
      opaque: "",
      scheme: "http",
      path: "/",
      query: "",
      userinfo: "",
    },
  ],
  [
    "urlParse",
    ["a:b"],
    { fragment: "", host: "", hostname: "", opaque: "b", scheme: "a", path: "", query: "", userinfo: "" },
  ],
  ["urlParse", ["::"], { error: 'unable to parse url: parse "::": missing protocol scheme' }],
  [
    "urlParse",
    ["a b"],
    { fragment: "", host: "", hostname: "", opaque: "", scheme: "", path: "a b", query: "", userinfo: "" },
  ],
  [
    "urlParse",
    ["a:b/c"],
    { fragment: "", host: "", hostname: "", opaque: "b/c", scheme: "a", path: "", query: "", userinfo: "" },
  ],
  [
    "urlParse",
    ["http://[1.2.3.4]/"],
    { error: 'unable to parse url: parse "http://[1.2.3.4]/": invalid IP-literal' },
  ],
  ["urlParse", ["http://[::1"], { error: "unable to parse url: parse \"http://[::1\": missing ']' in host" }],
  ["urlParse", ["http://a[b]/"], { error: 'unable to parse url: parse "http://a[b]/": invalid IP-literal' }],
  [
    "urlParse",
    ["http://h:x/"],
    { error: 'unable to parse url: parse "http://h:x/": invalid port ":x" after host' },
  ],
  [
    "urlParse",
    ["http://a:1:2/"],
    { error: 'unable to parse url: parse "http://a:1:2/": invalid port ":1:2" after host' },
  ],
  [
    "urlParse",
    ["ftp://a:1:2/"],
    {
      fragment: "",
      host: "a:1:2",
      hostname: "a:1",
      opaque: "",
      scheme: "ftp",
      path: "/",
      query: "",
      userinfo: "",
    },
  ],
  [
    "urlParse",
    ["http://%41/"],
    { error: 'unable to parse url: parse "http://%41/": invalid URL escape "%41"' },
  ],
  [
    "urlParse",
    ["http://h /"],
    { error: 'unable to parse url: parse "http://h /": invalid character " " in host name' },
  ],
  [
    "urlParse",
    ["http://x/%zz"],
    { error: 'unable to parse url: parse "http://x/%zz": invalid URL escape "%zz"' },
  ],
  [
    "urlParse",
    ["http://x#%z"],
    { error: 'unable to parse url: parse "http://x#%z": invalid URL escape "%z"' },
  ],
  [
    "urlParse",
    ["http://u^@h/"],
    { error: 'unable to parse url: parse "http://u^@h/": net/url: invalid userinfo' },
  ],
  [
    "urlParse",
    ["http://a\n"],
    { error: 'unable to parse url: parse "http://a\\n": net/url: invalid control character in URL' },
  ],
  [
    "urlParse",
    ["1http://x"],
    { error: 'unable to parse url: parse "1http://x": first path segment in URL cannot contain colon' },
  ],
  [
    "urlParse",
    ["x:y"],
    { fragment: "", host: "", hostname: "", opaque: "y", scheme: "x", path: "", query: "", userinfo: "" },
  ],
  [
    "urlParse",
    ["p:q/r"],
    { fragment: "", host: "", hostname: "", opaque: "q/r", scheme: "p", path: "", query: "", userinfo: "" },
  ],
  [
    "urlParse",
    ["[abc]"],
    { fragment: "", host: "", hostname: "", opaque: "", scheme: "", path: "[abc]", query: "", userinfo: "" },
  ],
  [
    "urlParse",
    ["http://[abc]/"],
    {
      error: 'unable to parse url: parse "http://[abc]/": invalid host: ParseAddr("abc"): unable to parse IP',
    },
  ],
];
test.each(parseRows)("%s %j", (name, args, wanted) => {
  expect(callRow(urlFunctions, name, args)).toEqual(wanted);
});

const joinRows: readonly [parts: Readonly<Record<string, string | number | null>>, wanted: RowResult][] = [
  [
    { scheme: "http", host: "h:80", path: "/p q", query: "a=b", fragment: "f#", userinfo: "u:p w" },
    { error: 'unable to parse userinfo in dict: parse "proto://u:p w@host": net/url: invalid userinfo' },
  ],
  [
    { scheme: "http", host: "h:80", path: "/p q", query: "a=b", fragment: "f#", userinfo: "u:p%20w" },
    "http://u:p%20w@h:80/p%20q?a=b#f%23",
  ],
  [{ host: "h", path: "p" }, "//h/p"],
  [{ path: "p:q/r" }, "./p:q/r"],
  [{ scheme: "http", path: "p" }, "http://p"],
  [{ scheme: "mailto", opaque: "a@b" }, "mailto:a@b"],
  [{ scheme: "http" }, "http:"],
  [{ path: "*" }, "*"],
  [{ host: "é<" }, "//%C3%A9<"],
  [{}, ""],
  [{ userinfo: "u@" }, "//u%40@"],
  [{ scheme: 5 }, { error: "unable to parse scheme key, must be of type string, but int found" }],
  [{ host: null }, { error: "runtime error: invalid memory address or nil pointer dereference" }],
];
test.each(joinRows)("urlJoin %j", (parts, wanted) => {
  const entries = Object.entries(parts).map(
    ([key, part]): [string, GoMap["entries"] extends Map<string, infer Item> ? Item : never] => [
      key,
      typeof part === "number" ? intOf(part) : part === null ? null : toBytes(part),
    ],
  );
  expect(callRow(urlFunctions, "urlJoin", [new GoMap(entries)])).toEqual(wanted);
});

test("parts keep their spans where they stand in the URL once", () => {
  const parts = callFunction(urlFunctions, "urlParse", [
    valueText("http://reg.io:5000/a%20b?x=a", "url"),
  ]) as GoMap;
  const spans = Object.fromEntries([...parts.entries].map(([key, part]) => [key, spelledSpans(part)]));
  expect(spans).toMatchObject({
    host: "[url+7:reg.io:5000]",
    hostname: "[url+7:reg.io]",
    path: "[~url:/a b]",
    query: "[url+25:x=a]",
    userinfo: "",
  });
  parts.entries.set("path", valueText("/é", "path"));
  expect(spelledSpans(callFunction(urlFunctions, "urlJoin", [parts]))).toBe(
    "[url+0:http]://[url+7:reg.io:5000][~path:/%C3%A9]?[url+25:x=a]",
  );
});
