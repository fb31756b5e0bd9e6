import { Argument, Command } from "commander";
import { FairleadError } from "../../core/error.ts";
import { verifyChart } from "../../relocation/verify-chart.ts";
import { exitCodeOf } from "../exit-code.ts";
import type { CliIo, Exit } from "../io.ts";
import {
  addChartOptions,
  chartArgument,
  type ChartOptions,
  chartPathOf,
  collect,
} from "../options/chart-options.ts";
import { createChartOpener } from "../options/chart-source.ts";
import { addChartSourceOptions, type ChartSourceOptions } from "../options/chart-source-options.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../options/log-options.ts";
import { addRenderOptions, renderersFor, tryHelmFor, type RenderOptions } from "../options/render-options.ts";
import { followedIn, readOverride } from "../options/override-file.ts";
import { readSettings } from "../options/settings.ts";
import { addTargetOptions, type TargetOptions } from "../options/target-options.ts";
import { addTargetCheckOption, type TargetCheckOptions, withTargetCheck } from "../options/target-check.ts";
import { chartInputOf } from "../options/chart-input.ts";
import { readUserValues } from "../options/user-values.ts";
import { checkReportNames, reportOutputs } from "../output/report-outputs.ts";
import { checkPlaces, writeAll } from "../output/write-output.ts";
import { tellerFor } from "../teller.ts";
import { orKnownFindings } from "./known-findings.ts";

interface VerifyOptions
  extends ChartOptions, ChartSourceOptions, TargetOptions, RenderOptions, TargetCheckOptions, LogOptions {
  readonly override?: string;
  readonly report: readonly string[];
  readonly force?: boolean;
}

/** `fairlead verify`: proves an override that is already there (document 002, §7). */
export function createVerifyCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("verify")
    .description("Render a chart with and without an override and compare every image and everything else.")
    .addArgument(new Argument("[CHART]", chartArgument))
    .option("--override <file>", "the override to prove");
  addChartSourceOptions(addChartOptions(command));
  addTargetOptions(command);
  command
    .option(
      "--report <file>",
      "report, its kind by its ending: .json .xml .sarif .html; repeatable",
      collect,
      [],
    )
    .option("--force", "replace report files that something else wrote");
  addTargetCheckOption(command);
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
  checkReportNames(options.report);
  await checkPlaces(options.report);
  const override = await readOverride(options.override);
  const user = await readUserValues(options);
  // A proof is whole or none: only `override` has a threshold.
  const whole = { ...settings, threshold: 100 };
  const { env, signal } = io;
  const opened = await createChartOpener(options, { env, signal, log }).open(chartPath);
  const input = chartInputOf(opened, options, whole, user);
  log.debug("chart is loaded", { chart: chartPath });
  const context = { helm: tryHelmFor(options, io), signal };
  const renderers = renderersFor(opened, options, user, context);
  const overrideFile = options.override;
  const isFollowed = await followedIn(override, overrideFile);
  const verified = await orKnownFindings(
    async () => ({
      result: await verifyChart({ ...input, ...renderers, override, overrideFile, isFollowed }),
    }),
    input,
    settings,
  );
  const result = await withTargetCheck(verified.result, options, { io, log });
  const exitCode = exitCodeOf(result, { strict: settings.strict });
  tellerFor(options, io).result(result);
  await writeAll(await reportOutputs(options.report, [{ result, exitCode, durationMs: 0 }]), {
    force: options.force ?? false,
  });
  return exitCode;
}
