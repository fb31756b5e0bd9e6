import { setTimeout as sleep } from "node:timers/promises";
import { Command, InvalidArgumentError, Option } from "commander";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { createAddressGuard } from "../../core/address-guard.ts";
import { FairleadError } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import { tryParseDuration } from "../../objects/duration.ts";
import { loadObjects } from "../../automation/objects/load-objects.ts";
import type { EventSink } from "../../automation/run/object-event.ts";
import { Exclusive } from "../../automation/run/exclusive.ts";
import { withRequests } from "../../automation/run/requested-objects.ts";
import { createRegistryClients } from "../../automation/run/registry-clients.ts";
import { pruneState, runAutomation, type RunReport } from "../../automation/run/run-automation.ts";
import { type AutomationState, openState } from "../../automation/state/automation-state.ts";
import { createPlatformTokens, type PlatformTokens } from "../../registry/cloud/platform-tokens.ts";
import { createDockerKeychain } from "../../registry/credentials/docker-keychain.ts";
import { exitCodeFor, worstExitCode } from "../exit-code.ts";
import type { CliIo, Exit } from "../io.ts";
import { collect } from "../options/chart-options.ts";
import { parseEventsAddress } from "../options/events-address.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../options/log-options.ts";
import { describeRun, formatRun, outcomesOf } from "../output/automation-text.ts";
import { tellError, tellerFor } from "../teller.ts";
import { version } from "../version.ts";
import { openAutomationEvents } from "./automation-events.ts";

interface AutomateOptions extends LogOptions {
  readonly config: readonly string[];
  readonly state?: string;
  readonly once?: boolean;
  /** Milliseconds. */
  readonly interval?: number;
  readonly dryRun?: boolean;
  readonly crossNamespaceRefs: boolean;
  readonly allowFileUrls?: boolean;
  readonly dockerConfig?: string;
  readonly eventsAddr?: string;
  readonly output: "text" | "json";
}

/** `fairlead automate`: scans registries, chooses tags, and commits and pushes what is chosen. */
export function createAutomateCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("automate")
    .description("Scan registries, choose tags by image policies, and commit and push them to Git.")
    .option("--config <path>", "file or folder of Flux objects; repeatable", collect, [])
    .option("--state <file>", "SQLite file for tags, choices and observations (default: in memory)")
    .option("--once", "run once (the default)")
    .addOption(
      new Option("--interval <duration>", "run again and again with a rest of so long, such as 1m").argParser(
        restDuration,
      ),
    )
    .option("--dry-run", "neither commit nor push: print what would change as a unified diff")
    .option("--no-cross-namespace-refs", "let objects refer to objects of their own namespace only")
    .option("--allow-file-urls", "take GitRepositories with file:// URLs")
    .option(
      "--docker-config <directory>",
      "folder of docker's config.json, for repositories without a pull secret (default: DOCKER_CONFIG, else ~/.docker)",
    )
    .option(
      "--events-addr <url>",
      "where events are posted, such as http://127.0.0.1:9090/ (default: nowhere)",
    )
    .addOption(
      new Option("--output <format>", "form of the results").choices(["text", "json"]).default("text"),
    );
  addLogOptions(command);
  return command.addHelpText("after", examples).action(async (options: AutomateOptions) => {
    exit(await runAutomate(options, io));
  });
}

const examples = `
Examples:
  $ fairlead automate --config clusters/prod --dry-run
  $ fairlead automate --config clusters/prod --state automation.db
  $ fairlead automate --config clusters/prod --state automation.db --interval 1m --log-level info
  $ fairlead automate --config clusters/prod --state automation.db --events-addr http://127.0.0.1:9090/

Objects are ImageRepository, ImagePolicy, ImageUpdateAutomation, GitRepository, Secret, ServiceAccount and Namespace.
With --interval they are read anew each time; repositories are scanned at their own intervals.
`;

const minRestMs = 1000;
const maxRestMs = 24 * 60 * 60_000;

/** Reads a duration as Flux writes it. @throws InvalidArgumentError */
function restDuration(text: string): number {
  const restMs = tryParseDuration(text);
  if (restMs === undefined || restMs < minRestMs || restMs > maxRestMs) {
    throw new InvalidArgumentError("It must be a duration from 1s to 24h, such as 90s or 5m.");
  }
  return restMs;
}

