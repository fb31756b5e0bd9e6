import { FairleadError, type Where } from "../../core/error.ts";
import { isDigest } from "../../reference/digest.ts";
import { isObject, tryParseJsonObject } from "../json-body.ts";
import type { Manifest } from "../registry-api.ts";

/** Helm's media types (helm.sh/helm/v3, pkg/registry/constants.go); the last is of Helm before 3.7. */
const configType = "application/vnd.cncf.helm.config.v1+json";
const layerTypes: ReadonlySet<unknown> = new Set([
  "application/vnd.cncf.helm.chart.content.v1.tar+gzip",
  "application/tar+gzip",
]);

/** The layer that is a chart's archive. */
export interface ChartLayer {
  readonly digest: string;
  readonly size: number;
}

/**
 * Finds the archive of a chart in its manifest.
 * @throws FairleadError `input-invalid` for what is no chart, `chart-invalid` for one without an archive
 */
export function chartLayerOf({ bytes, mediaType }: Manifest, where: Where): ChartLayer {
  const manifest = tryParseJsonObject(bytes) ?? {};
  const config = asObject(manifest["config"])["mediaType"];
  if (config !== configType) {
    throw new FairleadError("input-invalid", `there is no chart here: ${describe(config, mediaType)}`, {
      where,
      hint: "name what helm push has put there",
    });
  }
  const layers = Array.isArray(manifest["layers"]) ? manifest["layers"].map((layer) => asObject(layer)) : [];
  const layer = layers.find((found) => layerTypes.has(found["mediaType"]));
  const { digest, size } = layer ?? {};
  if (typeof digest !== "string" || !isDigest(digest) || !isSize(size)) {
    throw new FairleadError("chart-invalid", "the chart's manifest names no archive", { where });
  }
  return { digest, size };
}

function describe(config: unknown, mediaType: string): string {
  if (config === undefined) return `this is a ${JSON.stringify(mediaType)}`;
  return `its config is of the type ${JSON.stringify(config).slice(0, 200)}`;
}

function isSize(size: unknown): size is number {
  return typeof size === "number" && Number.isSafeInteger(size) && size >= 0;
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
