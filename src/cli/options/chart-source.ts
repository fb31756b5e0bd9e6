import { type Command } from "commander";
import { FairleadError } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import { chooseVersion } from "../../helm/chart/choose-version.ts";
import { loadChart, loadChartArchive, type LoadedChart } from "../../helm/chart/load.ts";
import { isVersion } from "../../helm/chart/version.ts";
import { isOciAddress } from "../../registry/charts/oci-address.ts";
import type { RemoteChart, VersionChoice } from "../../registry/charts/remote-chart.ts";
import type { CliIo } from "../io.ts";
import type { ChartOptions } from "./chart-options.ts";
import { addRegistryOptions, type RegistryOptions } from "./registry-options.ts";

/** Flags of every command that takes charts of registries and repositories. */
export interface ChartSourceOptions extends RegistryOptions, Pick<ChartOptions, "maxChartBytes"> {
  readonly repo?: string;
  readonly version?: string;
  /** In place of `version` where that flag tells the program's own. */
  readonly chartVersion?: string;
  readonly repoUsername?: string;
  readonly repoPasswordFile?: string;
  readonly passCredentials?: boolean;
}

/**
 * Adds {@link ChartSourceOptions}, but for the limit.
 * @param versionFlag another name for `--version`
 */
export function addChartSourceOptions(
  command: Command,
  versionFlag: "--version" | "--chart-version" = "--version",
): Command {
  command
    .option("--repo <url>", "classic chart repository of which CHART is the name of a chart")
    .option(
      `${versionFlag} <version>`,
      "version of a chart of a registry or repository, or a range such as ^1.2 (default: the newest release)",
    )
    .option("--repo-username <name>", "user of the chart repository")
    .option(
      "--repo-password-file <file>",
      "file with the password of that user (default: $FAIRLEAD_REPO_PASSWORD)",
    )
    .option("--pass-credentials", "give user and password to other hosts that the repository names");
  return addRegistryOptions(command);
}

/** A chart that a command line names, loaded. */
export interface OpenedChart extends LoadedChart {
  /** The path as given, or the address that it came from. */
  readonly path: string;
  /** Where the chart is in no file. */
  readonly archive?: Uint8Array;
}

/** What opening a chart may touch. */
export interface ChartSourceContext extends Pick<CliIo, "env" | "signal"> {
  readonly log?: Logger | undefined;
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
  const flagVersion = options.version ?? options.chartVersion;
  let remote: Promise<RemoteSource> | undefined;
  return {
    open: async (name, version = flagVersion) => {
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

/** What fetches charts. */
export interface RemoteSource {
  fetch(name: string, version: VersionChoice): Promise<RemoteChart>;
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
