import { Argument, Command, Option } from "commander";
import { FairleadError } from "../../core/error.ts";
import { loadChart } from "../../helm/chart/load.ts";
import { relocateChart, type RelocatedChart } from "../../relocation/relocate-chart.ts";
import { formatImageList } from "../../relocation/report/image-list.ts";
import { exitCodeOf } from "../exit-code.ts";
import type { CliIo, Exit } from "../io.ts";
import { addChartOptions, type ChartOptions, chartPathOf, collect } from "../options/chart-options.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../options/log-options.ts";
import { addRenderOptions, helmFor, rendererFor, type RenderOptions } from "../options/render-options.ts";
import { type CommandSettings, readSettings } from "../options/settings.ts";
import { addTargetOptions, type TargetOptions } from "../options/target-options.ts";
import { readUserValues } from "../options/user-values.ts";
import { overrideDocument } from "../output/override-document.ts";
import { reportOutputs } from "../output/report-outputs.ts";
import { describeResult, toText } from "../output/verdict-text.ts";
import { type Output, writeAll } from "../output/write-output.ts";

interface OverrideOptions extends ChartOptions, TargetOptions, RenderOptions, LogOptions {
  readonly outputFile?: string;
  readonly outputFormat: "yaml" | "json";
  readonly report: readonly string[];
  readonly imageList?: string;
  readonly verify?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** `fairlead override`, and the whole of `helm-image-override` (document 002, §6.4). */
export function createOverrideCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("override")
    .description("Write the smallest values override that moves a chart's images to another registry.")
    .addArgument(new Argument("[CHART]", "chart directory or .tgz archive"));
  addChartOptions(command);
  addTargetOptions(command);
  command
    .option("-o, --output-file <file>", "file for the override (default: standard output)")
    .addOption(
      new Option("--output-format <format>", "form of the override")
        .choices(["yaml", "json"])
        .default("yaml"),
    )
    .option(
      "--report <file>",
      "report, its kind by its ending: .json .xml .sarif .html; repeatable",
      collect,
      [],
    )
    .option("--image-list <file>", "file of `source target` lines for crane and skopeo")
    .option("--verify", "prove the override by rendering with helm; without it nothing is called OK")
    .option("--dry-run", "print the override and write no file")
    .option("--force", "replace output files that something else wrote");
  addRenderOptions(command);
  addLogOptions(command);
  return command
    .addHelpText("after", examples)
    .action(async (chart: string | undefined, options: OverrideOptions) => {
      exit(await runOverride(chart, options, io));
    });
}

const examples = `
Examples:
  $ fairlead override examples/shop -t harbor.example.com:5000 -s docker.io,quay.io
  $ fairlead override examples/shop -t harbor.example.com -s '*' --verify -o override.yaml --report shop.html
  $ fairlead override examples/shop --config examples/config/fairlead.config.yaml --set search.enabled=true

Exit codes: 0 done, 1 runtime error, 2 wrong input or configuration, 3 broken chart,
4 images below the threshold, 5 unsupported structure under --strict.
`;

async function runOverride(chart: string | undefined, options: OverrideOptions, io: CliIo): Promise<number> {
  const log = loggerFor(options, io);
  const settings = await readSettings(options);
  const chartPath = chartPathOf(chart, options);
  log.debug("chart is loaded", { chart: chartPath });
  const relocated = await relocate(chartPath, options, settings, io);
  const { result } = relocated;
  log.debug("images are planned", { found: result.images.length, inScope: result.verdict.images });
  const exitCode = exitCodeOf(result, { strict: settings.strict });
  const document = overrideDocument(relocated.override, options.outputFormat);
  const { colours } = io.stderrTerminal;
  io.stderr(toText(describeResult(result, { colours, verbose: options.verbose ?? false })));
  if (options.dryRun === true) {
    io.stdout(document);
    return exitCode;
  }
  const entry = { result, exitCode, durationMs: 0 };
  const outputs: Output[] = [...reportOutputs(options.report, [entry])];
  if (exitCode === 0) {
    if (options.outputFile !== undefined) {
      outputs.push({ path: options.outputFile, text: document, kind: `override-${options.outputFormat}` });
    }
    if (options.imageList !== undefined) {
      outputs.push({ path: options.imageList, text: formatImageList([result]), kind: "image-list" });
    }
  }
  await writeAll(outputs, { force: options.force ?? false });
  if (exitCode === 0 && options.outputFile === undefined) io.stdout(document);
  return exitCode;
}

async function relocate(
  chartPath: string,
  options: OverrideOptions,
  settings: CommandSettings,
  io: CliIo,
): Promise<RelocatedChart> {
  if (options.excludeTests === true && options.verify !== true) {
    throw new FairleadError("input-invalid", "--exclude-tests has no effect without --verify", {
      hint: "only a rendering tells which images belong to helm test",
    });
  }
  const { chart, diagnostics } = await loadChart(chartPath, {
    maxBytes: options.maxChartBytes,
    signal: io.signal,
  });
  return relocateChart({
    chart,
    chartDiagnostics: diagnostics,
    userValues: await readUserValues(options, io),
    settings: settings.relocation,
    isNamedImage: settings.isNamedImage,
    threshold: settings.threshold,
    excludeTests: options.excludeTests ?? false,
    renderer: options.verify === true ? rendererFor(helmFor(options, io), chartPath, options, io) : undefined,
  });
}
