import { once } from "node:events";
import { createServer, type LookupFunction } from "node:net";
import { describe, expect, test } from "vitest";
import { listen } from "../../test/support/http-server.ts";
import { FairleadError } from "./error.ts";
import { createAddressGuard } from "./address-guard.ts";
import { embeddedIpv4 } from "./embedded-ipv4.ts";

describe("a host", () => {
  const guard = createAddressGuard();

  test.each([
    "0.0.0.0",
    "0.1.2.3",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "169.254.170.2",
    "192.0.0.192",
    "224.0.0.1",
    "255.255.255.255",
    "[::]",
    "[::1]",
    "[fe80::1]",
    "[fe80::1%25eth0]",
    "[febf::1]",
    "[ff02::1]",
    "[fd00:ec2::254]",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[::ffff:127.0.0.1]",
    "[::127.0.0.1]",
    "[64:ff9b::a9fe:a9fe]",
    "[2002:a9fe:a9fe::1]",
    "metadata",
    "metadata.google.internal",
    "Metadata.Google.Internal.",
    "metadata.goog",
    "instance-data",
  ])("%s is refused", (host) => {
    expect(() => guard.checkHost(host)).toThrow(FairleadError);
  });

  test.each([
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "8.8.8.8",
    "[2001:db8::1]",
    "[fd12:3456::1]",
    "[::ffff:10.0.0.1]",
    "hooks.slack.com",
    "metadata.example.com",
  ])("%s is let through", (host) => {
    expect(() => guard.checkHost(host)).not.toThrow();
  });

  test.each([
    ["loopback where this machine is meant", { allowLoopback: true }, "127.0.0.1"],
    ["loopback of IPv6", { allowLoopback: true }, "[::1]"],
    ["an address that is allowed", { allowAddresses: ["169.254.169.254"] }, "169.254.169.254"],
    ["the same, mapped", { allowAddresses: ["169.254.169.254"] }, "[::ffff:169.254.169.254]"],
    ["a network that is allowed", { allowAddresses: ["169.254.0.0/16"] }, "169.254.1.1"],
    ["a network of IPv6", { allowAddresses: ["fe80::/10"] }, "[fe80::5]"],
    ["a name that is allowed", { allowAddresses: ["Metadata.google.internal"] }, "metadata.google.internal"],
  ])("%s is let through", (_name, options, host) => {
    expect(() => createAddressGuard(options).checkHost(host)).not.toThrow();
  });

  test.each(["10.0.0.0/33", "10.0.0.0/x", "a b", "http://a", "fe80::/129", "10.0.0.0/-1"])(
    "%s cannot be allowed",
    (entry) => {
      expect(() => createAddressGuard({ allowAddresses: [entry] })).toThrow(
        expect.objectContaining({ code: "config-invalid" }),
      );
    },
  );
});

describe("a name", () => {
  test("is refused for what it resolves to", async () => {
    await expect(resolve(createAddressGuard().lookup)).rejects.toMatchObject({ code: "address-refused" });
  });

  test.each([{ allowLoopback: true }, { allowAddresses: ["localhost"] }])(
    "is let through by %j",
    async (options) => {
      const server = createServer();
      await listen(server);
      const found = await resolve(createAddressGuard(options).lookup);
      expect(found).toContain("127.0.0.1");
      server.close();
      await once(server, "close");
    },
  );
});

test.each([
  ["::ffff:1.2.3.4", "1.2.3.4"],
  ["64:ff9b::102:304", "1.2.3.4"],
  ["2002:102:304::", "1.2.3.4"],
  ["::1", undefined],
  ["::", undefined],
  ["2001:db8::1", undefined],
  ["1.2.3.4", undefined],
])("%s carries %s", (address, expected) => {
  expect(embeddedIpv4(address)).toBe(expected);
});

/** The addresses of localhost, as net.connect asks for them. */
async function resolve(lookup: LookupFunction): Promise<readonly string[]> {
  return new Promise((done, fail) => {
    lookup("localhost", { all: true, family: 4 }, (error, found) => {
      if (error !== null) fail(error);
      else done(Array.isArray(found) ? found.map(({ address }) => address) : [found]);
    });
  });
}
