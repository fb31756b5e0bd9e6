import { Argument, type Command } from "commander";
import { formatOf } from "../../../imagespec/convert/node-formats.ts";
import { formatJson } from "../../../relocation/report/json-text.ts";
import type { CliIo, Exit } from "../../io.ts";
import { imageArgument, readImageArgument } from "../../options/image-argument.ts";
import { imageCommand, type ImageOptions, nameOf, withImages } from "./image-access.ts";

interface RemoveOptions extends ImageOptions {
  readonly allNames?: boolean;
}

/** `fairlead image remove`: takes names of images away, and images with their last. */
export function createRemoveCommand(io: CliIo, exit: Exit): Command {
  return imageCommand(
    "remove",
    "Remove the name of an image, and with its last name the image. One that is not there is no error.",
    "2m",
  )
    .option("--all-names", "remove the image with every other name that it has")
    .addArgument(new Argument("<IMAGE>", imageArgument))
    .addHelpText("after", examples)
    .action(async (image: string, options: RemoveOptions) => {
      const specs = await readImageArgument(image, io);
      const { timeout: timeoutMs, allNames = false } = options;
      await withImages(options, io, async (service) => {
        for (const spec of specs) await service.removeImage(spec, { signal: io.signal, timeoutMs, allNames });
      });
      const removed = specs.map((spec) => ({ image: nameOf(spec), format: formatOf(spec) }));
      io.stdout(
        options.output === "json"
          ? formatJson(removed)
          : removed.map((each) => `${each.image} is removed\n`).join(""),
      );
      exit(0);
    });
}

const examples = `
Examples:
  $ fairlead image remove nginx:1.27
  $ fairlead image remove aci:example.com/app:1.0 --all-names

A runtime removes a Docker image with all its names alone; without --all-names one that has others is left.
`;
