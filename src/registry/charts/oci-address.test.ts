import { expect, test } from "vitest";
import { FairleadError } from "../../core/error.ts";
import { formatOciAddress, isOciAddress, parseOciAddress } from "./oci-address.ts";

const digest = `sha256:${"a".repeat(64)}`;

test.each([
  ["a path", "oci://quay.io/team/shop", "oci://quay.io/team/shop"],
  ["a version", "oci://quay.io/team/shop:1.2.3", "oci://quay.io/team/shop:1.2.3"],
  ["metadata", "oci://quay.io/team/shop:1.2.3+b.5", "oci://quay.io/team/shop:1.2.3_b.5"],
  ["a digest", `oci://quay.io/shop@${digest}`, `oci://quay.io/shop@${digest}`],
  ["both", `oci://quay.io/shop:1+2@${digest}`, `oci://quay.io/shop:1_2@${digest}`],
  ["a port", "oci://localhost:5000/shop", "oci://localhost:5000/shop"],
  ["a bare host", "oci://mirror/shop:1", "oci://mirror/shop:1"],
  ["an IPv6 host", "oci://[::1]:5000/shop", "oci://[::1]:5000/shop"],
  ["Docker Hub, without library/", "oci://docker.io/shop", "oci://docker.io/shop"],
])("reads %s", (_name, text, expected) => {
  expect(formatOciAddress(parseOciAddress(text))).toBe(expected);
});

test.each([
  ["no path", "oci://quay.io"],
  ["an empty path", "oci://quay.io/"],
  ["no host", "oci:///shop"],
  ["a user", "oci://robot:hunter2@quay.io/shop"],
  ["a query", "oci://quay.io/shop?x=1"],
  ["capitals", "oci://quay.io/Shop"],
  ["a broken digest", "oci://quay.io/shop@sha256:12"],
  ["parent folders", "oci://quay.io/../shop"],
])("refuses %s", (_name, text) => {
  expect(() => parseOciAddress(text)).toThrow(FairleadError);
  expect(() => parseOciAddress(text)).not.toThrow(/hunter2/u);
});

test("knows addresses by their scheme", () => {
  expect(isOciAddress("oci://quay.io/shop")).toBe(true);
  expect(isOciAddress("OCI://quay.io/shop")).toBe(false);
  expect(isOciAddress("./oci:/shop")).toBe(false);
});
