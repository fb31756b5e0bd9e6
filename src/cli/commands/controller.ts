import { Command } from "commander";
import type { CliIo, Exit } from "../io.ts";
import { addControllerOptions, type ControllerOptions } from "./controller/controller-options.ts";

/** `fairlead controller`: Flux's image and notification controllers, in one process or several. */
export function createControllerCommand(io: CliIo, exit: Exit): Command {
  const command = addControllerOptions(
    new Command("controller").description(
      "Look after Flux's image and notification objects in a cluster, or in a folder, until it is interrupted.",
    ),
  );
  return command.addHelpText("after", examples).action(async (options: ControllerOptions) => {
    const { runController } = await import("./controller/run-controller.ts");
    await runController(options, io);
    exit(0);
  });
}

const examples = `
Examples:
  $ fairlead controller --enable-leader-election --storage-path /data
  $ fairlead controller --controllers image-reflector,image-automation --events-addr http://notification-controller.flux-system/
  $ fairlead controller --config clusters/prod --storage-path state

Objects are ImageRepository, ImagePolicy, ImageUpdateAutomation, Alert, Provider and Receiver; GitRepositories are read.
Leases have the names of those of Flux's controllers, so that only one of the two works at a time.
`;
