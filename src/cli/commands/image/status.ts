import { Argument, type Command } from "commander";
import { escapeLine } from "../../../core/escape.ts";
import { formatJson } from "../../../relocation/report/json-text.ts";
import type { CliIo, Exit } from "../../io.ts";
import { imageArgument, readImageArgument } from "../../options/image-argument.ts";
import {
  describeImage,
  imageCommand,
  type ImageOptions,
  nameOf,
  type ToldImage,
  withImages,
} from "./image-access.ts";

/** `fairlead image status`: what the runtime knows of images. */
export function createImageStatusCommand(io: CliIo, exit: Exit): Command {
  return imageCommand(
    "status",
    "Tell what the runtime knows of an image, or of every image of a file. Ends with 1 where it is not there.",
    "2m",
  )
    .addArgument(new Argument("<IMAGE>", imageArgument))
    .addHelpText("after", examples)
    .action(async (image: string, options: ImageOptions) => {
      const specs = await readImageArgument(image, io);
      const call = { signal: io.signal, timeoutMs: options.timeout };
      const found = await withImages(options, io, async (service) =>
        Promise.all(
          specs.map(async (spec) => {
            const status = await service.imageStatus(spec, call);
            return { image: nameOf(spec), status: status === undefined ? null : describeImage(status) };
          }),
        ),
      );
      io.stdout(options.output === "json" ? formatJson(found) : found.map(formatStatus).join("\n"));
      exit(found.every(({ status }) => status !== null) ? 0 : 1);
    });
}

const examples = `
Examples:
  $ fairlead image status nginx:1.27
  $ fairlead image status pod.yaml --output json
`;

interface ToldStatus {
  readonly image: string;
  readonly status: ToldImage | null;
}

function formatStatus({ image, status }: ToldStatus): string {
  if (status === null) return `${escapeLine(`${image} is not present`)}\n`;
  const { id, format, names, digests, sizeBytes, pinned } = status;
  const lines = [
    `image:   ${image}`,
    `id:      ${id}`,
    `format:  ${format === "aci" ? "ACI" : "Docker"}`,
    ...names.map((name) => `name:    ${name}`),
    ...digests.map((digest) => `digest:  ${digest}`),
    `size:    ${sizeBytes} bytes`,
    ...(pinned ? ["pinned:  yes"] : []),
  ];
  return lines.map((line) => `${escapeLine(line)}\n`).join("");
}
