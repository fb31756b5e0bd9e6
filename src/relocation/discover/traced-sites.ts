import type { YamlMap } from "../../yaml/value.ts";
import type { Manifest } from "../rendering/manifest.ts";
import { findRenderedImages } from "../rendering/rendered-image.ts";
import { spansOfImage } from "../rendering/trace.ts";
import type { ImageSite } from "./image-site.ts";
import { siteOfRendering } from "./rendered-site.ts";

/**
 * The places in the values that make the images of a rendering, by what their texts come from; each once.
 * Images that no value makes, and renderings that are not traced, give none.
 * @param values the root's values that were rendered
 */
export function tracedSites(
  manifests: readonly Manifest[],
  values: YamlMap,
  isKnownHost: (host: string) => boolean,
): ImageSite[] {
  const sites = new Map<string, ImageSite>();
  for (const manifest of manifests) {
    if (manifest.traced === undefined) continue;
    for (const image of findRenderedImages(manifest, isKnownHost)) {
      const { text, reference } = image;
      const site = siteOfRendering({ text, reference, spans: spansOfImage(manifest, image) }, values);
      if (site === undefined) continue;
      const key = JSON.stringify([text, site.name.map(({ path }) => path)]);
      if (!sites.has(key)) sites.set(key, site);
    }
  }
  return [...sites.values()];
}

/**
 * What a rendering tells wins over what the values look like: a site of the values stays only where no leaf of
 * it is known from a rendering.
 */
export function joinSites(traced: readonly ImageSite[], found: readonly ImageSite[]): ImageSite[] {
  const known = new Set(traced.flatMap((site) => site.name.map(({ path }) => JSON.stringify(path))));
  const others = found.filter((site) => !site.name.some(({ path }) => known.has(JSON.stringify(path))));
  return [...traced, ...others];
}
