import { Command } from "commander";
import type { CliIo, Exit } from "../io.ts";
import { createDeliveriesCommand } from "./notify/deliveries.ts";
import { createDropCommand } from "./notify/drop.ts";
import { createEventsCommand } from "./notify/events.ts";
import { createExplainEventCommand } from "./notify/explain.ts";
import { createReplayCommand } from "./notify/replay.ts";
import { createSendCommand } from "./notify/send.ts";
import { createServeCommand } from "./notify/serve.ts";
import { createShowCommand } from "./notify/show.ts";

/** The subcommands, in the order of the help. */
const subcommands: readonly ((io: CliIo, exit: Exit) => Command)[] = [
  createServeCommand,
  createSendCommand,
  createExplainEventCommand,
  createEventsCommand,
  createDeliveriesCommand,
  createShowCommand,
  createReplayCommand,
  createDropCommand,
];

/** `fairlead notify`: events, and where they go. */
export function createNotifyCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("notify").description(
    "Record events about objects, and tell people and systems of them by Flux's Alerts and Providers.",
  );
  for (const create of subcommands) command.addCommand(create(io, exit));
  return command;
}
