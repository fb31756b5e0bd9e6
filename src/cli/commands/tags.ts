import { Argument, Command, Option } from "commander";
import { formatReference, parseReference } from "../../reference/reference.ts";
import { formatJson } from "../../relocation/report/json-text.ts";
import type { CliIo, Exit } from "../io.ts";
import { positiveInteger } from "../options/chart-options.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../options/log-options.ts";
import { addRegistryOptions, registryClientFor, type RegistryOptions } from "../options/registry-options.ts";

interface TagsOptions extends RegistryOptions, LogOptions {
  readonly limit?: number;
  readonly output: "text" | "json";
}

/** `fairlead tags`: the tags of a repository. */
export function createTagsCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("tags")
    .description("List the tags of an image's repository, in the registry's order.")
    .addArgument(new Argument("<IMAGE>", "repository such as ghcr.io/org/app"))
    .addOption(new Option("--limit <number>", "tell no more tags than this").argParser(positiveInteger))
    .addOption(new Option("--output <format>", "form of the list").choices(["text", "json"]).default("text"))
    .addOption(
      new Option(
        "--provider <cloud>",
        "whose registry it is: its credentials are those of this process's identity there",
      ).choices(["aws", "azure", "gcp"]),
    );
  addLogOptions(addRegistryOptions(command));
  return command.addHelpText("after", examples).action(async (image: string, options: TagsOptions) => {
    const log = loggerFor(options, io);
    const { registry, path, writtenPath, tag, digest } = parseReference(image);
    if (tag !== undefined || digest !== undefined) {
      log.warn("the tag and the digest of the image are not looked at", { image });
    }
    const repository = { registry, path, writtenPath };
    const client = await registryClientFor(options, io, log);
    const all = await client.listTags(repository, { signal: io.signal, timeoutMs: options.timeout });
    const tags = all.slice(0, options.limit);
    if (tags.length < all.length) log.info("tags are left out", { told: tags.length, total: all.length });
    io.stdout(
      options.output === "json"
        ? formatJson({ image: formatReference(repository), total: all.length, tags })
        : tags.map((name) => `${name}\n`).join(""),
    );
    exit(0);
  });
}

const examples = `
Examples:
  $ fairlead tags ghcr.io/org/app
  $ fairlead tags nginx --limit 20
  $ fairlead tags registry.example.com/app --ca-file ca.pem --output json
  $ fairlead tags 123456789012.dkr.ecr.eu-west-1.amazonaws.com/app --provider aws

Tags are not sorted: most registries list them by name, some by age. Each is told once.
`;
