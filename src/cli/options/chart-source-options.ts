import type { Command } from "commander";
import type { Logger } from "../../core/log.ts";
import type { CliIo } from "../io.ts";
import type { ChartOptions } from "./chart-options.ts";
import { addRegistryOptions, type RegistryOptions } from "./registry-options.ts";

/** Flags of every command that takes charts of registries and repositories. */
export interface ChartSourceOptions extends RegistryOptions, Pick<ChartOptions, "maxChartBytes"> {
  readonly repo?: string;
  readonly version?: string;
  readonly repoUsername?: string;
  readonly repoPasswordFile?: string;
  readonly passCredentials?: boolean;
}

/** Adds {@link ChartSourceOptions}, but for the limit. */
export function addChartSourceOptions(command: Command): Command {
  command
    .option("--repo <url>", "classic chart repository of which CHART is the name of a chart")
    .option(
      "--version <version>",
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

/** What opening a chart may touch. */
export interface ChartSourceContext extends Pick<CliIo, "env" | "signal"> {
  readonly log?: Logger | undefined;
}
