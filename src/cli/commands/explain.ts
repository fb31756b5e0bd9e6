import { Argument, Command, Option } from "commander";
import { createUserValueLocator } from "../../helm/values/value-layer.ts";
import { explain } from "../../relocation/explain/explain.ts";
import { formatJson } from "../../relocation/report/json-text.ts";
import type { CliIo, Exit } from "../io.ts";
import { addValueOptions, chartArgument, chartPathOf, type ChartOptions } from "../options/chart-options.ts";
import { createChartOpener } from "../options/chart-source.ts";
import { addChartSourceOptions, type ChartSourceOptions } from "../options/chart-source-options.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../options/log-options.ts";
import { addReleaseOptions, renderTraced, type ReleaseOptions } from "../options/render-options.ts";
import { readUserValues } from "../options/user-values.ts";
import { formatExplanation } from "../output/explain-text.ts";
import { tellerFor } from "../teller.ts";

interface ExplainOptions
  extends Omit<ChartOptions, "chartPath">, ChartSourceOptions, ReleaseOptions, LogOptions {
  readonly output: "text" | "json";
}

/** `fairlead explain`: what put the text of a field into a rendered object. */
export function createExplainCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("explain")
    .description("Tell which values, templates and files put the text of a rendered field there.")
    .addArgument(new Argument("<CHART>", chartArgument))
    .addArgument(new Argument("[OBJECT]", "[NAMESPACE/]KIND/NAME (default: list the objects)"))
    .addArgument(
      new Argument("[FIELD]", "path such as spec.template.spec.containers[web].image (default: all fields)"),
    );
  addReleaseOptions(addChartSourceOptions(addValueOptions(command))).addOption(
    new Option("--output <format>", "form of the explanation").choices(["text", "json"]).default("text"),
  );
  addLogOptions(command);
  return command
    .addHelpText("after", examples)
    .action(
      async (
        chart: string,
        object: string | undefined,
        field: string | undefined,
        options: ExplainOptions,
      ) => {
        const log = loggerFor(options, io);
        const user = await readUserValues(options);
        const chartPath = chartPathOf(chart, {});
        const { env, signal } = io;
        const loaded = await createChartOpener(options, { env, signal, log }).open(chartPath);
        log.debug("chart is loaded", { chart: chartPath });
        tellerFor(options, io).findings(loaded.diagnostics);
        const explanation = explain({
          chart: loaded.chart,
          userValues: user.values,
          locateUserValue: createUserValueLocator(user.layers),
          rendering: await renderTraced(loaded.chart, options, user),
          object,
          field,
        });
        io.stdout(
          options.output === "json"
            ? formatJson(explanation)
            : formatExplanation(explanation, io.stdoutTerminal),
        );
        exit(0);
      },
    );
}

const examples = `
Examples:
  $ fairlead explain examples/shop
  $ fairlead explain examples/shop Deployment/release-name-web
  $ fairlead explain examples/shop Deployment/release-name-web 'spec.template.spec.containers[api].image'
  $ fairlead explain examples/shop Deployment/release-name-web spec.template --output json

An item of a list is named by its number or by its name.
`;
