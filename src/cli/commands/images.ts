import { Argument, Command, Option } from "commander";
import { FairleadError } from "../../core/error.ts";
import type { Chart } from "../../helm/chart/chart.ts";
import { createUserValueLocator } from "../../helm/values/value-layer.ts";
import { listImages } from "../../relocation/list-images.ts";
import type { ChartRendering } from "../../relocation/verify/verification.ts";
import { formatJson } from "../../relocation/report/json-text.ts";
import type { CliIo, Exit } from "../io.ts";
import { addChartOptions, chartArgument, type ChartOptions, chartPathOf } from "../options/chart-options.ts";
import { createChartOpener } from "../options/chart-source.ts";
import { addChartSourceOptions, type ChartSourceOptions } from "../options/chart-source-options.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../options/log-options.ts";
import { addReleaseOptions, renderTraced, type ReleaseOptions } from "../options/render-options.ts";
import { readUserValues, type UserValues } from "../options/user-values.ts";
import { formatImageTable } from "../output/image-table.ts";
import { tellerFor } from "../teller.ts";

interface ImagesOptions extends ChartOptions, ChartSourceOptions, ReleaseOptions, LogOptions {
  readonly render: boolean;
  readonly output: "table" | "json";
}

/** `fairlead images`: a chart's images and where each comes from, without a target. */
export function createImagesCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("images")
    .description(
      "List a chart's images, and which values, templates and fields of Chart.yaml each comes from.",
    )
    .addArgument(new Argument("[CHART]", chartArgument));
  addReleaseOptions(addChartSourceOptions(addChartOptions(command)));
  command
    .option("--no-render", "render nothing: list what the values look like")
    .addOption(
      new Option("--output <format>", "form of the list").choices(["table", "json"]).default("table"),
    );
  addLogOptions(command);
  return command
    .addHelpText("after", examples)
    .action(async (chart: string | undefined, options: ImagesOptions) => {
      const log = loggerFor(options, io);
      const chartPath = chartPathOf(chart, options);
      const user = await readUserValues(options);
      const { env, signal } = io;
      const loaded = await createChartOpener(options, { env, signal, log }).open(chartPath);
      log.debug("chart is loaded", { chart: chartPath });
      const rendering = options.render ? await tryRender(loaded.chart, options, user) : undefined;
      const locateUserValue = createUserValueLocator(user.layers);
      const images = listImages(loaded, user.values, { rendering, locateUserValue, redact: user.redact });
      tellerFor(options, io).findings(images.diagnostics);
      io.stdout(
        options.output === "json"
          ? formatJson(images)
          : formatImageTable(images.images, { rendered: images.rendered, terminal: io.stdoutTerminal }),
      );
      exit(0);
    });
}

/** What takes too much to render is told of like what does not render: the values tell the rest. */
async function tryRender(chart: Chart, options: ImagesOptions, user: UserValues): Promise<ChartRendering> {
  try {
    return await renderTraced(chart, options, user);
  } catch (error) {
    if (!(error instanceof FairleadError) || error.code !== "limit-exceeded") throw error;
    return { ok: false, message: user.redact(error.message) };
  }
}

const examples = `
Examples:
  $ fairlead images examples/shop
  $ fairlead images examples/shop --set search.enabled=true --output json
  $ fairlead images examples/shop --no-render

Images of parts that are switched off are found in the values.
`;
