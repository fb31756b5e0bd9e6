import { createHash } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { startHttpServer, type TestServer } from "../../../test/support/http-server.ts";
import { createRegistryClient } from "../registry-client.ts";
import { parseOciAddress } from "./oci-address.ts";
import { fetchOciChart } from "./oci-chart.ts";
import type { RemoteChart } from "./remote-chart.ts";

const servers: TestServer[] = [];
const archive = Buffer.from("an archive");

afterEach(async () => {
  await Promise.all(servers.splice(0).map(async (server) => server.stop()));
});

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

interface Served {
  readonly tags?: readonly string[];
  /** What the manifest says that the layer is. */
  readonly layer?: { readonly digest?: string; readonly size?: number };
  readonly blob?: Uint8Array;
}

/** A registry of one repository, whose tags all name the same chart, and what it was asked for. */
async function serve({
  tags = [],
  layer = {},
  blob = archive,
}: Served): Promise<{ host: string; asked: string[] }> {
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const described = { digest: digestOf(archive), size: archive.length, ...layer };
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType,
    config: {
      mediaType: "application/vnd.cncf.helm.config.v1+json",
      digest: digestOf(Buffer.from("{}")),
      size: 2,
    },
    layers: [{ mediaType: "application/vnd.cncf.helm.chart.content.v1.tar+gzip", ...described }],
  });
  const asked: string[] = [];
  const server = await startHttpServer((request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    if (path !== "/v2/") asked.push(path.replace("/v2/team/shop/", ""));
    if (path === "/v2/") response.end("{}");
    else if (path.endsWith("/tags/list")) response.end(JSON.stringify({ name: "team/shop", tags }));
    else if (path.includes("/manifests/"))
      response.writeHead(200, { "content-type": mediaType }).end(manifest);
    else response.end(blob);
  });
  servers.push(server);
  return { host: server.host, asked };
}

async function fetchChart(
  host: string,
  options: { readonly tag?: string; readonly wanted?: string; readonly isExact?: boolean } = {},
): Promise<RemoteChart> {
  const { tag, wanted, isExact = false } = options;
  const address = parseOciAddress(`oci://${host}/team/shop${tag === undefined ? "" : `:${tag}`}`);
  const version = { wanted, isExact, choose: (versions: readonly string[]) => versions.at(-1) };
  return fetchOciChart(createRegistryClient(), address, { version, maxBytes: 1000 });
}

const blob = `blobs/${digestOf(archive)}`;

test.each([
  { name: "a tag of the address", tag: "1.0+b", asked: ["manifests/1.0_b", blob] },
  { name: "a tag that is no version", tag: "latest", asked: ["manifests/latest", blob] },
  { name: "an exact version", wanted: "v1.0+b", isExact: true, asked: ["manifests/v1.0_b", blob] },
  {
    name: "a version that is chosen",
    tags: ["v9.0.0", "latest", "9.0", "1.0.0", "1.2.3_b.5", "sha256-aa.sig"],
    wanted: "^1",
    asked: ["tags/list", "manifests/1.2.3_b.5", blob],
  },
])("fetches $name", async ({ asked, tags = [], ...options }) => {
  const registry = await serve({ tags });
  const { archive: bytes, location } = await fetchChart(registry.host, options);
  expect(Buffer.from(bytes)).toEqual(archive);
  const tag = asked.find((path) => path.startsWith("manifests/"));
  expect(location).toBe(`oci://${registry.host}/team/shop:${tag?.replace("manifests/", "")}`);
  expect(registry.asked).toEqual(asked);
});

test.each([
  { name: "two versions", tag: "1.0.0", wanted: "1.1.0", isExact: true, code: "input-invalid" },
  { name: "no version that fits", tags: ["latest"], code: "input-invalid" },
  { name: "a layer that says it is too large", tag: "1", layer: { size: 1001 }, code: "limit-exceeded" },
  { name: "a layer that is too large", tag: "1", blob: Buffer.alloc(1001), code: "limit-exceeded" },
  { name: "a layer of another digest", tag: "1", blob: Buffer.from("another"), code: "registry-failed" },
  {
    name: "a digest that leads elsewhere",
    tag: "1",
    layer: { digest: "sha256:../../x" },
    code: "chart-invalid",
  },
])("refuses $name", async ({ code, tags, layer, blob: bytes, ...options }) => {
  const registry = await serve({
    ...(tags === undefined ? {} : { tags }),
    ...(layer === undefined ? {} : { layer }),
    ...(bytes === undefined ? {} : { blob: bytes }),
  });
  await expect(fetchChart(registry.host, options)).rejects.toMatchObject({ code });
});
