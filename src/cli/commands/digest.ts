import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { FairleadError } from "../../core/error.ts";
import {
  formatReference,
  type ImageReference,
  joinReference,
  parseReference,
  withDefaultTag,
} from "../../reference/reference.ts";
import { findForPlatform, formatPlatform, parsePlatform, type Platform } from "../../registry/platform.ts";
import { formatJson } from "../../relocation/report/json-text.ts";
import type { CliIo, Exit } from "../io.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../options/log-options.ts";
import { addRegistryOptions, registryClientFor, type RegistryOptions } from "../options/registry-options.ts";

interface DigestOptions extends RegistryOptions, LogOptions {
  readonly platform?: Platform;
  readonly output: "text" | "json";
}

/** `fairlead digest`: what a tag stands for. */
export function createDigestCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("digest")
    .description("Print the digest that the registry has for an image.")
    .addArgument(new Argument("<IMAGE>", "image such as ghcr.io/org/app:1.2 (default tag: latest)"))
    .addOption(
      new Option(
        "--platform <platform>",
        "the image for os/architecture[/variant], not the index of all",
      ).argParser(platformOption),
    )
    .addOption(
      new Option("--output <format>", "form of the answer").choices(["text", "json"]).default("text"),
    );
  addLogOptions(addRegistryOptions(command));
  return command.addHelpText("after", examples).action(async (image: string, options: DigestOptions) => {
    const log = loggerFor(options, io);
    const reference = withDefaultTag(parseReference(image));
    const client = await registryClientFor(options, io, log);
    const { platform } = options;
    const request = { signal: io.signal, timeoutMs: options.timeout };
    const { digest, mediaType, size } =
      platform === undefined
        ? await withTagHint(reference, client.headManifest(reference, request))
        : await findForPlatform(client, reference, platform, request);
    io.stdout(
      options.output === "json"
        ? formatJson({
            image: formatReference(reference),
            ...(platform === undefined ? {} : { platform: formatPlatform(platform) }),
            digest,
            mediaType,
            size,
          })
        : `${digest}\n`,
    );
    exit(0);
  });
}

const examples = `
Examples:
  $ fairlead digest nginx:1.27
  $ fairlead digest ghcr.io/org/app:1.2 --platform linux/arm64
  $ fairlead digest localhost:5000/app@sha256:… --output json

An image for several platforms has an index, whose digest is told unless --platform names one of them.
`;

/** Tells what to do where a registry does not have the tag. */
async function withTagHint<Result>(
  { registry, path, tag }: ImageReference,
  answer: Promise<Result>,
): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof FairleadError) || error.code !== "image-not-found" || tag === undefined)
      throw error;
    const { code, message, where } = error;
    const hint = error.hint ?? `fairlead tags ${joinReference(registry, path, {})} lists what there is`;
    throw new FairleadError(code, message, { where, hint, cause: error });
  }
}

function platformOption(text: string): Platform {
  try {
    return parsePlatform(text);
  } catch (error) {
    throw error instanceof FairleadError ? new InvalidArgumentError(error.hint ?? error.message) : error;
  }
}
