import { FairleadError } from "../../core/error.ts";
import { chooseVersion } from "../../helm/chart/choose-version.ts";
import { loadChart, loadChartArchive, type LoadedChart } from "../../helm/chart/load.ts";
import { isVersion } from "../../helm/chart/version.ts";
import { isOciAddress } from "../../registry/charts/oci-address.ts";
import type { VersionChoice } from "../../registry/charts/remote-chart.ts";
import type { ChartSourceContext, ChartSourceOptions } from "./chart-source-options.ts";
import type { RemoteSource } from "./remote-chart-source.ts";

/** A chart that a command line names, loaded. */
export interface OpenedChart extends LoadedChart {
  /** The path as given, or the address that it came from. */
  readonly path: string;
  /** Where the chart is in no file. */
  readonly archive?: Uint8Array;
}

/** Opens charts by their names, of which several may come from one registry or repository. */
export interface ChartOpener {
  /**
   * @param version in place of that of the flags
   * @throws FairleadError what `loadChart` throws, and what registries and repositories have to say
   */
  open(name: string, version?: string): Promise<OpenedChart>;
}

/**
 * What opens the charts that a command names: folders and archives, `oci://` addresses, and with `--repo` names.
 * @throws FairleadError `input-invalid` for flags that do not go together
 */
export function createChartOpener(options: ChartSourceOptions, context: ChartSourceContext): ChartOpener {
  checkFlags(options);
  const limits = { maxBytes: options.maxChartBytes, signal: context.signal };
  let remote: Promise<RemoteSource> | undefined;
  return {
    open: async (name, version = options.version) => {
      if (options.repo === undefined && !isOciAddress(name)) {
        refuseVersion(version);
        return { ...(await loadChart(name, limits)), path: name };
      }
      // Few runs talk to a registry, and the client would cost every run its start-up.
      remote ??= import("./remote-chart-source.ts").then(async ({ openRemoteSource }) =>
        openRemoteSource(options, context),
      );
      const { archive, location } = await (await remote).fetch(name, choiceOf(version));
      context.log?.debug("chart is fetched", { chart: location, bytes: archive.length });
      return { ...(await loadChartArchive(archive, location, limits)), path: location, archive };
    },
  };
}

function choiceOf(wanted: string | undefined): VersionChoice {
  return {
    wanted,
    isExact: wanted !== undefined && isVersion(wanted),
    choose: (versions) => chooseVersion(versions, wanted),
  };
}

function checkFlags({ repo, repoUsername, repoPasswordFile, passCredentials }: ChartSourceOptions): void {
  if (repo !== undefined) return;
  const flag = [
    repoUsername === undefined ? "" : "--repo-username",
    repoPasswordFile === undefined ? "" : "--repo-password-file",
    passCredentials === true ? "--pass-credentials" : "",
  ].find((name) => name !== "");
  if (flag === undefined) return;
  throw new FairleadError("input-invalid", `${flag} has no effect without --repo`, {
    hint: "credentials of registries are those of docker login and helm registry login",
  });
}

function refuseVersion(version: string | undefined): void {
  if (version === undefined) return;
  throw new FairleadError("input-invalid", "a version has no effect for a chart in a folder or file", {
    hint: "name a chart of a registry by oci://HOST/PATH, or one of a repository with --repo URL",
  });
}
