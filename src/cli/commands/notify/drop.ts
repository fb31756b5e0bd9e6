import type { Command } from "commander";
import type { CliIo, Exit } from "../../io.ts";
import { createActCommand } from "./act-on-deliveries.ts";

/** `fairlead notify drop`: deliveries that are queued or dead are given up. */
export function createDropCommand(io: CliIo, exit: Exit): Command {
  const command = {
    name: "drop",
    description: "Give up deliveries that are queued or dead.",
    deadDescription: "all dead letters",
    done: "dropped",
    examples: `
Examples:
  $ fairlead notify drop 77
  $ fairlead notify drop --dead --provider flux-system/slack
`,
  } as const;
  return createActCommand(command, io, exit);
}
