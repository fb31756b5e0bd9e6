import { Argument, Command, Option } from "commander";
import { FairleadError } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import { relocateChart, type RelocatedChart } from "../../relocation/relocate-chart.ts";
import { findUntaggedImages, formatImageList } from "../../relocation/report/image-list.ts";
import { exitCodeOf } from "../exit-code.ts";
import type { CliIo, Exit } from "../io.ts";
import {
  addChartOptions,
  chartArgument,
  type ChartOptions,
  chartPathOf,
  collect,
} from "../options/chart-options.ts";
import {
  addFollowOptions,
  checkFollowOptions,
  type FollowOptions,
  followingFor,
  type OverrideFollowing,
} from "../options/follow-options.ts";
import { createChartOpener } from "../options/chart-source.ts";
import { addChartSourceOptions, type ChartSourceOptions } from "../options/chart-source-options.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../options/log-options.ts";
import {
  addExploreOptions,
  addRenderOptions,
  exploreLimitOf,
  renderersFor,
  tryHelmFor,
  type ExploreOptions,
  type RenderOptions,
} from "../options/render-options.ts";
import {
  addResidualOption,
  type ResidualChoice,
  residualChoiceOf,
  type ResidualOptions,
} from "../options/residual-options.ts";
import { type CommandSettings, readSettings } from "../options/settings.ts";
import {
  addTargetOptions,
  addThresholdOption,
  type TargetOptions,
  type ThresholdOptions,
} from "../options/target-options.ts";
import { addTargetCheckOption, type TargetCheckOptions, withTargetCheck } from "../options/target-check.ts";
import { chartInputOf } from "../options/chart-input.ts";
import { readUserValues } from "../options/user-values.ts";
import { overrideDocument, policiesDocument } from "../output/override-document.ts";
import { checkReportNames, reportOutputs } from "../output/report-outputs.ts";
import { checkFolder, residualOutputs, withFolder } from "../output/residual-outputs.ts";
import { checkOutputs, checkPlaces, type Output, writeAll } from "../output/write-output.ts";
import { tellerFor } from "../teller.ts";
import { orKnownFindings } from "./known-findings.ts";

