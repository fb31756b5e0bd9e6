import { Argument, Command } from "commander";
import { FairleadError } from "../../core/error.ts";
import { loadChart } from "../../helm/chart/load.ts";
import { verifyChart } from "../../relocation/relocate-chart.ts";
import { exitCodeOf } from "../exit-code.ts";
import type { CliIo, Exit } from "../io.ts";
import { addChartOptions, type ChartOptions, chartPathOf, collect } from "../options/chart-options.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../options/log-options.ts";
import { addRenderOptions, helmFor, rendererFor, type RenderOptions } from "../options/render-options.ts";
import { readSettings } from "../options/settings.ts";
import { addTargetOptions, type TargetOptions } from "../options/target-options.ts";
import { readUserValues } from "../options/user-values.ts";
import { readInput } from "../output/read-input.ts";
import { reportOutputs } from "../output/report-outputs.ts";
import { describeResult, toText } from "../output/verdict-text.ts";
import { writeAll } from "../output/write-output.ts";

interface VerifyOptions extends ChartOptions, TargetOptions, RenderOptions, LogOptions {
  readonly override?: string;
  readonly report: readonly string[];
  readonly force?: boolean;
}

const maxOverrideBytes = 16 * 1024 * 1024;

/** `fairlead verify`: proves an override that is already there (document 002, §7). */
export function createVerifyCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("verify")
    .description("Render a chart with and without an override and compare every image and everything else.")
    .addArgument(new Argument("[CHART]", "chart directory or .tgz archive"))
    .option("--override <file>", "the override to prove");
  addChartOptions(command);
  addTargetOptions(command);
  command
    .option(
      "--report <file>",
      "report, its kind by its ending: .json .xml .sarif .html; repeatable",
      collect,
      [],
    )
    .option("--force", "replace report files that something else wrote");
  addRenderOptions(command);
  addLogOptions(command);
  return command
    .addHelpText("after", examples)
    .action(async (chart: string | undefined, options: VerifyOptions) => {
      exit(await runVerify(chart, options, io));
    });
}

const examples = `
Examples:
  $ fairlead override examples/shop -t harbor.example.com -s docker.io,quay.io -o override.yaml
  $ fairlead verify examples/shop -t harbor.example.com -s docker.io,quay.io --override override.yaml

It ends with 0 only if every image in scope moved to the planned reference and nothing else changed.
`;

async function runVerify(chart: string | undefined, options: VerifyOptions, io: CliIo): Promise<number> {
  const log = loggerFor(options, io);
  const settings = await readSettings(options);
  const chartPath = chartPathOf(chart, options);
  if (options.override === undefined) {
    throw new FairleadError("input-invalid", "no override is named", {
      hint: "name it with --override FILE",
    });
  }
  const override = await readInput(options.override, { maxBytes: maxOverrideBytes });
  const loaded = await loadChart(chartPath, { maxBytes: options.maxChartBytes, signal: io.signal });
  log.debug("chart is loaded", { chart: chartPath });
  const result = await verifyChart({
    chart: loaded.chart,
    chartDiagnostics: loaded.diagnostics,
    userValues: await readUserValues(options, io),
    settings: settings.relocation,
    isNamedImage: settings.isNamedImage,
    threshold: 100,
    excludeTests: options.excludeTests ?? false,
    renderer: rendererFor(helmFor(options, io), chartPath, options, io),
    override,
    overrideFile: options.override,
  });
  const exitCode = exitCodeOf(result, { strict: settings.strict });
  const { colours } = io.stderrTerminal;
  io.stderr(toText(describeResult(result, { colours, verbose: options.verbose ?? false })));
  await writeAll(reportOutputs(options.report, [{ result, exitCode, durationMs: 0 }]), {
    force: options.force ?? false,
  });
  return exitCode;
}
