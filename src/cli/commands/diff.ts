import { Argument, Command, Option } from "commander";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { FairleadError } from "../../core/error.ts";
import { createUserValueLocator } from "../../helm/values/value-layer.ts";
import { findUntaggedImages, formatImageList } from "../../relocation/report/image-list.ts";
import { formatJson } from "../../relocation/report/json-text.ts";
import { relocateChart } from "../../relocation/relocate-chart.ts";
import type { ChartTracer, RelocateChartInput } from "../../relocation/relocate-chart-input.ts";
import { checkOverride, type CheckedOverride } from "../../relocation/upgrade/check-override.ts";
import { compareCharts, type ChartVersion } from "../../relocation/upgrade/compare-charts.ts";
import { resultToFetch } from "../../relocation/upgrade/fetch-list.ts";
import { isToBeFetched, type UpgradeComparison } from "../../relocation/upgrade/image-change.ts";
import type { OverrideCheck } from "../../relocation/upgrade/override-check.ts";
import { rememberRendering } from "../../relocation/upgrade/remember-rendering.ts";
import { exitCodeOf } from "../exit-code.ts";
import type { CliIo, Exit } from "../io.ts";
import { addValueOptions, chartArgument, type ChartOptions } from "../options/chart-options.ts";
import { createChartOpener, type OpenedChart } from "../options/chart-source.ts";
import { addChartSourceOptions, type ChartSourceOptions } from "../options/chart-source-options.ts";
import { chartInputOf } from "../options/chart-input.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../options/log-options.ts";
import { followedIn, readOverride } from "../options/override-file.ts";
import {
  addExploreOptions,
  addReleaseOptions,
  exploreLimitOf,
  type ExploreOptions,
  renderersFor,
  type ReleaseOptions,
} from "../options/render-options.ts";
import { type CommandSettings, readSettings } from "../options/settings.ts";
import { addTargetOptions, type TargetOptions } from "../options/target-options.ts";
import { readUserValues, type UserValues } from "../options/user-values.ts";
import { formatDiffMarkdown } from "../output/diff-markdown.ts";
import { formatDiffTable } from "../output/diff-table.ts";
import { checkPlaces, type Output, writeAll } from "../output/write-output.ts";
import { tellerFor } from "../teller.ts";

interface DiffOptions
  extends ChartOptions, ChartSourceOptions, TargetOptions, ReleaseOptions, ExploreOptions, LogOptions {
  readonly oldVersion?: string;
  readonly override?: string;
  readonly imageList?: string;
  readonly all?: boolean;
  readonly exitCode?: boolean;
  readonly force?: boolean;
  readonly output: "table" | "json" | "markdown";
}

/** `fairlead diff`: what a chart upgrade does to the images, and to an override. */
export function createDiffCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("diff")
    .description(
      "Tell which images a chart upgrade adds, removes and changes, and whether an override still fits.",
    )
    .addArgument(new Argument("<OLD>", chartArgument))
    .addArgument(new Argument("<NEW>", "the same chart in another version"))
    .option("--old-version <version>", "version of OLD, where --version is that of NEW alone")
    .option("--override <file>", "override to prove against NEW; takes a target and sources")
    .option("--image-list <file>", "file of `source target` lines for what NEW pulls and OLD does not")
    .addOption(
      new Option("--output <format>", "form of the comparison")
        .choices(["table", "json", "markdown"])
        .default("table"),
    )
    .option("--all", "list the images that do not change too")
    .option("--exit-code", "end with 4 where NEW pulls an image that OLD does not")
    .option("--force", "replace an image list that something else wrote");
  addExploreOptions(addTargetOptions(addReleaseOptions(addChartSourceOptions(addValueOptions(command)))));
  addLogOptions(command);
  return command
    .addHelpText("after", examples)
    .action(async (old: string, next: string, options: DiffOptions) => {
      exit(await runDiff(old, next, options, io));
    });
}

const examples = `
Examples:
  $ fairlead diff examples/shop examples/shop --set search.enabled=true --all
  $ fairlead diff examples/shop examples/shop --override override.yaml -t harbor.example.com -s docker.io,quay.io

It ends with 0 where the images alone differ, and with 4 where the override leaves an image in scope behind or
changes something else. With --exit-code it also ends with 4 for images that are added, changed, moved or switched on.
`;

interface Target {
  readonly settings: CommandSettings;
  readonly override: string | undefined;
}

