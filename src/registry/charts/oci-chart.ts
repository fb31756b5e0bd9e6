import { FairleadError } from "../../core/error.ts";
import type { ImageReference } from "../../reference/reference.ts";
import type { RegistryClient } from "../registry-api.ts";
import { chartLayerOf } from "./chart-manifest.ts";
import { formatOciAddress } from "./oci-address.ts";
import type { FetchChartOptions, RemoteChart, VersionChoice } from "./remote-chart.ts";

/** How Helm names the version of a tag, strictly: three numbers, and no `v` (Helm, pkg/registry/client.go). */
const versionTag = /^\d+\.\d+\.\d+(?:[-_]|$)/u;

/**
 * Fetches a chart that `helm push` has put into a registry. Without a version, the newest that is no pre-release.
 * @throws FairleadError `input-invalid` for two versions, for none that fits and for what is no chart,
 *   `chart-invalid`, `limit-exceeded`, and what the client throws
 */
export async function fetchOciChart(
  client: RegistryClient,
  address: ImageReference,
  options: FetchChartOptions,
): Promise<RemoteChart> {
  const { maxBytes, signal, timeoutMs } = options;
  const reference = await resolve(client, address, options);
  const location = formatOciAddress(reference);
  const where = { file: location };
  const layer = chartLayerOf(await client.getManifest(reference, { signal, timeoutMs }), where);
  if (layer.size > maxBytes) {
    throw new FairleadError("limit-exceeded", `the chart's archive has ${layer.size} bytes`, {
      where,
      hint: `--max-chart-bytes allows ${maxBytes}; raise it if the chart is to be trusted`,
    });
  }
  return {
    archive: await client.getBlob(reference, layer.digest, { maxBytes, signal, timeoutMs }),
    location,
  };
}

async function resolve(
  client: RegistryClient,
  address: ImageReference,
  { version, signal, timeoutMs }: FetchChartOptions,
): Promise<ImageReference> {
  const { wanted } = version;
  const where = { file: formatOciAddress(address) };
  const wantedTag = wanted === undefined ? undefined : tagOf(wanted);
  const named = address.digest ?? address.tag;
  if (named !== undefined) {
    if (wantedTag === undefined || wantedTag === address.tag) return address;
    throw new FairleadError("input-invalid", `the address names ${named} and --version ${wanted}`, {
      where,
      hint: "name the version once",
    });
  }
  if (wantedTag !== undefined && version.isExact) return { ...address, tag: wantedTag };
  const tags = await client.listTags(address, { signal, timeoutMs });
  return { ...address, tag: tagOf(chooseFrom(tags, version, where)) };
}

function chooseFrom(
  tags: readonly string[],
  { wanted, choose }: VersionChoice,
  where: { readonly file: string },
): string {
  const versions = tags.filter((tag) => versionTag.test(tag)).map((tag) => tag.replaceAll("_", "+"));
  const chosen = choose(versions);
  if (chosen !== undefined) return chosen;
  const what = wanted === undefined ? "" : ` that fits ${JSON.stringify(wanted)}`;
  throw new FairleadError("input-invalid", `there is no version of the chart${what}`, {
    where,
    hint:
      versions.length === 0 ? "no tag is a version" : "a range such as '>=0.0.0-0' takes pre-releases too",
  });
}

/** A tag cannot hold the `+` of a version. */
function tagOf(version: string): string {
  return version.replaceAll("+", "_");
}
