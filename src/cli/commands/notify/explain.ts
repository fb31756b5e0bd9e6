import { Command, Option } from "commander";
import { FairleadError } from "../../../core/error.ts";
import { parseEvent } from "../../../notification/event/parse-event.ts";
import { explainEvent } from "../../../notification/explain/explain-event.ts";
import { loadNotificationObjects } from "../../../notification/objects/load-notification-objects.ts";
import { formatJson } from "../../../relocation/report/json-text.ts";
import type { CliIo, Exit } from "../../io.ts";
import { collect } from "../../options/chart-options.ts";
import { addLogOptions, type LogOptions } from "../../options/log-options.ts";
import { formatEventExplanation } from "../../output/event-text.ts";
import { readInput } from "../../output/read-input.ts";
import { tellerFor } from "../../teller.ts";

interface ExplainEventOptions extends LogOptions {
  readonly filename: string;
  readonly config: readonly string[];
  readonly crossNamespaceRefs: boolean;
  readonly dedupeNormalized?: boolean;
  readonly output: "text" | "json";
}

const maxEventBytes = 3 * 1024 * 1024;

/** `fairlead notify explain`: what would become of an event. */
export function createExplainEventCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("explain")
    .description(
      "Tell which Alerts an event matches or why not, where its metadata comes from, and what would be sent.",
    )
    .requiredOption("-f, --filename <file>", "event in JSON, - for standard input")
    .option("--config <path>", "file or folder of Alerts, Providers and Secrets; repeatable", collect, [])
    .option("--no-cross-namespace-refs", "Alerts take events of their own namespace alone")
    .option("--dedupe-normalized", "take events for equal that differ in IDs, durations and times alone")
    .addOption(
      new Option("--output <format>", "form of the explanation").choices(["text", "json"]).default("text"),
    );
  addLogOptions(command);
  return command.addHelpText("after", examples).action(async (options: ExplainEventOptions) => {
    await runExplain(options, io);
    exit(0);
  });
}

const examples = `
Examples:
  $ fairlead notify explain -f event.json --config clusters/prod
  $ fairlead notify send -f release.yaml --reason R --message M | fairlead notify explain -f - --config clusters/prod

Nothing is sent. Secrets are shown as [redacted].
`;

async function runExplain(options: ExplainEventOptions, io: CliIo): Promise<void> {
  const { filename, config } = options;
  if (config.length === 0) {
    throw new FairleadError("input-invalid", "no Alerts are named", { hint: "name them with --config PATH" });
  }
  const bytes =
    filename === "-" ? await io.stdin() : Buffer.from(await readInput(filename, { maxBytes: maxEventBytes }));
  const event = parseEvent(bytes);
  const { objects, diagnostics } = await loadNotificationObjects(config, { signal: io.signal });
  tellerFor(options, io).findings(diagnostics);
  const explanation = await explainEvent(event, objects, {
    noCrossNamespaceRefs: !options.crossNamespaceRefs,
    ignoresVolatileParts: options.dedupeNormalized ?? false,
    signal: io.signal,
  });
  io.stdout(
    options.output === "json"
      ? formatJson(explanation)
      : formatEventExplanation(explanation, io.stdoutTerminal.colours),
  );
}
