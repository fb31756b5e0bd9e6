import { access } from "node:fs/promises";
import { Command, Option } from "commander";
import { FairleadError } from "../../core/error.ts";
import { loadObjects } from "../../automation/objects/load-objects.ts";
import { openState } from "../../automation/state/automation-state.ts";
import type { CliIo, Exit } from "../io.ts";
import { collect } from "../options/chart-options.ts";
import { addLogOptions, type LogOptions } from "../options/log-options.ts";
import { describeStatus, formatStatus } from "../output/status-table.ts";
import { tellerFor } from "../teller.ts";

interface StatusOptions extends LogOptions {
  readonly config: readonly string[];
  readonly state?: string;
  readonly output: "table" | "json";
}

/** `fairlead status`: what automation knows of its objects, as `flux get images all` shows it. */
export function createStatusCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("status")
    .description("Show what automation knows of its repositories, policies and automations.")
    .option("--config <path>", "file or folder of Flux objects; repeatable", collect, [])
    .option("--state <file>", "state of fairlead automate")
    .addOption(
      new Option("--output <format>", "form of the status").choices(["table", "json"]).default("table"),
    );
  addLogOptions(command);
  return command.addHelpText("after", examples).action(async (options: StatusOptions) => {
    await runStatus(options, io);
    exit(0);
  });
}

const examples = `
Examples:
  $ fairlead status --config clusters/prod --state automation.db
  $ fairlead status --config clusters/prod --state automation.db --output json
`;

async function runStatus(options: StatusOptions, io: CliIo): Promise<void> {
  if (options.config.length === 0 || options.state === undefined) {
    throw new FairleadError("input-invalid", "the objects and the state must be named", {
      hint: "name them with --config PATH and --state FILE",
    });
  }
  const { objects, diagnostics } = await loadObjects(options.config, { signal: io.signal });
  tellerFor(options, io).findings(diagnostics);
  await requireState(options.state);
  const state = await openState(options.state, { readOnly: true });
  try {
    io.stdout(
      options.output === "json"
        ? describeStatus(objects, state)
        : formatStatus(objects, state, io.stdoutTerminal),
    );
  } finally {
    state.close();
  }
}

/** A state that is not there yet is no broken one. */
async function requireState(file: string): Promise<void> {
  try {
    await access(file);
  } catch (cause) {
    throw new FairleadError("input-unreadable", "no such file", {
      where: { file },
      hint: "fairlead automate --state FILE makes it",
      cause,
    });
  }
}
