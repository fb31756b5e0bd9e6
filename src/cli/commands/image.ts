import { Command } from "commander";
import type { CliIo, Exit } from "../io.ts";
import { createListCommand } from "./image/list.ts";
import { createPresentCommand } from "./image/present.ts";
import { createPullCommand } from "./image/pull.ts";
import { createRemoveCommand } from "./image/remove.ts";
import { createImageStatusCommand } from "./image/status.ts";

/** `fairlead image`: the images of a container runtime, ACIs among them. */
export function createImageCommand(io: CliIo, exit: Exit): Command {
  return new Command("image")
    .description("Pull, find and remove images of a container runtime, Docker images and ACIs.")
    .addCommand(createPullCommand(io, exit))
    .addCommand(createPresentCommand(io, exit))
    .addCommand(createRemoveCommand(io, exit))
    .addCommand(createListCommand(io, exit))
    .addCommand(createImageStatusCommand(io, exit));
}
