import { Command, Option } from "commander";
import {
  deliveryStates,
  type DeliveryRecord,
  type DeliveryState,
} from "../../../notification/outbox/records.ts";
import { formatJson } from "../../../relocation/report/json-text.ts";
import type { CliIo, Exit } from "../../io.ts";
import { addLogOptions, type LogOptions } from "../../options/log-options.ts";
import { formatTable, type TableColumn } from "../../output/table.ts";
import { addAdminOptions, type AdminOptions } from "./admin-options.ts";
import { idOption, limitOption } from "./list-options.ts";
import { withOutbox } from "./outbox-access.ts";

interface DeliveriesOptions extends LogOptions, AdminOptions {
  readonly status?: DeliveryState;
  readonly provider?: string;
  readonly event?: number;
  readonly limit: number;
  readonly before?: number;
  readonly output: "table" | "json";
}

/** `fairlead notify deliveries`: what is queued, delivered and given up. */
export function createDeliveriesCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("deliveries")
    .description("List deliveries, the last first: what is queued, delivered, dead and dropped.")
    .addOption(new Option("--status <status>", "only those of a status").choices(deliveryStates))
    .option("--provider <name>", "only those to the Provider NAMESPACE/NAME")
    .addOption(idOption("--event <id>", "only those of an event"))
    .addOption(limitOption())
    .addOption(idOption("--before <id>", "only what has a smaller number"))
    .addOption(
      new Option("--output <format>", "form of the list").choices(["table", "json"]).default("table"),
    );
  addAdminOptions(command);
  addLogOptions(command);
  return command.addHelpText("after", examples).action(async (options: DeliveriesOptions) => {
    await runDeliveries(options, io);
    exit(0);
  });
}

const examples = `
Examples:
  $ fairlead notify deliveries --status dead
  $ fairlead notify deliveries --provider flux-system/slack --output json
`;

async function runDeliveries(options: DeliveriesOptions, io: CliIo): Promise<void> {
  const { status: state, provider, event, limit, before, output } = options;
  const page = await withOutbox(options, { writes: false }, async (access) =>
    access.deliveries({ state, provider, event, limit, before }),
  );
  const table = { width: io.stdoutTerminal.width, styleTitle: io.stdoutTerminal.colours.bold };
  io.stdout(output === "json" ? formatJson(page) : formatTable(columns, page.items.map(rowOf), table));
}

const columns: readonly TableColumn[] = [
  { title: "id", align: "right" },
  { title: "event", align: "right" },
  { title: "status" },
  { title: "provider", shrinks: true },
  { title: "alert", shrinks: true },
  { title: "object", shrinks: true },
  { title: "attempts", align: "right" },
  { title: "due" },
  { title: "last error", shrinks: true },
];

function rowOf(delivery: DeliveryRecord): readonly string[] {
  const { id, event, state, provider, alert, object, attempts, due = "", error = "" } = delivery;
  return [String(id), String(event), state, provider, alert, object, String(attempts), due, error];
}
