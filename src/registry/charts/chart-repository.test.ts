import { createHash } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { startHttpServer, type TestServer } from "../../../test/support/http-server.ts";
import type { Credentials } from "../registry-api.ts";
import { openChartRepository, parseRepositoryUrl, type RepositoryChart } from "./chart-repository.ts";
import { createFileFetcher } from "./file-fetcher.ts";
import type { FetchChartOptions } from "./remote-chart.ts";

interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
}

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const servers: TestServer[] = [];
const archive = Buffer.from("an archive");
const sha256 = createHash("sha256").update(archive).digest("hex");
const robot = { kind: "basic", username: "robot", password: "hunter2" } as const;
const version = { wanted: undefined, isExact: false, choose: (versions: readonly string[]) => versions[0] };

afterEach(async () => {
  await Promise.all(servers.splice(0).map(async (server) => server.stop()));
});

/** Serves answers by path, and tells what was asked for. */
async function serve(answers: Readonly<Record<string, Answer>>): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = await startHttpServer((request, response) => {
    const path = request.url ?? "";
    asked.push({ path, authorization: request.headers.authorization });
    const { status = 200, headers = {}, body } = answers[path] ?? { status: 404 };
    response.writeHead(status, headers).end(body);
  });
  servers.push(server);
  return { url: server.url, asked };
}

function indexOf(url: string, digest: string = sha256): string {
  return `apiVersion: v1\nentries:\n  shop:\n  - { version: 1.2.3, urls: ["${url}"], digest: ${digest} }\n`;
}

async function fetchFrom(
  url: string,
  options: Partial<FetchChartOptions> & {
    readonly credentials?: Extract<Credentials, { readonly kind: "basic" }>;
    readonly passCredentials?: boolean;
  } = {},
): Promise<RepositoryChart> {
  const { credentials, passCredentials = false, ...more } = options;
  const home = parseRepositoryUrl(url);
  const fetcher = createFileFetcher({ home, access: {}, environment: {}, credentials, passCredentials });
  return openChartRepository(fetcher, home).fetchChart("shop", { version, maxBytes: 1000, ...more });
}

test.each([
  { name: "beside the index", at: "", chart: "shop-1.2.3.tgz", path: "/shop-1.2.3.tgz" },
  { name: "in a folder", at: "/charts", chart: "a/shop.tgz", path: "/charts/a/shop.tgz" },
  { name: "with a slash at the end", at: "/charts/", chart: "shop.tgz", path: "/charts/shop.tgz" },
  { name: "from the root", at: "/charts", chart: "/files/shop.tgz", path: "/files/shop.tgz" },
  {
    name: "with the repository's query",
    at: "/charts?token=t",
    chart: "shop.tgz",
    path: "/charts/shop.tgz?token=t",
  },
])("fetches an archive $name", async ({ at, chart, path }) => {
  const query = at.includes("?") ? at.slice(at.indexOf("?")) : "";
  const indexPath = `${at.replace(/\?.*$/u, "").replace(/\/$/u, "")}/index.yaml${query}`;
  const { url, asked } = await serve({ [indexPath]: { body: indexOf(chart) }, [path]: { body: archive } });
  const found = await fetchFrom(`${url}${at}`);
  expect(found).toEqual({ archive, location: `${url}${path.replace(/\?.*$/u, "")}` });
  expect(asked.map((request) => request.path)).toEqual([indexPath, path]);
});

test("gives an address in a registry back", async () => {
  const { url } = await serve({ "/index.yaml": { body: indexOf("oci://quay.io/team/shop:1.2.3") } });
  expect(await fetchFrom(url)).toEqual({ ociAddress: "oci://quay.io/team/shop:1.2.3", sha256 });
});

test.each([
  { name: "keeps its credentials from other hosts", passCredentials: false, given: false },
  { name: "gives its credentials to others when told to", passCredentials: true, given: true },
])("$name", async ({ passCredentials, given }) => {
  const other = await serve({ "/shop.tgz": { body: archive } });
  const { url, asked } = await serve({ "/index.yaml": { body: indexOf(`${other.url}/shop.tgz`) } });
  await fetchFrom(url, { credentials: robot, passCredentials });
  const basic = `Basic ${Buffer.from("robot:hunter2").toString("base64")}`;
  expect(asked[0]?.authorization).toBe(basic);
  expect(other.asked[0]?.authorization).toBe(given ? basic : undefined);
});

test("keeps its credentials from where it redirects to", async () => {
  const other = await serve({ "/shop.tgz": { body: archive } });
  const location = `${other.url}/shop.tgz`;
  const { url } = await serve({
    "/index.yaml": { body: indexOf("shop.tgz") },
    "/shop.tgz": { status: 302, headers: { location } },
  });
  await fetchFrom(url, { credentials: robot, passCredentials: true });
  expect(other.asked).toEqual([{ path: "/shop.tgz", authorization: undefined }]);
});

test.each([
  {
    name: "another archive than the index names",
    chart: "shop.tgz",
    digest: "b".repeat(64),
    code: "chart-invalid",
  },
  { name: "an archive that is too large", chart: "large.tgz", digest: sha256, code: "limit-exceeded" },
  { name: "an archive that is not there", chart: "absent.tgz", digest: sha256, code: "registry-failed" },
  {
    name: "an archive that is forbidden",
    chart: "secret.tgz",
    digest: sha256,
    code: "registry-unauthorized",
  },
  { name: "endless redirects", chart: "loop.tgz", digest: sha256, code: "registry-failed" },
  { name: "a file of this machine", chart: "file:///etc/passwd", digest: sha256, code: "chart-invalid" },
  {
    name: "an address with a user",
    chart: "http://u:hunter2@127.0.0.1/x",
    digest: sha256,
    code: "chart-invalid",
  },
  { name: "an address that is none", chart: "http://[", digest: sha256, code: "chart-invalid" },
])("refuses $name", async ({ chart, digest, code }) => {
  const { url } = await serve({
    "/index.yaml": { body: indexOf(chart, digest) },
    "/shop.tgz": { body: archive },
    "/large.tgz": { body: Buffer.alloc(1001) },
    "/secret.tgz": { status: 403 },
    "/loop.tgz": { status: 302, headers: { location: "/loop.tgz" } },
  });
  const failure: unknown = await fetchFrom(url, { credentials: robot }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code });
  expect(JSON.stringify([String(failure), failure])).not.toContain("hunter2");
});

test("refuses an index that is not there", async () => {
  const { url } = await serve({});
  await expect(fetchFrom(url)).rejects.toMatchObject({ code: "registry-failed" });
});

test.each([
  ["no URL", "charts"],
  ["another scheme", "file:///charts"],
  ["an address of a registry", "oci://quay.io/charts"],
  ["a password", "https://robot:hunter2@example.com/charts"],
  ["a password in what is no URL", "https://robot:hunter2@exa mple"],
])("refuses %s for a repository", (_name, text) => {
  expect(() => parseRepositoryUrl(text)).toThrow(expect.objectContaining({ code: "input-invalid" }));
  expect(() => parseRepositoryUrl(text)).not.toThrow(/hunter2/u);
});
