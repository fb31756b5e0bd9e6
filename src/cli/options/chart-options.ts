import { type Command, InvalidArgumentError, Option } from "commander";
import { FairleadError } from "../../core/error.ts";

/** Flags of every command that reads one chart. */
export interface ChartOptions {
  readonly chartPath?: string;
  readonly values: readonly string[];
  readonly set: readonly string[];
  readonly setString: readonly string[];
  readonly setFile: readonly string[];
  readonly kubeVersion?: string;
  readonly maxChartBytes: number;
}

/** What a command takes for a chart, for its help. */
export const chartArgument: string =
  "chart directory, .tgz archive or oci:// address; with --repo a chart's name";

/** Adds {@link ChartOptions}; Helm's own flags keep Helm's names and grammar. */
export function addChartOptions(command: Command): Command {
  return addValueOptions(command.option("--chart-path <path>", "the chart, in place of CHART"));
}

/**
 * The chart that a command line names, by position or by `--chart-path`.
 * @throws FairleadError `input-invalid` when it names none, or two.
 */
export function chartPathOf(argument: string | undefined, options: Pick<ChartOptions, "chartPath">): string {
  const { chartPath } = options;
  if (argument !== undefined && chartPath !== undefined && argument !== chartPath) {
    throw new FairleadError("input-invalid", `two charts are named: ${argument} and ${chartPath}`, {
      hint: "name the chart once, by position or with --chart-path",
    });
  }
  const path = argument ?? chartPath;
  if (path === undefined || path === "") {
    throw new FairleadError("input-invalid", "no chart is named", {
      hint: "name a chart directory, a .tgz archive, an oci:// address or, with --repo, the name of a chart",
    });
  }
  return path;
}

/** The part of {@link ChartOptions} that holds for any number of charts. */
export function addValueOptions(command: Command): Command {
  return command
    .option("-f, --values <file>", "values file, as Helm takes it; repeatable, the last wins", collect, [])
    .option("--set <key=value>", "value, in Helm's grammar; repeatable", collect, [])
    .option("--set-string <key=value>", "value that stays a string; repeatable", collect, [])
    .option("--set-file <key=path>", "value read from a file; repeatable", collect, [])
    .addOption(
      new Option("--kube-version <version>", "Kubernetes version to render for, as Helm takes it").argParser(
        kubeVersion,
      ),
    )
    .addOption(
      new Option("--max-chart-bytes <bytes>", "refuse charts that unpack to more")
        .argParser(positiveInteger)
        .default(100 * 1024 * 1024, "100 MiB"),
    );
}

/** Gathers a flag that may be given several times. */
export function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}

/** Splits a comma-separated list, drops blanks, and adds it to what earlier flags gave. */
export function collectList(value: string, previous: readonly string[]): string[] {
  const items = value.split(",").map((item) => item.trim());
  return [...previous, ...items.filter((item) => item !== "")];
}

/** Reads a Kubernetes version, of which Helm takes the first part alone too. @throws InvalidArgumentError */
function kubeVersion(text: string): string {
  if (!/^v?\d+(?:\.\d+){0,2}(?:-[\w.-]+)?(?:\+[\w.-]+)?$/u.test(text))
    throw new InvalidArgumentError("It must be a version such as 1.35.0.");
  return text;
}

/** Reads a whole number above 0. @throws InvalidArgumentError */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError("It must be a whole number above 0.");
  return value;
}

/** Reads a number from 0 to 100. @throws InvalidArgumentError */
export function percentage(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 100)) {
    throw new InvalidArgumentError("It must be a number from 0 to 100.");
  }
  return value;
}
