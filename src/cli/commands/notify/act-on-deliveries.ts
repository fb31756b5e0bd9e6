import { Argument, Command } from "commander";
import { FairleadError } from "../../../core/error.ts";
import type { CliIo, Exit } from "../../io.ts";
import { addLogOptions, type LogOptions } from "../../options/log-options.ts";
import { addAdminOptions, type AdminOptions } from "./admin-options.ts";
import { parseNumber } from "../../options/number.ts";
import { type OutboxAccess, withOutbox } from "./outbox-access.ts";

interface ActOptions extends LogOptions, AdminOptions {
  readonly dead?: boolean;
  readonly provider?: string;
}

export interface ActCommand {
  readonly name: "replay" | "drop";
  readonly description: string;
  readonly deadDescription: string;
  /** What was done with so many, such as `put back`. */
  readonly done: string;
  readonly examples: string;
}

const pageSize = 1000;

/** A command that acts on deliveries: those that are named, or all dead letters. */
export function createActCommand(
  { name, description, deadDescription, done, examples }: ActCommand,
  io: CliIo,
  exit: Exit,
): Command {
  const command = new Command(name)
    .description(description)
    .addArgument(new Argument("[ID...]", "numbers of deliveries"))
    .option("--dead", deadDescription)
    .option("--provider <name>", "with --dead: only those to the Provider NAMESPACE/NAME");
  addAdminOptions(command);
  addLogOptions(command);
  return command
    .addHelpText("after", examples)
    .action(async (texts: readonly string[], options: ActOptions) => {
      const given = texts.map((text) => parseNumber(text, Number.MAX_SAFE_INTEGER));
      if (given.length === 0 && options.dead !== true) {
        throw new FairleadError("input-invalid", "no deliveries are named", {
          hint: "name their numbers, or --dead for all dead letters",
        });
      }
      const count = await withOutbox(options, { writes: true }, async (access) => {
        let acted = given.length === 0 ? 0 : await access.act(name, given);
        if (options.dead === true) acted += await actOnDead(access, name, options.provider);
        return acted;
      });
      io.stdout(`${count} ${count === 1 ? "delivery" : "deliveries"} ${done}\n`);
      exit(0);
    });
}

/** The oldest first, so that they go out in their order. */
async function actOnDead(
  access: OutboxAccess,
  name: ActCommand["name"],
  provider: string | undefined,
): Promise<number> {
  const ids: number[] = [];
  let before: number | undefined;
  do {
    const { items, next } = await access.deliveries({ state: "dead", provider, limit: pageSize, before });
    ids.push(...items.map(({ id }) => id));
    before = next;
  } while (before !== undefined);
  ids.reverse();
  let acted = 0;
  for (let start = 0; start < ids.length; start += pageSize) {
    acted += await access.act(name, ids.slice(start, start + pageSize));
  }
  return acted;
}
