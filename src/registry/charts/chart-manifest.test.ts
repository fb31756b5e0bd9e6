import { expect, test } from "vitest";
import { chartLayerOf, type ChartLayer } from "./chart-manifest.ts";

const digest = `sha256:${"a".repeat(64)}`;
const config = { mediaType: "application/vnd.cncf.helm.config.v1+json" };
const mediaType = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";
const provenance = { mediaType: "application/vnd.cncf.helm.chart.provenance.v1.prov", digest, size: 1 };

function layerOf(manifest: unknown): ChartLayer {
  const text = typeof manifest === "string" ? manifest : JSON.stringify(manifest);
  const bytes = Buffer.from(text);
  const type = "application/vnd.oci.image.manifest.v1+json";
  return chartLayerOf({ mediaType: type, digest, size: bytes.length, bytes }, { file: "oci://quay.io/shop" });
}

test.each([
  ["alone", [{ mediaType, digest, size: 5 }]],
  ["behind its provenance", [provenance, { mediaType, digest, size: 5 }]],
  ["of old Helm", [{ mediaType: "application/tar+gzip", digest, size: 5 }]],
])("finds an archive %s", (_name, layers) => {
  expect(layerOf({ config, layers })).toEqual({ digest, size: 5 });
});

test.each([
  [
    "an image",
    { config: { mediaType: "application/vnd.oci.image.config.v1+json" }, layers: [] },
    "input-invalid",
  ],
  ["an index", { manifests: [] }, "input-invalid"],
  ["no JSON", "<html>", "input-invalid"],
  ["null", "null", "input-invalid"],
  ["no layers", { config }, "chart-invalid"],
  ["layers that are none", { config, layers: [null, 1, "x"] }, "chart-invalid"],
  ["a provenance alone", { config, layers: [provenance] }, "chart-invalid"],
  ["a digest that is none", { config, layers: [{ mediaType, digest: "../x", size: 1 }] }, "chart-invalid"],
  ["a size below nothing", { config, layers: [{ mediaType, digest, size: -1 }] }, "chart-invalid"],
])("refuses %s", (_name, manifest, code) => {
  expect(() => layerOf(manifest)).toThrow(expect.objectContaining({ code }));
});