async function runDiff(oldPath: string, newPath: string, options: DiffOptions, io: CliIo): Promise<number> {
  const log = loggerFor(options, io);
  const target = await readTarget(options);
  const user = await readUserValues(options);
  const { env, signal } = io;
  const opener = createChartOpener(options, { env, signal, log });
  const old = await readVersion(await opener.open(oldPath, options.oldVersion), options, user, signal);
  const next = await readVersion(await opener.open(newPath), options, user, signal);
  log.debug("both charts are rendered", { old: oldPath, new: newPath });
  const locate = createUserValueLocator(user.layers);
  const comparison = compareCharts(old, next, { values: user.values, locate, redact: user.redact });
  const input = target === undefined ? undefined : chartInputOf(next.loaded, options, target.settings, user);
  const checked = await proveOverride(input, next.renderer, target, options);
  const list = await imageListOf(input, next.renderer, comparison, options);
  if (io.signal.aborted) throw new FairleadError("aborted", "the run was stopped");
  await writeAll(list.outputs, { force: options.force ?? false });
  tellerFor(options, io).findings([...comparison.diagnostics, ...findingsOf(checked), ...list.findings]);
  io.stdout(format(comparison, checked?.check, options, io));
  const exitCode =
    checked === undefined ? 0 : exitCodeOf(checked.result, { strict: target?.settings.strict ?? false });
  if (exitCode !== 0) return exitCode;
  return options.exitCode === true && comparison.images.some((image) => isToBeFetched(image)) ? 4 : 0;
}

/** What the flags of the target say, where something is asked that takes them. */
async function readTarget(options: DiffOptions): Promise<Target | undefined> {
  const { override, imageList, targetRegistry } = options;
  if (override === undefined && imageList === undefined) {
    if (targetRegistry === undefined) return undefined;
    throw new FairleadError("input-invalid", "--target-registry has no effect by itself", {
      hint: "name what it is for with --override or --image-list",
    });
  }
  const settings = await readSettings(options);
  if (imageList !== undefined) await checkPlaces([imageList]);
  return { settings, override: override === undefined ? undefined : await readOverride(override) };
}

async function readVersion(
  loaded: OpenedChart,
  options: DiffOptions,
  user: UserValues,
  signal: AbortSignal,
): Promise<ChartVersion & { readonly renderer: ChartTracer }> {
  const { tracer } = renderersFor(loaded, options, user, { helm: undefined, signal });
  const renderer = rememberRendering(tracer);
  return { loaded, renderer, rendering: await renderer.render(undefined) };
}

async function proveOverride(
  input: RelocateChartInput | undefined,
  renderer: ChartTracer,
  target: Target | undefined,
  options: DiffOptions,
): Promise<CheckedOverride | undefined> {
  if (input === undefined || target?.override === undefined) return undefined;
  // A proof is whole or none, as with `verify`.
  const whole = { ...input, threshold: 100, renderer, exploreLimit: exploreLimitOf(options) };
  const { override } = target;
  const overrideFile = options.override ?? "";
  const isFollowed = await followedIn(override, overrideFile);
  return checkOverride({ ...whole, override, overrideFile, isFollowed });
}

async function imageListOf(
  input: RelocateChartInput | undefined,
  renderer: ChartTracer,
  { images }: UpgradeComparison,
  { imageList }: DiffOptions,
): Promise<{ readonly outputs: readonly Output[]; readonly findings: readonly Diagnostic[] }> {
  if (input === undefined || imageList === undefined) return { outputs: [], findings: [] };
  const relocated = await relocateChart({ ...input, renderer, mayStayUnproven: true });
  const result = resultToFetch(relocated.result, images);
  return {
    outputs: [{ path: imageList, text: formatImageList([result]), kind: "image-list" }],
    findings: findUntaggedImages(result),
  };
}

/** The findings of a check that its own part of the output does not tell. */
function findingsOf(checked: CheckedOverride | undefined): OverrideCheck["diagnostics"] {
  const told = new Set(["image-not-moved", "image-misplaced"]);
  return (checked?.check.diagnostics ?? []).filter(({ code }) => !told.has(code));
}

function format(
  comparison: UpgradeComparison,
  override: OverrideCheck | undefined,
  { output, all }: DiffOptions,
  io: CliIo,
): string {
  const images = comparison.images.filter(({ change }) => all === true || change !== "unchanged");
  const told = { ...comparison, images };
  if (output === "json") return formatJson({ ...told, ...(override === undefined ? {} : { override }) });
  if (output === "markdown") return formatDiffMarkdown(told, override);
  return formatDiffTable(told, override, io.stdoutTerminal);
}
