import { describe, expect, test } from "vitest";
import { parseProxy, proxyOf } from "./proxy-choice.ts";

const proxied = "http://proxy.example:3128";

describe("the environment's proxy", () => {
  test.each<[string, string, Readonly<Record<string, string>>, string | undefined]>([
    ["https", "https://ghcr.io", { HTTPS_PROXY: proxied }, "http://proxy.example:3128/"],
    ["https in small letters", "https://ghcr.io", { https_proxy: proxied }, "http://proxy.example:3128/"],
    ["capitals first", "https://a", { HTTPS_PROXY: "http://a:1", https_proxy: "http://b:1" }, "http://a:1/"],
    ["http", "http://ghcr.io", { HTTP_PROXY: proxied }, "http://proxy.example:3128/"],
    ["http for https", "https://ghcr.io", { HTTP_PROXY: proxied }, undefined],
    ["https for http", "http://ghcr.io", { HTTPS_PROXY: proxied }, undefined],
    ["http in a CGI program", "http://ghcr.io", { HTTP_PROXY: proxied, REQUEST_METHOD: "GET" }, undefined],
    ["an empty one", "https://ghcr.io", { HTTPS_PROXY: "" }, undefined],
    ["no scheme", "https://ghcr.io", { HTTPS_PROXY: "proxy.example:8080" }, "http://proxy.example:8080/"],
    ["socks5", "https://ghcr.io", { HTTPS_PROXY: "socks5://proxy.example" }, "socks5://proxy.example:1080"],
    ["localhost", "https://localhost:5000", { HTTPS_PROXY: proxied }, undefined],
    ["127.0.0.2", "https://127.0.0.2", { HTTPS_PROXY: proxied }, undefined],
    ["[::1]", "https://[::1]:5000", { HTTPS_PROXY: proxied }, undefined],
  ])("%s", (_name, url, environment, expected) => {
    expect(proxyOf(new URL(url), environment)?.url.href).toBe(expected);
  });

  test.each<[string, string, boolean]>([
    ["*", "https://ghcr.io", false],
    ["ghcr.io", "https://ghcr.io", false],
    ["GHCR.IO", "https://ghcr.io", false],
    ["ghcr.io", "https://sub.ghcr.io", false],
    ["ghcr.io", "https://notghcr.io", true],
    [".ghcr.io", "https://ghcr.io", true],
    [".ghcr.io", "https://sub.ghcr.io", false],
    ["*.ghcr.io", "https://ghcr.io", true],
    ["*.ghcr.io", "https://sub.ghcr.io", false],
    ["ghcr.io:443", "https://ghcr.io", false],
    ["ghcr.io:8443", "https://ghcr.io", true],
    ["a.example, ghcr.io", "https://ghcr.io", false],
    ["10.0.0.0/8", "https://10.1.2.3:5000", false],
    ["10.0.0.0/8", "https://11.1.2.3", true],
    ["10.0.0.0/99", "https://10.1.2.3", true],
    ["10.1.2.3", "https://10.1.2.3", false],
    ["fd00::/8", "https://[fd00::1]", false],
    ["fd00::1", "https://[fd00::1]:5000", false],
    ["[fd00::1]:5000", "https://[fd00::1]:5000", false],
    ["3", "https://10.1.2.3", true],
    [",, ,", "https://ghcr.io", true],
  ])("NO_PROXY %s for %s", (noProxy, url, isProxied) => {
    const proxy = proxyOf(new URL(url), { HTTPS_PROXY: proxied, NO_PROXY: noProxy });
    expect(proxy !== undefined).toBe(isProxied);
  });
});

describe("an address", () => {
  test("has its user and password taken out", () => {
    const proxy = parseProxy({ address: "http://me:p%40ss@proxy.example" });
    expect({ ...proxy, url: proxy.url.href }).toEqual({
      url: "http://proxy.example/",
      username: "me",
      password: "p@ss",
    });
  });

  test("gives way to a user and a password beside it", () => {
    const proxy = parseProxy({ address: "http://a:b@proxy.example", username: "c", password: "d" });
    expect(proxy).toMatchObject({ username: "c", password: "d" });
  });

  test.each(["", "proxy", "ftp://user:s3cret@proxy", "http://"])("'%s' is refused", (address) => {
    expect(() => parseProxy({ address })).toThrow("the address of the proxy is none");
  });
});
