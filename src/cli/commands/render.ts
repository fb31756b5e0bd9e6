import { join } from "node:path";
import { Argument, Command, Option } from "commander";
import { FairleadError } from "../../core/error.ts";
import type { HelmVersion } from "../../helm/chart/chart.ts";
import { createSeededRandom } from "../../helm/go/random.ts";
import { plainText } from "../../helm/go/text.ts";
import { fromBytes } from "../../helm/go/utf8.ts";
import { formatManifests, type FormatOptions } from "../../helm/render/format-manifests.ts";
import { renderNameTemplate } from "../../helm/render/name-template.ts";
import { renderChart, type RenderOptions } from "../../helm/render/render-chart.ts";
import type { CliIo, Exit } from "../io.ts";
import {
  addValueOptions,
  chartArgument,
  type ChartOptions,
  collect,
  collectList,
} from "../options/chart-options.ts";
import { createChartOpener } from "../options/chart-source.ts";
import { addChartSourceOptions, type ChartSourceOptions } from "../options/chart-source-options.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../options/log-options.ts";
import { addLimitOptions, limitsOf, type LimitOptions } from "../options/render-options.ts";
import { readUserValues } from "../options/user-values.ts";
import { writeManifestFiles } from "../output/manifest-files.ts";
import { tellerFor } from "../teller.ts";

interface RenderFlags extends Omit<ChartOptions, "chartPath">, ChartSourceOptions, LimitOptions, LogOptions {
  readonly setJson: readonly string[];
  readonly setLiteral: readonly string[];
  readonly namespace?: string;
  readonly nameTemplate?: string;
  readonly apiVersions: readonly string[];
  readonly includeCrds?: boolean;
  readonly skipTests?: boolean;
  readonly hooks: boolean;
  readonly showOnly: readonly string[];
  readonly isUpgrade?: boolean;
  readonly skipSchemaValidation?: boolean;
  readonly outputDir?: string;
  readonly releaseName?: boolean;
  readonly validate?: boolean;
  readonly compat: HelmVersion;
  readonly seed?: string;
}

/** `fairlead render`: what `helm template` prints, without helm. */
export function createRenderCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("render")
    .description("Print the manifests that a chart renders to, as helm template does.")
    .addArgument(new Argument("[NAME]", "release name (default: release-name)"))
    .addArgument(new Argument("[CHART]", chartArgument));
  addValueOptions(command)
    .option("--set-json <key=json>", "value as JSON; repeatable", collect, [])
    .option("--set-literal <key=text>", "value that is taken as it is; repeatable", collect, []);
  addChartSourceOptions(command);
  addReleaseOptions(command);
  addOutputOptions(command);
  addEngineOptions(command);
  addLogOptions(command);
  return command
    .addHelpText("after", examples)
    .action(async (first: string | undefined, second: string | undefined, flags: RenderFlags) => {
      const [name, chart] = second === undefined ? [undefined, first] : [first, second];
      if (chart === undefined || chart === "") {
        throw new FairleadError("input-invalid", "no chart is named", {
          hint: "name a chart directory, a .tgz archive or an oci:// address",
        });
      }
      await runRender(name, chart, flags, io);
      exit(0);
    });
}

function addReleaseOptions(command: Command): void {
  command
    .option("-n, --namespace <name>", "namespace of the release (default: $HELM_NAMESPACE, else default)")
    .option("--name-template <template>", "template that makes the release's name")
    .option("--is-upgrade", "set .Release.IsUpgrade instead of .Release.IsInstall")
    .option(
      "-a, --api-versions <versions>",
      "further API versions for .Capabilities, separated by commas; repeatable",
      collectList,
      [],
    );
}

function addOutputOptions(command: Command): void {
  command
    .option("--include-crds", "print the files of crds/ too")
    .option("--skip-tests", "leave out hooks for helm test")
    .option("--no-hooks", "leave out hooks")
    .option(
      "-s, --show-only <template>",
      "print only what this template makes, such as templates/web.yaml; repeatable, patterns work",
      collect,
      [],
    )
    .option("--output-dir <folder>", "write a file for each template below a folder instead")
    .option("--release-name", "with --output-dir: put the files into a folder of the release's name")
    .option("--skip-schema-validation", "do not check the values against values.schema.json")
    .option("--validate", "not supported, as it needs a cluster");
}

