import { hostname } from "node:os";
import { Command, Option } from "commander";
import { FairleadError } from "../../../core/error.ts";
import { formatEvent } from "../../../notification/event/format-event.ts";
import type { PostOutcome } from "../../../notification/recorder/event-post.ts";
import { openEventRecorder } from "../../../notification/recorder/event-recorder.ts";
import {
  notificationEvent,
  type Occurrence,
  type RecordedObject,
} from "../../../notification/recorder/recorded-object.ts";
import type { CliIo, Exit } from "../../io.ts";
import { collect } from "../../options/chart-options.ts";
import { createEventTransport, parseEventsAddress } from "../../options/events-address.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../../options/log-options.ts";
import { readObjectFile } from "../../options/object-input.ts";

interface SendOptions extends LogOptions {
  readonly filename: string;
  readonly namespace?: string;
  readonly reason: string;
  readonly message: string;
  readonly severity: "info" | "error" | "trace";
  readonly metadata: readonly string[];
  readonly controller: string;
  readonly to?: string;
}

/** As Flux's recorder. */
const maxAttempts = 5;

/** `fairlead notify send`: an event about an object, as a Flux controller would send it. */
export function createSendCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("send")
    .description(
      "Record an event about an object of a manifest, with its annotations event.toolkit.fluxcd.io/….",
    )
    .requiredOption("-f, --filename <file>", "manifest of the object, - for standard input")
    .option("-n, --namespace <name>", "namespace of the object, where the manifest has none")
    .requiredOption("--reason <reason>", "why, in one word such as UpgradeSucceeded")
    .requiredOption("--message <text>", "what happened")
    .addOption(
      new Option("--severity <severity>", "a trace is not sent")
        .choices(["info", "error", "trace"])
        .default("info"),
    )
    .option("--metadata <key=value>", "metadata, its key with its prefix; repeatable", collect, [])
    .option("--controller <name>", "who tells it", "fairlead")
    .option(
      "--to <url>",
      "where to send it, such as http://127.0.0.1:9090/; the event is printed where there is none",
    );
  addLogOptions(command);
  return command.addHelpText("after", examples).action(async (options: SendOptions) => {
    await runSend(options, io);
    exit(0);
  });
}

const examples = `
Examples:
  $ fairlead notify send -f release.yaml --reason Deployed --message "podinfo 6.5.0 is out"
  $ fairlead notify send -f release.yaml --reason Failed --message no --severity error --to http://127.0.0.1:9090/
  $ fairlead notify send -f release.yaml --reason Deployed --message done --metadata helm.toolkit.fluxcd.io/revision=6.5.0

Annotations of the object go before metadata of the same key.
`;

const types = { info: "Normal", error: "Warning", trace: "Trace" } as const;

async function runSend(options: SendOptions, io: CliIo): Promise<void> {
  const object = await readObjectFile(options.filename, io, { namespace: options.namespace });
  const { reason, message, severity, to } = options;
  const occurrence = { type: types[severity], reason, message, metadata: parseMetadata(options.metadata) };
  if (to === undefined) io.stdout(`${printedEvent(object, occurrence, options)}\n`);
  else await post(object, occurrence, parseEventsAddress("--to", to), options, io);
}

function reporterOf({ controller }: SendOptions): { readonly controller: string; readonly instance: string } {
  return { controller, instance: hostname() };
}

function printedEvent(object: RecordedObject, occurrence: Occurrence, options: SendOptions): string {
  return formatEvent(notificationEvent(object, occurrence, reporterOf(options), new Date()));
}

async function post(
  object: RecordedObject,
  occurrence: Occurrence,
  url: string,
  options: SendOptions,
  io: CliIo,
): Promise<void> {
  const logger = loggerFor(options, io);
  const outcomes: PostOutcome[] = [];
  const recorder = await openEventRecorder({
    url,
    transport: createEventTransport(io.env),
    reporter: reporterOf(options),
    // What becomes of the one event is told as the command's own error.
    logger: { ...logger, error: (text, fields) => logger.debug(text, fields) },
    maxAttempts,
    onOutcome: (outcome) => outcomes.push(outcome),
  });
  try {
    recorder.record(object, occurrence);
    await recorder.flush(io.signal);
  } finally {
    await recorder.close();
  }
  tell(outcomes[0], options, logger);
}

function tell(
  outcome: PostOutcome | undefined,
  options: SendOptions,
  logger: ReturnType<typeof loggerFor>,
): void {
  if (outcome === undefined) logger.warn("traces are not sent", { severity: options.severity });
  else if (outcome.kind === "duplicate") logger.warn("the server has had this event already");
  else if (outcome.kind !== "sent") {
    throw new FairleadError("delivery-failed", `the event is not sent: ${outcome.reason}`, {
      retryable: outcome.kind === "failed",
    });
  }
}

function parseMetadata(pairs: readonly string[]): Readonly<Record<string, string>> {
  const metadata = Object.create(null) as Record<string, string>;
  for (const pair of pairs) {
    const equals = pair.indexOf("=");
    if (equals <= 0) throw new FairleadError("input-invalid", "--metadata must be KEY=VALUE");
    metadata[pair.slice(0, equals)] = pair.slice(equals + 1);
  }
  return metadata;
}
