import { Argument, Command, Option } from "commander";
import { loadChart } from "../../helm/chart/load.ts";
import { listImages, type ChartImages } from "../../relocation/list-images.ts";
import { formatJson } from "../../relocation/report/json-text.ts";
import type { CliIo, Exit } from "../io.ts";
import { addChartOptions, type ChartOptions, chartPathOf } from "../options/chart-options.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../options/log-options.ts";
import { readUserValues } from "../options/user-values.ts";
import { formatTable } from "../output/table.ts";
import { tellerFor } from "../teller.ts";

interface ImagesOptions extends ChartOptions, LogOptions {
  readonly output: "table" | "json";
}

/** `fairlead images`: what a chart's values hold, without a target. */
export function createImagesCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("images")
    .description("List the images that a chart's values hold, and where.")
    .addArgument(new Argument("[CHART]", "chart directory or .tgz archive"));
  addChartOptions(command);
  command.addOption(
    new Option("--output <format>", "form of the list").choices(["table", "json"]).default("table"),
  );
  addLogOptions(command);
  return command
    .addHelpText("after", examples)
    .action(async (chart: string | undefined, options: ImagesOptions) => {
      const log = loggerFor(options, io);
      const chartPath = chartPathOf(chart, options);
      const { values } = await readUserValues(options);
      const loaded = await loadChart(chartPath, { maxBytes: options.maxChartBytes, signal: io.signal });
      log.debug("chart is loaded", { chart: chartPath });
      const images = listImages(loaded, values);
      tellerFor(options, io).findings(images.diagnostics);
      io.stdout(options.output === "json" ? formatJson(images) : imageTable(images, io));
      exit(0);
    });
}

const examples = `
Examples:
  $ fairlead images examples/shop
  $ fairlead images examples/shop --set search.enabled=true --output json
`;

function imageTable({ images }: ChartImages, io: CliIo): string {
  const rows = images.map((image) => [
    image.source,
    image.values.map((where) => where.valuePath ?? "").join(", "),
    image.enabled ? "" : "switched off",
  ]);
  const { width, colours } = io.stdoutTerminal;
  const columns = [{ title: "image", shrinks: true }, { title: "values", shrinks: true }, { title: "note" }];
  return formatTable(columns, rows, { width, styleTitle: colours.bold });
}