async function runAutomate(options: AutomateOptions, io: CliIo): Promise<number> {
  if (options.config.length === 0) {
    throw new FairleadError("input-invalid", "no objects are named", {
      hint: "name them with --config PATH",
    });
  }
  if (options.once === true && options.interval !== undefined) {
    throw new FairleadError("input-invalid", "--once and --interval exclude each other");
  }
  if (options.dryRun === true && options.eventsAddr !== undefined) {
    throw new FairleadError("input-invalid", "--dry-run and --events-addr exclude each other");
  }
  const log = loggerFor(options, io);
  const url =
    options.eventsAddr === undefined ? undefined : parseEventsAddress("--events-addr", options.eventsAddr);
  const state = await openState(options.state);
  try {
    // Git reaches this machine as well, and its user chooses the objects.
    const guard = createAddressGuard({ allowLoopback: true });
    const tokens = createPlatformTokens({ environment: io.env, guard, log });
    const context = { state, tokens, log, io };
    if (url === undefined) return await runAsAsked(options, context);
    const events = await openAutomationEvents({ url, state: options.state, log }, io);
    try {
      return await runAsAsked(options, { ...context, events: events.sink });
    } finally {
      await events.close();
    }
  } finally {
    state.close();
  }
}

interface RunContext {
  readonly state: AutomationState;
  readonly tokens: PlatformTokens;
  readonly events?: EventSink;
  readonly log: Logger;
  readonly io: CliIo;
}

async function runAsAsked(options: AutomateOptions, context: RunContext): Promise<number> {
  if (options.interval === undefined) return runOnce(options, context);
  return runForever(options.interval, options, context);
}

/** Runs until the user interrupts it, which is its proper end. */
async function runForever(restMs: number, options: AutomateOptions, context: RunContext): Promise<number> {
  const { log, io } = context;
  while (!io.signal.aborted) {
    try {
      await runOnce(options, context);
    } catch (error) {
      if (io.signal.aborted) break;
      // Files may be in the middle of a change: the next run may read them whole.
      if (!(error instanceof FairleadError) || error.code === "state-invalid") throw error;
      tellError(error, options.logFormat, io);
    }
    await sleep(restMs, undefined, { signal: io.signal }).catch(() => undefined);
  }
  log.info("stopped");
  return 0;
}

async function runOnce(options: AutomateOptions, context: RunContext): Promise<number> {
  const { state, tokens, events, log, io } = context;
  const { signal } = io;
  const { objects: loaded, diagnostics } = await loadObjects(options.config, { signal });
  const objects = withRequests(loaded, state);
  const teller = tellerFor(options, io);
  teller.findings(diagnostics);
  const isWhole = !diagnostics.some(isError);
  const keychain = createDockerKeychain({ configDir: options.dockerConfig, env: io.env });
  const noCrossNamespaceRefs = !options.crossNamespaceRefs;
  const ports = {
    objects,
    state,
    exclusive: new Exclusive(),
    connect: createRegistryClients({
      objects,
      keychain,
      tokens,
      inherited: io.env,
      userAgent: `fairlead/${version}`,
      log,
    }),
    tokens,
    access: { noCrossNamespaceRefs },
    noCrossNamespaceRefs,
    dryRun: options.dryRun === true,
    allowFile: options.allowFileUrls === true,
    inherited: io.env,
    nowMs: () => Date.now(),
    events,
    log,
    signal,
  };
  const report = await runAutomation(ports);
  // What is not read today may be there tomorrow.
  if (isWhole && options.dryRun !== true) pruneState(ports);
  teller.findings(findingsOf(report));
  if (report.automations.length === 0 && options.interval === undefined) {
    log.warn("there is no ImageUpdateAutomation among the objects: nothing is written to Git");
  }
  tellOutcomes(report, log, io, options);
  io.stdout(
    options.output === "json"
      ? describeRun(report, { oneLine: options.interval !== undefined })
      : await formatRun(report, io.stdoutTerminal.colours),
  );
  return exitCodeOfRun(report, isWhole);
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function findingsOf(report: RunReport): readonly Diagnostic[] {
  return outcomesOf(report).flatMap(({ outcome }) => outcome.diagnostics);
}

/** Failures are told in full, one after another; what went well stands in the log. */
function tellOutcomes(report: RunReport, log: Logger, io: CliIo, { logFormat }: LogOptions): void {
  for (const { kind, meta, outcome } of outcomesOf(report)) {
    const ready = outcome.status.conditions.find(({ type }) => type === "Ready");
    const object = `${kind} ${meta.namespace}/${meta.name}`;
    if (outcome.error === undefined) {
      log.info("reconciled", { object, result: outcome.result, message: ready?.message });
      continue;
    }
    const { code, message, where, hint } = outcome.error;
    const told = `${object}: ${ready?.reason ?? "Failed"}: ${message}`;
    tellError(new FairleadError(code, told, { where, hint }), logFormat, io);
  }
}

function exitCodeOfRun(report: RunReport, isWhole: boolean): number {
  const codes = outcomesOf(report).flatMap(({ outcome }) =>
    outcome.error === undefined ? [] : [exitCodeFor(outcome.error)],
  );
  return worstExitCode([...codes, ...(isWhole ? [] : [2])]);
}
