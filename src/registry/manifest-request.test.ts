import { describe, expect, test } from "vitest";
import { type Answer, raw } from "../../test/support/faulty-registry.ts";
import { failureFrom, quickClient, useFaultyRegistry } from "../../test/support/registry-case.ts";
import { parseReference } from "../reference/reference.ts";
import { digestOf } from "./content-digest.ts";

const fixture = useFaultyRegistry();

describe("a digest", () => {
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
  });
  const type = { "content-type": "application/vnd.oci.image.manifest.v1+json" };
  const right = digestOf(Buffer.from(manifest), "sha256");
  const wrong = `sha256:${"0".repeat(64)}`;

  test.each<[string, string, Answer, RegExp]>([
    ["asked for", `@${wrong}`, raw(200, manifest, type), /not sha256:0{64}$/u],
    ["given", ":1", raw(200, manifest, { ...type, "docker-content-digest": wrong }), /not sha256:0{64}$/u],
    [
      "of another manifest",
      `@${digestOf(Buffer.from(manifest), "sha512")}`,
      raw(200, `${manifest} `, type),
      /not sha512:/u,
    ],
  ])("that is %s and not the content's is refused", async (_name, suffix, answer, message) => {
    const { image, path } = fixture.repository();
    const reference = parseReference(`${image}${suffix}`);
    fixture.registry().answer(`${path}/manifests/${suffix.slice(1)}`, answer);
    const error = await failureFrom(quickClient().getManifest(reference));
    expect(error).toMatchObject({ code: "registry-failed" });
    expect(error.message).toMatch(message);
  });

  test("of a HEAD that is not the one asked for is refused", async () => {
    const { image, path } = fixture.repository();
    const headers = { ...type, "docker-content-digest": wrong, "content-length": "10" };
    fixture.registry().answer(`${path}/manifests/${right}`, raw(200, "", headers));
    const error = await failureFrom(quickClient().headManifest(parseReference(`${image}@${right}`)));
    expect(error).toMatchObject({ code: "registry-failed" });
  });

  test.each<[string, Answer]>([
    ["gives no digest", raw(200, "", { ...type, "content-length": String(manifest.length) })],
    ["gives what is none", raw(200, "", { ...type, "docker-content-digest": "sha256:x" })],
    ["is not taken", raw(405, "")],
  ])("is computed where HEAD %s", async (_name, head) => {
    const { image, path } = fixture.repository();
    fixture.registry().answer(`${path}/manifests/1`, head, raw(200, manifest, type));
    expect(await quickClient().headManifest(parseReference(`${image}:1`))).toEqual({
      mediaType: type["content-type"],
      digest: right,
      size: manifest.length,
    });
    expect(
      fixture
        .registry()
        .seen.slice(-2)
        .map((seen) => seen.method),
    ).toEqual(["HEAD", "GET"]);
  });

  test.each([
    ["two kinds", { "content-type": "application/vnd.oci.image.index.v1+json" }, manifest],
    ["none", { "content-type": "text/plain" }, "{}"],
  ])("a manifest of %s is refused", async (_name, headers, body) => {
    const { image, path } = fixture.repository();
    fixture.registry().answer(`${path}/manifests/1`, raw(200, body, headers));
    const error = await failureFrom(quickClient().getManifest(parseReference(`${image}:1`)));
    expect(error.message).toContain("what kind of manifest");
  });

  test("of a blob is checked", async () => {
    const { image, path } = fixture.repository();
    fixture.registry().answer(`${path}/blobs/${wrong}`, raw(200, "x"));
    const error = await failureFrom(quickClient().getBlob(parseReference(image), wrong, { maxBytes: 10 }));
    expect(error).toMatchObject({ code: "registry-failed" });
  });
});
