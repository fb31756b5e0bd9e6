import { createHash } from "node:crypto";
import { excerpt } from "../../core/escape.ts";
import { FairleadError, type Where } from "../../core/error.ts";
import { lazy } from "../../core/lazy.ts";
import type { RequestOptions } from "../registry-api.ts";
import { describeUrl } from "../transport/http-exchange.ts";
import type { FileFetcher } from "./file-fetcher.ts";
import { isOciAddress } from "./oci-address.ts";
import type { FetchChartOptions, RemoteChart } from "./remote-chart.ts";
import { type ChartEntry, findChartEntry, maxIndexBytes, parseRepositoryIndex } from "./repository-index.ts";

/** A chart of a classic repository, or where else its index says that it is. */
export type RepositoryChart =
  | RemoteChart
  | { readonly ociAddress: string; readonly sha256: string | undefined };

/**
 * Reads the address of a classic chart repository.
 * @throws FairleadError `input-invalid`, without a user or password that stand in it
 */
export function parseRepositoryUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !isHttp(url)) {
    throw new FairleadError(
      "input-invalid",
      `Invalid repository '${excerpt(text.replace(/\/\/.*@/su, "//…@"))}'`,
      {
        hint: "a repository is an http or https URL; a chart of a registry is named by oci://HOST/PATH alone",
      },
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new FairleadError("input-invalid", "the repository's URL holds a user or a password", {
      hint: "give --repo-username, and the password in a file or a variable",
    });
  }
  return url;
}

/** A classic chart repository. */
export interface ChartRepository {
  /**
   * @throws FairleadError `input-invalid` for a chart or version that the index does not have, `chart-invalid` for
   *   an archive of another digest or an address that is refused, and what the fetcher throws
   */
  fetchChart(name: string, options: FetchChartOptions): Promise<RepositoryChart>;
}

/**
 * Opens a repository: index.yaml is fetched once, with the first chart; a chart's archive is checked against the
 * index's digest where there is one, which Helm does not do.
 */
export function openChartRepository(
  fetcher: FileFetcher,
  repository: URL,
  options: RequestOptions = {},
): ChartRepository {
  const indexUrl = resolveUrl(repository, "index.yaml");
  const readIndex = lazy(async () => {
    const bytes = await fetcher.fetch(indexUrl, { ...options, maxBytes: maxIndexBytes });
    return parseRepositoryIndex(bytes, describeUrl(indexUrl));
  });
  return {
    fetchChart: async (name, { version, maxBytes, signal, timeoutMs }) => {
      const index = await readIndex();
      const entry = findChartEntry(index, name, version);
      if (isOciAddress(entry.url)) return { ociAddress: entry.url, sha256: entry.sha256 };
      const url = archiveUrl(repository, entry, index.where);
      const archive = await fetcher.fetch(url, { maxBytes, signal, timeoutMs });
      const location = describeUrl(url);
      checkArchive(archive, entry.sha256, { file: location });
      return { archive, location };
    },
  };
}

/**
 * Compares an archive with the digest that an index gives for it.
 * @throws FairleadError `chart-invalid`
 */
export function checkArchive(archive: Uint8Array, sha256: string | undefined, where: Where): void {
  const actual = createHash("sha256").update(archive).digest("hex");
  if (sha256 === undefined || sha256 === actual) return;
  throw new FairleadError("chart-invalid", "the archive is not the one that the repository's index names", {
    where,
    hint: `the index says sha256:${sha256}, and it is sha256:${actual}`,
  });
}

function archiveUrl(repository: URL, { url: text, sha256 }: ChartEntry, where: Where): URL {
  const url = resolveUrl(repository, text);
  if (!isHttp(url) || url.username !== "" || url.password !== "") {
    throw new FairleadError("chart-invalid", "the index gives the chart an address that is refused", {
      where,
      hint: "an address is an http, https or oci URL without a user",
    });
  }
  if (url.protocol === "http:" && repository.protocol === "https:" && sha256 === undefined) {
    throw new FairleadError(
      "chart-invalid",
      "the index leads from https to plain http, and gives no digest",
      {
        where,
      },
    );
  }
  return url;
}

/** Relative to the repository as a folder, whose query goes with it (Helm, repo.ResolveReferenceURL). */
function resolveUrl(repository: URL, text: string): URL {
  const base = new URL(repository);
  base.hash = "";
  base.pathname = base.pathname.replace(/\/?$/u, "/");
  const resolved = URL.parse(text, base.href);
  if (resolved === null) {
    throw new FairleadError("chart-invalid", "the index gives the chart an address that is none", {
      where: { file: describeUrl(repository) },
    });
  }
  // A query may be a token, which is for the repository's own host alone.
  if (!/^[a-z][a-z0-9+.-]*:/iu.test(text) && resolved.origin === base.origin) resolved.search = base.search;
  return resolved;
}

function isHttp({ protocol }: URL): boolean {
  return protocol === "http:" || protocol === "https:";
}