function addEngineOptions(command: Command): void {
  command
    .addOption(
      new Option("--compat <helm>", "which Helm to follow where Helm 3 and 4 differ")
        .choices(["helm3", "helm4"])
        .default("helm3"),
    )
    .option("--seed <text>", "make random texts and certificates from this, the same each time");
  addLimitOptions(command);
}

const examples = `
Examples:
  $ fairlead render examples/shop
  $ fairlead render my-shop examples/shop -n prod --set search.enabled=true -s templates/web.yaml
  $ fairlead render examples/shop --compat helm4 --seed 1 --output-dir out

The output is that of helm template, byte for byte. A lookup finds nothing, as there is no cluster.
SOURCE_DATE_EPOCH sets the time that templates see.
`;

async function runRender(
  name: string | undefined,
  chartPath: string,
  flags: RenderFlags,
  io: CliIo,
): Promise<void> {
  const log = loggerFor(flags, io);
  checkFlags(name, flags);
  const user = await readUserValues(flags);
  const { env, signal } = io;
  const loaded = await createChartOpener(flags, { env, signal, log }).open(chartPath);
  log.debug("chart is loaded", { chart: chartPath });
  const options = optionsOf(flags, io);
  const releaseName = name ?? nameOf(flags, options);
  const rendered = renderChart(loaded.chart, {
    ...options,
    releaseName,
    values: user.values,
    integers: user.integers,
  });
  tellerFor(flags, io).findings([...loaded.diagnostics, ...rendered.diagnostics]);
  const format: FormatOptions = {
    helm: flags.compat,
    hooks: flags.hooks,
    tests: flags.skipTests !== true,
    crds: flags.includeCrds === true,
    showOnly: flags.showOnly,
  };
  if (flags.outputDir === undefined) {
    io.stdout(fromBytes(plainText(formatManifests(rendered, format))));
    return;
  }
  const crds = flags.outputDir;
  const manifests = flags.releaseName === true ? join(crds, releaseName) : crds;
  io.stdout(await writeManifestFiles(rendered, { crds, manifests }, format));
}

/** Refuses what cannot work, before any work is done. */
function checkFlags(
  name: string | undefined,
  { validate, nameTemplate, releaseName, outputDir }: RenderFlags,
): void {
  if (validate === true) {
    throw new FairleadError("input-invalid", "--validate is not supported: it needs a cluster", {
      hint: "pipe the output to kubectl apply --dry-run=server -f -",
    });
  }
  if (name !== undefined && nameTemplate !== undefined) {
    throw new FairleadError("input-invalid", "cannot set --name-template and also specify a name");
  }
  if (releaseName === true && outputDir === undefined) {
    throw new FairleadError("input-invalid", "--release-name has no effect without --output-dir", {
      hint: "the release's name is given before the chart: fairlead render NAME CHART",
    });
  }
}

function optionsOf(flags: RenderFlags, io: CliIo): RenderOptions {
  const namespace = flags.namespace ?? io.env["HELM_NAMESPACE"] ?? "";
  return {
    helm: flags.compat,
    namespace: namespace === "" ? undefined : namespace,
    isUpgrade: flags.isUpgrade,
    kubeVersion: flags.kubeVersion,
    apiVersions: flags.apiVersions,
    checkSchema: flags.skipSchemaValidation !== true,
    random: flags.seed === undefined ? undefined : createSeededRandom(flags.seed),
    now: timeOf(io.env["SOURCE_DATE_EPOCH"]),
    limits: limitsOf(flags),
  };
}

function nameOf({ nameTemplate }: RenderFlags, options: RenderOptions): string {
  return nameTemplate === undefined ? "release-name" : renderNameTemplate(nameTemplate, options);
}

/** Seconds since 1970 as milliseconds (reproducible-builds.org). */
function timeOf(epoch: string | undefined): number | undefined {
  if (epoch === undefined || epoch === "") return undefined;
  if (/^[0-9]{1,11}$/u.test(epoch)) return Number(epoch) * 1000;
  throw new FairleadError("input-invalid", "SOURCE_DATE_EPOCH is not a number of seconds");
}
