import { Command, Option } from "commander";
import type { EventSummary, KubernetesEventRecord } from "../../../notification/outbox/records.ts";
import { formatJson } from "../../../relocation/report/json-text.ts";
import type { CliIo, Exit } from "../../io.ts";
import { addLogOptions, type LogOptions } from "../../options/log-options.ts";
import { formatTable, type TableColumn } from "../../output/table.ts";
import { addAdminOptions, type AdminOptions } from "./admin-options.ts";
import { withOutbox } from "./outbox-access.ts";
import { idOption, limitOption } from "./list-options.ts";

interface EventsOptions extends LogOptions, AdminOptions {
  readonly limit: number;
  readonly before?: number;
  readonly kubernetes?: boolean;
  readonly output: "table" | "json";
}

/** `fairlead notify events`: the events that were accepted, and those that Kubernetes would get. */
export function createEventsCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("events")
    .description("List the events that were accepted, the last first, with what became of them.")
    .option("--kubernetes", "list the Kubernetes Events that a cluster would be given instead")
    .addOption(limitOption())
    .addOption(idOption("--before <id>", "only what has a smaller number"))
    .addOption(
      new Option("--output <format>", "form of the list").choices(["table", "json"]).default("table"),
    );
  addAdminOptions(command);
  addLogOptions(command);
  return command.addHelpText("after", examples).action(async (options: EventsOptions) => {
    await runEvents(options, io);
    exit(0);
  });
}

const examples = `
Examples:
  $ fairlead notify events --limit 20
  $ fairlead notify events --kubernetes --state notify.db
`;

async function runEvents(options: EventsOptions, io: CliIo): Promise<void> {
  const { limit, before, output } = options;
  const table = { width: io.stdoutTerminal.width, styleTitle: io.stdoutTerminal.colours.bold };
  await withOutbox(options, { writes: false }, async (access) => {
    if (options.kubernetes === true) {
      const page = await access.kubernetesEvents({ limit, before });
      const text = formatTable(kubernetesColumns, page.items.map(kubernetesRow), table);
      io.stdout(output === "json" ? formatJson(page) : text);
      return;
    }
    const page = await access.events({ limit, before });
    io.stdout(output === "json" ? formatJson(page) : formatTable(columns, page.items.map(eventRow), table));
  });
}

const columns: readonly TableColumn[] = [
  { title: "id", align: "right" },
  { title: "received" },
  { title: "object", shrinks: true },
  { title: "severity" },
  { title: "reason" },
  { title: "deliveries" },
  { title: "message", shrinks: true },
];

function eventRow(event: EventSummary): readonly string[] {
  const deliveries = Object.entries(event.deliveries).map(([state, count]) => `${count} ${state}`);
  const told = deliveries.length === 0 ? "none" : deliveries.join(", ");
  return [String(event.id), event.received, event.object, event.severity, event.reason, told, event.message];
}

const kubernetesColumns: readonly TableColumn[] = [
  { title: "id", align: "right" },
  { title: "time" },
  { title: "type" },
  { title: "reason" },
  { title: "object", shrinks: true },
  { title: "message", shrinks: true },
];

function kubernetesRow(event: KubernetesEventRecord): readonly string[] {
  const { kind, namespace, name } = event.involvedObject;
  return [
    String(event.id),
    event.time,
    event.type,
    event.reason,
    `${kind}/${namespace}/${name}`,
    event.message,
  ];
}
