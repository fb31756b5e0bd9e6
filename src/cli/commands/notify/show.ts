import { Argument, Command } from "commander";
import { FairleadError } from "../../../core/error.ts";
import { formatJson } from "../../../relocation/report/json-text.ts";
import type { CliIo, Exit } from "../../io.ts";
import { addLogOptions, type LogOptions } from "../../options/log-options.ts";
import { addAdminOptions, type AdminOptions } from "./admin-options.ts";
import { parseNumber } from "../../options/number.ts";
import { withOutbox } from "./outbox-access.ts";

type What = "event" | "delivery";

/** `fairlead notify show`: all that is known of an event or a delivery. */
export function createShowCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("show")
    .description("Show an event with its deliveries, or a delivery, as JSON.")
    .addArgument(new Argument("<WHAT>", "event or delivery").choices(["event", "delivery"]))
    .addArgument(
      new Argument("<ID>", "its number").argParser((text) => parseNumber(text, Number.MAX_SAFE_INTEGER)),
    );
  addAdminOptions(command);
  addLogOptions(command);
  return command
    .addHelpText("after", examples)
    .action(async (what: What, id: number, options: AdminOptions & LogOptions) => {
      const found = await withOutbox<object | undefined>(options, { writes: false }, async (access) =>
        what === "event" ? access.tryEvent(id) : access.tryDelivery(id),
      );
      if (found === undefined) throw new FairleadError("object-missing", `there is no ${what} ${id}`);
      io.stdout(formatJson(found));
      exit(0);
    });
}

const examples = `
Examples:
  $ fairlead notify show event 42
  $ fairlead notify show delivery 77 --state notify.db
`;
