import { describe, expect, test } from "vitest";
import { parseReference } from "../reference/reference.ts";
import { digestOf } from "./content-digest.ts";
import { findForPlatform, formatPlatform, parsePlatform } from "./platform.ts";
import type { Manifest, RegistryClient } from "./registry-api.ts";

test.each([
  ["linux/amd64", "linux/amd64"],
  ["Linux/ARM64", "linux/arm64"],
  ["linux/arm/v7", "linux/arm/v7"],
  ["linux/x86_64", "linux/amd64"],
  ["linux/aarch64", "linux/arm64"],
])("%s is %s", (text, expected) => {
  expect(formatPlatform(parsePlatform(text))).toBe(expected);
});

test.each(["", "linux", "linux/", "/amd64", "linux/arm/v7/x", "linux/am d64"])("'%s' is none", (text) => {
  expect(() => parsePlatform(text)).toThrow("Invalid platform");
});

const imageType = "application/vnd.oci.image.manifest.v1+json";
const digest = (name: string): string => digestOf(Buffer.from(name), "sha256");

function entry(name: string, platform?: object, mediaType: string = imageType): object {
  return { mediaType, digest: digest(name), size: 1, ...(platform === undefined ? {} : { platform }) };
}

/** A client that has one manifest, and one blob. */
function clientOf(mediaType: string, content: object, blob: object = {}): RegistryClient {
  const bytes = Buffer.from(JSON.stringify(content));
  const manifest: Manifest = { mediaType, digest: digestOf(bytes, "sha256"), size: bytes.length, bytes };
  return {
    getManifest: () => Promise.resolve(manifest),
    headManifest: () => Promise.resolve(manifest),
    listTags: () => Promise.resolve([]),
    getBlob: () => Promise.resolve(Buffer.from(JSON.stringify(blob))),
  };
}

const reference = parseReference("example.com/app:1");

describe("of an index", () => {
  const index = clientOf("application/vnd.oci.image.index.v1+json", {
    manifests: [
      "no entry",
      { digest: "no digest" },
      entry("nested", { os: "linux", architecture: "amd64" }, "application/vnd.oci.image.index.v1+json"),
      entry("none"),
      entry("attestation", { os: "unknown", architecture: "unknown" }),
      entry("amd64", { os: "linux", architecture: "amd64" }),
      entry("armv6", { os: "linux", architecture: "arm", variant: "v6" }),
      entry("armv7", { os: "linux", architecture: "arm", variant: "v7" }),
      entry("arm64", { os: "linux", architecture: "arm64" }),
      entry("windows", { os: "windows", architecture: "amd64", "os.version": "10.0" }),
    ],
  });

  test.each([
    ["linux/amd64", "amd64"],
    ["linux/arm", "armv6"],
    ["linux/arm/v7", "armv7"],
    ["linux/arm64", "arm64"],
    ["linux/arm64/v8", "arm64"],
    ["windows/amd64", "windows"],
  ])("%s is %s", async (platform, name) => {
    const found = await findForPlatform(index, reference, parsePlatform(platform));
    expect(found).toEqual({ mediaType: imageType, digest: digest(name), size: 1 });
  });

  test.each(["linux/s390x", "linux/arm/v5", "darwin/arm64"])("%s is none", async (platform) => {
    await expect(findForPlatform(index, reference, parsePlatform(platform))).rejects.toMatchObject({
      code: "image-not-found",
      message: `example.com/app:1 has no image for ${platform}`,
      hint: "it has unknown/unknown, linux/amd64, linux/arm/v6, linux/arm/v7, linux/arm64, windows/amd64",
    });
  });

  test("without a list is refused", async () => {
    const broken = clientOf("application/vnd.oci.image.index.v1+json", { manifests: {} });
    await expect(findForPlatform(broken, reference, parsePlatform("linux/amd64"))).rejects.toMatchObject({
      code: "registry-failed",
    });
  });
});

describe("of an image", () => {
  const image = { config: { digest: digest("config") } };

  test("its configuration says it", async () => {
    const client = clientOf(imageType, image, { os: "linux", architecture: "arm64" });
    expect(await findForPlatform(client, reference, parsePlatform("linux/arm64"))).toMatchObject({
      mediaType: imageType,
    });
    await expect(findForPlatform(client, reference, parsePlatform("linux/amd64"))).rejects.toMatchObject({
      hint: "it has linux/arm64",
    });
  });

  test.each<[string, object, object]>([
    ["without a configuration", {}, {}],
    ["whose configuration says nothing", image, { os: "", architecture: "" }],
  ])("%s is for none", async (_name, manifest, config) => {
    const client = clientOf(imageType, manifest, config);
    await expect(findForPlatform(client, reference, parsePlatform("linux/amd64"))).rejects.toMatchObject({
      code: "image-not-found",
      hint: undefined,
    });
  });
});
