import { availableParallelism } from "node:os";
import { Argument, Command, Option } from "commander";
import { FairleadError } from "../../core/error.ts";
import { formatImageList } from "../../relocation/report/image-list.ts";
import type { SurveyEntry } from "../../relocation/result.ts";
import { defaultJobs, surveyCharts } from "../../relocation/survey.ts";
import { worstExitCode } from "../exit-code.ts";
import type { CliIo, Exit } from "../io.ts";
import { addValueOptions, collect, positiveInteger } from "../options/chart-options.ts";
import { addChartSourceOptions } from "../options/chart-source-options.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../options/log-options.ts";
import { addExploreOptions, addRenderOptions, tryHelmFor } from "../options/render-options.ts";
import { addTargetOptions, addThresholdOption } from "../options/target-options.ts";
import { createProgress } from "../output/progress.ts";
import { checkReportNames, reportOutputs } from "../output/report-outputs.ts";
import { checkPlaces, type Output, writeAll } from "../output/write-output.ts";
import { tellerFor } from "../teller.ts";
import { type ChartSurveyOptions, createChartSurveyor } from "./chart-surveyor.ts";

interface SurveyOptions extends ChartSurveyOptions, LogOptions {
  readonly jobs?: number;
  readonly parallel: boolean;
  readonly report: readonly string[];
  readonly imageList?: string;
  readonly force?: boolean;
}

/** `fairlead survey`: override and verify for many charts (document 002, §6.3.1). */
export function createSurveyCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("survey")
    .description(
      "Override and verify many charts in parallel, each on its own, and tell what did not move and why.",
    )
    .addArgument(
      new Argument("<CHART...>", "chart directories, .tgz archives or oci:// addresses; with --repo names"),
    );
  addChartSourceOptions(addValueOptions(command));
  addThresholdOption(addTargetOptions(command));
  command
    .addOption(
      new Option(
        "--jobs <number>",
        "charts at a time (default: half the cores, at least 4, at most 16)",
      ).argParser(positiveInteger),
    )
    .option("--no-parallel", "one chart at a time")
    .option(
      "--report <file>",
      "report, its kind by its ending: .json .xml .sarif .html; repeatable",
      collect,
      [],
    )
    .option("--image-list <file>", "file of `source target` lines for crane and skopeo")
    .option("--force", "replace output files that something else wrote");
  addExploreOptions(addRenderOptions(command));
  addLogOptions(command);
  return command
    .addHelpText("after", examples)
    .action(async (charts: readonly string[], options: SurveyOptions) => {
      exit(await runSurvey(charts, options, io));
    });
}

const examples = `
Examples:
  $ fairlead survey examples/shop -t harbor.example.com:5000 -s '*' --report survey.html
  $ fairlead survey examples/shop/charts/* -t harbor.example.com -s docker.io,quay.io --jobs 8 --report survey.xml

The exit code is the worst chart's.
`;

async function runSurvey(chartPaths: readonly string[], options: SurveyOptions, io: CliIo): Promise<number> {
  const log = loggerFor(options, io);
  checkReportNames(options.report);
  const { report, imageList } = options;
  await checkPlaces(imageList === undefined ? report : [...report, imageList]);
  const helm = tryHelmFor(options, io);
  const survey = await createChartSurveyor(options, { helm, env: io.env, signal: io.signal });
  await helm?.check(io.signal);
  const jobs = jobsOf(options);
  const threads = helm === undefined ? Math.min(jobs, availableParallelism()) : 1;
  const { openSurveyWorkers } = await import("../survey-workers.ts");
  const workers = openSurveyWorkers(chartPaths, options, { threads, signal: io.signal });
  const terminal = io.stderrTerminal;
  const progress = createProgress({ terminal, total: chartPaths.length, noun: "charts", write: io.stderr });
  const entries = await surveyCharts({
    chartPaths,
    jobs: workers === undefined ? jobs : threads,
    survey: (chartPath) => {
      log.debug("chart is worked on", { chart: chartPath });
      return workers === undefined ? survey(chartPath) : workers.survey(chartPath);
    },
    onProgress: (entry) => progress.step(chartPathOfEntry(entry)),
  });
  await workers?.close();
  progress.end();
  if (io.signal.aborted) throw new FairleadError("aborted", "the survey was stopped");
  tellerFor(options, io).survey(entries);
  const outputs: Output[] = [...(await reportOutputs(report, entries))];
  if (imageList !== undefined) {
    const results = entries.flatMap((entry) => ("result" in entry ? [entry.result] : []));
    outputs.push({ path: imageList, text: formatImageList(results), kind: "image-list" });
  }
  await writeAll(outputs, { force: options.force ?? false });
  return worstExitCode(entries.map(({ exitCode }) => exitCode));
}

function jobsOf({ jobs, parallel }: SurveyOptions): number {
  return jobs ?? (parallel ? defaultJobs() : 1);
}

function chartPathOfEntry(entry: SurveyEntry): string {
  return "result" in entry ? entry.result.chart.path : entry.failure.chart.path;
}
