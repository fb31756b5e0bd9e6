import { Argument, type Command } from "commander";
import { formatOf } from "../../../imagespec/convert/node-formats.ts";
import type { PullProgress } from "../../../imagespec/service/image-service.ts";
import { formatJson } from "../../../relocation/report/json-text.ts";
import type { CliIo, Exit } from "../../io.ts";
import { imageArgument, readImageArgument } from "../../options/image-argument.ts";
import { imageCommand, type ImageOptions, nameOf, withImages } from "./image-access.ts";

/** `fairlead image pull`: fetches images into the runtime. */
export function createPullCommand(io: CliIo, exit: Exit): Command {
  return imageCommand("pull", "Pull an image, or every image of a file, and print its ID.", "10m")
    .addArgument(new Argument("<IMAGE>", imageArgument))
    .addHelpText("after", examples)
    .action(async (image: string, options: ImageOptions) => {
      const specs = await readImageArgument(image, io);
      await withImages(options, io, async (service) => {
        const pulled: object[] = [];
        for (const spec of specs) {
          const name = nameOf(spec);
          const progress = progressLine(name, io);
          const { timeout: timeoutMs } = options;
          const call = { signal: io.signal, timeoutMs, onProgress: progress.tell };
          const id = await service.pullImage(spec, call).finally(progress.end);
          pulled.push({ image: name, format: formatOf(spec), id });
          if (options.output === "text") io.stdout(`${id}\n`);
        }
        if (options.output === "json") io.stdout(formatJson(pulled));
      });
      exit(0);
    });
}

const examples = `
Examples:
  $ fairlead image pull nginx:1.27
  $ fairlead image pull aci:example.com/app:1.0 --trusted-key example.com=example.asc
  $ fairlead image pull pod.yaml --runtime-endpoint unix:///run/k3s/containerd/containerd.sock --output json

An ACI is verified and then given to containerd as an OCI image. The ID is that by which the runtime knows the image.
`;

const clearLine = "\r\u001b[K";

/** The step of a pull at the foot of a terminal; nothing where nobody watches. */
function progressLine(
  name: string,
  { stderrTerminal, stderr }: CliIo,
): { readonly tell: (progress: PullProgress) => void; readonly end: () => void } {
  if (!stderrTerminal.interactive) return { tell: () => undefined, end: () => undefined };
  return {
    tell: ({ step, doneBytes, totalBytes }) => {
      const done = doneBytes === undefined ? "" : ` ${mebibytes(doneBytes)}`;
      const total = totalBytes === undefined ? "" : ` of ${mebibytes(totalBytes)}`;
      stderr(`${clearLine}${name}: ${step}${done}${total}`.slice(0, stderrTerminal.width));
    },
    end: () => stderr(clearLine),
  };
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
