import { Argument, type Command } from "commander";
import { formatOf } from "../../../imagespec/convert/node-formats.ts";
import { formatJson } from "../../../relocation/report/json-text.ts";
import type { CliIo, Exit } from "../../io.ts";
import { imageArgument, readImageArgument } from "../../options/image-argument.ts";
import { imageCommand, type ImageOptions, nameOf, withImages } from "./image-access.ts";

/** `fairlead image present`: whether the runtime has images. */
export function createPresentCommand(io: CliIo, exit: Exit): Command {
  return imageCommand(
    "present",
    "Tell whether the runtime has an image, or every image of a file. Ends with 1 where it has not.",
    "2m",
  )
    .addArgument(new Argument("<IMAGE>", imageArgument))
    .addHelpText("after", examples)
    .action(async (image: string, options: ImageOptions) => {
      const specs = await readImageArgument(image, io);
      const call = { signal: io.signal, timeoutMs: options.timeout };
      const found = await withImages(options, io, async (service) =>
        Promise.all(
          specs.map(async (spec) => ({
            image: nameOf(spec),
            format: formatOf(spec),
            present: await service.isImagePresent(spec, call),
          })),
        ),
      );
      io.stdout(
        options.output === "json"
          ? formatJson(found)
          : found.map((each) => `${each.image} is ${each.present ? "" : "not "}present\n`).join(""),
      );
      exit(found.every(({ present }) => present) ? 0 : 1);
    });
}

const examples = `
Examples:
  $ fairlead image present nginx:1.27
  $ fairlead image present aci:example.com/app:1.0 --output json
`;