interface OverrideOptions
  extends
    ChartOptions,
    ChartSourceOptions,
    TargetOptions,
    ThresholdOptions,
    RenderOptions,
    ExploreOptions,
    ResidualOptions,
    TargetCheckOptions,
    FollowOptions,
    LogOptions {
  readonly outputFile?: string;
  readonly outputFormat: "yaml" | "json";
  readonly report: readonly string[];
  readonly imageList?: string;
  readonly verify?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** `fairlead override`, and the whole of `helm-image-override` (document 002, §6.4). */
export function createOverrideCommand(
  io: CliIo,
  exit: Exit,
  name: "override" | "helm-image-override" = "override",
): Command {
  const command = new Command(name)
    .description("Write the smallest values override that moves a chart's images to another registry.")
    .addArgument(new Argument("[CHART]", chartArgument));
  addChartSourceOptions(addChartOptions(command));
  addThresholdOption(addTargetOptions(command));
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
    .option("--verify", "fail where the chart does not render, rather than leave the override unproven")
    .option("--no-verify", "render nothing: go by what the values look like, and prove nothing")
    .option("--dry-run", "print the override and write no file")
    .option("--force", "replace output files that something else wrote");
  addFollowOptions(addTargetCheckOption(addResidualOption(command)));
  addExploreOptions(addRenderOptions(command));
  addLogOptions(command);
  return command
    .addHelpText("after", examplesOf(name === "override" ? "fairlead override" : name))
    .action(async (chart: string | undefined, options: OverrideOptions) => {
      exit(await runOverride(chart, withoutDash(options), io));
    });
}

function examplesOf(name: string): string {
  return `
Examples:
  $ ${name} examples/shop -t harbor.example.com:5000 -s docker.io,quay.io
  $ ${name} examples/shop -t harbor.example.com -s '*' -o override.yaml --report shop.html
  $ ${name} examples/shop -t harbor.example.com -s docker.io,quay.io --residual post-renderer residual
  $ ${name} examples/shop -t harbor.example.com -s docker.io,quay.io --markers flux-system --policies policies.yaml
  $ ${name} examples/shop --config examples/config/fairlead.config.yaml --set search.enabled=true

Exit codes: 0 done, 1 runtime error, 2 wrong input or configuration, 3 broken chart,
4 images below the threshold, 5 unsupported structure under --strict.
`;
}

/** An output file called `-` is standard output, as many programs have it. */
function withoutDash(options: OverrideOptions): OverrideOptions {
  const { outputFile, ...others } = options;
  return outputFile === "-" ? others : options;
}

async function runOverride(chart: string | undefined, options: OverrideOptions, io: CliIo): Promise<number> {
  const log = loggerFor(options, io);
  const settings = await readSettings(options);
  const chartPath = chartPathOf(chart, options);
  await checkFlags(options);
  const planned = await relocate(chartPath, options, settings, { io, log });
  const result = await withTargetCheck(planned.result, options, { io, log });
  const relocated = { ...planned, result };
  const { following } = planned;
  log.debug("images are planned", { chart: chartPath, found: result.images.length });
  if (io.signal.aborted) throw new FairleadError("aborted", "the run was stopped");
  const exitCode = exitCodeOf(result, { strict: settings.strict });
  const tell = tellerFor(options, io);
  tell.result(result);
  const document = overrideDocument(relocated.override, options.outputFormat, following?.commentAt);
  if (options.dryRun === true) {
    io.stdout(document);
    if (following !== undefined) io.stdout(policiesDocument(following.objects()));
    return exitCode;
  }
  const reports = await reportOutputs(options.report, [{ result, exitCode, durationMs: 0 }]);
  const residual = exitCode === 0 ? residualChoiceOf(options) : undefined;
  const deliverables = await deliverablesOf(relocated, document, options, residual);
  const force = options.force ?? false;
  const write = async (): Promise<void> => {
    // A file that must not be replaced is wrong input, which goes before what the images say.
    await checkOutputs([...reports, ...deliverables], { force });
    tell.refusal(result, exitCode);
    if (options.imageList !== undefined && exitCode === 0) tell.findings(findUntaggedImages(result));
    await writeAll(exitCode === 0 ? [...reports, ...deliverables] : reports, { force });
  };
  await (residual === undefined ? write() : withFolder(residual.folder, write));
  if (exitCode === 0 && options.outputFile === undefined) io.stdout(document);
  return exitCode;
}

/** Refuses what cannot work, before any work is done. */
async function checkFlags(options: OverrideOptions): Promise<void> {
  if (options.excludeTests === true && options.verify === false) {
    throw new FairleadError("input-invalid", "--exclude-tests has no effect with --no-verify", {
      hint: "only a rendering tells which images belong to helm test",
    });
  }
  const residual = residualChoiceOf(options);
  if (residual !== undefined && options.verify === false) {
    throw new FairleadError("input-invalid", "--residual has no effect with --no-verify", {
      hint: "only a rendering tells what values do not reach",
    });
  }
  checkFollowOptions(options);
  checkReportNames(options.report);
  if (options.dryRun === true) return;
  const { outputFile, imageList, policies, report } = options;
  if (residual !== undefined) await checkFolder(residual.folder);
  await checkPlaces([...report, outputFile, imageList, policies].filter((path) => path !== undefined));
}

interface FollowingChart extends RelocatedChart {
  readonly following?: OverrideFollowing | undefined;
}

async function relocate(
  chartPath: string,
  options: OverrideOptions,
  settings: CommandSettings,
  { io, log }: { readonly io: CliIo; readonly log: Logger },
): Promise<FollowingChart> {
  const user = await readUserValues(options);
  const { env, signal } = io;
  const opened = await createChartOpener(options, { env, signal, log }).open(chartPath);
  const following = await followingFor(options, opened.chart.metadata.name);
  const input = {
    ...chartInputOf(opened, options, settings, user),
    ...(following === undefined ? {} : { pin: following.pin }),
  };
  if (options.verify === false) return relocateChart(input);
  const context = { helm: tryHelmFor(options, io), signal };
  const { again, ...renderers } = renderersFor(opened, options, user, context);
  const choice = residualChoiceOf(options);
  const proof = {
    ...renderers,
    mayStayUnproven: options.verify === undefined && choice === undefined,
    exploreLimit: exploreLimitOf(options),
    ...(choice === undefined ? {} : { residual: { again, byName: choice.form === "kustomize" } }),
  };
  const relocated = await orKnownFindings(() => relocateChart({ ...input, ...proof }), input, settings);
  return { ...relocated, following };
}

/** What is only written of an override that passed. */
async function deliverablesOf(
  { result, residual: left = [], following }: FollowingChart,
  document: string,
  options: OverrideOptions,
  residual: ResidualChoice | undefined,
): Promise<Output[]> {
  const { outputFile, outputFormat, imageList, policies, releaseName = "release-name", namespace } = options;
  const override: Output[] =
    outputFile === undefined ? [] : [{ path: outputFile, text: document, kind: `override-${outputFormat}` }];
  const images: Output[] =
    imageList === undefined ? [] : [{ path: imageList, text: formatImageList([result]), kind: "image-list" }];
  const objects: Output[] =
    policies === undefined || following === undefined
      ? []
      : [{ path: policies, text: policiesDocument(following.objects()), kind: "policies" }];
  const values = [...override, ...images, ...objects];
  if (residual === undefined) return values;
  const source = { chart: result.chart, releaseName, namespace };
  return [...values, ...(await residualOutputs(residual, source, left))];
}
