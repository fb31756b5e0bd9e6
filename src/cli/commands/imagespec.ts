import { Command } from "commander";
import type { CliIo, Exit } from "../io.ts";
import { createConvertCommand } from "./imagespec/convert.ts";
import { createValidateCommand } from "./imagespec/validate.ts";

/** `fairlead imagespec`: structured images in manifests on the disk. */
export function createImageSpecCommand(io: CliIo, exit: Exit): Command {
  return new Command("imagespec")
    .description("Convert and check imageSpec, the structured image of containers, in manifests.")
    .addCommand(createConvertCommand(io, exit))
    .addCommand(createValidateCommand(io, exit));
}
