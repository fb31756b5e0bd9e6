import { type Command, Option } from "commander";
import { strategyNames } from "../../relocation/strategy/strategies.ts";
import { libraryRules } from "../../relocation/strategy/library.ts";
import { targetTypes } from "../../relocation/targets/targets.ts";
import { collectList, percentage } from "./chart-options.ts";

/** Flags of every command that plans where images go. */
export interface TargetOptions {
  readonly targetRegistry?: string;
  readonly sourceRegistries: readonly string[];
  readonly excludeRegistries: readonly string[];
  readonly pathStrategy?: string;
  readonly targetType?: string;
  readonly library?: string;
  readonly config?: string;
  readonly registryMappings?: string;
  readonly strict?: boolean;
  readonly excludeTests?: boolean;
}

/** The flag of commands whose images may stay behind. */
export interface ThresholdOptions {
  readonly threshold?: number;
}

/** Adds {@link ThresholdOptions} (document 002, §6.4 and §7.1). */
export function addThresholdOption(command: Command): Command {
  return command.addOption(
    new Option("--threshold <percentage>", "least share of images that must move (default: 100)").argParser(
      percentage,
    ),
  );
}

/** Adds {@link TargetOptions} (document 002, §6.4 and §9.2). */
export function addTargetOptions(command: Command): Command {
  return command
    .option("-t, --target-registry <registry>", "registry to move images to: host[:port][/path]")
    .option(
      "-s, --source-registries <hosts>",
      "registries to move images from, separated by commas; * is every registry",
      collectList,
      [],
    )
    .option(
      "-e, --exclude-registries <hosts>",
      "registries whose images stay; patterns such as *.example.com work",
      collectList,
      [],
    )
    .addOption(
      new Option(
        "--path-strategy <name>",
        "how an image's path at the target is made (default: prefix-source-registry)",
      ).choices(strategyNames),
    )
    .addOption(
      new Option("--target-type <type>", "naming rules of the target (default: told by its host)").choices(
        targetTypes,
      ),
    )
    .addOption(
      new Option(
        "--library <rule>",
        "whether Docker Hub's official images get library/ at the target (default: table)",
      ).choices(libraryRules),
    )
    .option("--config <file>", "configuration file, YAML or JSON; flags win over it")
    .option("--registry-mappings <file>", "mapping file in irr's format")
    .option("--strict", "fail on structures that document 002 does not support, even where they were moved")
    .option("--exclude-tests", "leave images that only `helm test` pods use out of scope; takes a rendering");
}
