import type { Command } from "commander";
import type { CliIo, Exit } from "../../io.ts";
import { createActCommand } from "./act-on-deliveries.ts";

/** `fairlead notify replay`: deliveries that ended go out once more. */
export function createReplayCommand(io: CliIo, exit: Exit): Command {
  const command = {
    name: "replay",
    description: "Put deliveries that are dead, dropped or delivered back into the queue.",
    deadDescription: "all dead letters",
    done: "put back",
    examples: `
Examples:
  $ fairlead notify replay 77 78
  $ fairlead notify replay --dead --provider flux-system/slack
`,
  } as const;
  return createActCommand(command, io, exit);
}
