import type { Command } from "commander";
import { formatJson } from "../../../relocation/report/json-text.ts";
import type { CliIo, Exit } from "../../io.ts";
import { formatTable } from "../../output/table.ts";
import { describeImage, imageCommand, type ImageOptions, withImages } from "./image-access.ts";

/** `fairlead image list`: every image of the runtime. */
export function createListCommand(io: CliIo, exit: Exit): Command {
  return imageCommand("list", "List the images of the runtime.", "2m")
    .addHelpText("after", examples)
    .action(async (options: ImageOptions) => {
      const call = { signal: io.signal, timeoutMs: options.timeout };
      const images = await withImages(options, io, async (service) =>
        (await service.listImages(call)).map(describeImage),
      );
      const rows = images.map(({ id, format, names, sizeBytes }) => [
        names.join(", "),
        format === "aci" ? "ACI" : "Docker",
        id.replace(/^sha256:(?<start>.{12}).*$/u, "$<start>"),
        `${(sizeBytes / 1024 / 1024).toFixed(1)} MiB`,
      ]);
      const columns = [
        { title: "names", shrinks: true },
        { title: "format" },
        { title: "id" },
        { title: "size", align: "right" },
      ] as const;
      const { width, colours } = io.stdoutTerminal;
      io.stdout(
        options.output === "json"
          ? formatJson(images)
          : formatTable(columns, rows, { width, styleTitle: colours.bold }),
      );
      exit(0);
    });
}

const examples = `
Examples:
  $ fairlead image list
  $ fairlead image list --output json
`;
