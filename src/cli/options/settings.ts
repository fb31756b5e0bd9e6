import { createImageKeyMatcher } from "../../relocation/config/image-keys.ts";
import { mergeSettings, type Settings, type SettingsLayer } from "../../relocation/config/settings.ts";
import { parseExcludedRegistries, parseSourceRegistries } from "../../relocation/registry-selection.ts";
import { libraryRules, type LibraryRule } from "../../relocation/strategy/library.ts";
import { strategyNames } from "../../relocation/strategy/strategies.ts";
import type { StrategyName } from "../../relocation/strategy/strategy.ts";
import { parseTargetRegistry } from "../../relocation/target-registry.ts";
import type { TargetType } from "../../relocation/targets/target.ts";
import { targetTypes } from "../../relocation/targets/targets.ts";
import { readInput } from "../output/read-input.ts";
import type { TargetOptions, ThresholdOptions } from "./target-options.ts";

const maxConfigBytes = 4 * 1024 * 1024;

export interface CommandSettings extends Settings {
  readonly isNamedImage: (valuePath: string) => boolean;
}

/**
 * What the flags, the mappings file and the configuration file say together; flags win.
 * @throws FairleadError `input-invalid`, `target-invalid`, `config-invalid`, `input-unreadable`.
 */
export async function readSettings(options: TargetOptions & ThresholdOptions): Promise<CommandSettings> {
  const settings = mergeSettings(
    flagLayer(options),
    await configLayer(options.config),
    await mappingLayer(options.registryMappings),
  );
  return { ...settings, isNamedImage: createImageKeyMatcher(settings.imageKeys) };
}

function flagLayer(options: TargetOptions & ThresholdOptions): SettingsLayer {
  const { sourceRegistries, excludeRegistries, targetRegistry } = options;
  return {
    ...(targetRegistry === undefined ? {} : { target: parseTargetRegistry(targetRegistry) }),
    ...(sourceRegistries.length === 0 ? {} : { sources: parseSourceRegistries(sourceRegistries) }),
    ...(excludeRegistries.length === 0 ? {} : { excluded: parseExcludedRegistries(excludeRegistries) }),
    targetType: oneOf<TargetType>(options.targetType, targetTypes),
    strategy: oneOf<StrategyName>(options.pathStrategy, strategyNames),
    library: oneOf<LibraryRule>(options.library, libraryRules),
    threshold: options.threshold,
    strict: options.strict,
  };
}

// The configuration's schema is only loaded for those who have one: it costs a tenth of the start-up.
async function configLayer(file: string | undefined): Promise<SettingsLayer | undefined> {
  if (file === undefined) return undefined;
  const { parseConfig } = await import("../../relocation/config/config.ts");
  return parseConfig(await readInput(file, { maxBytes: maxConfigBytes }), { file });
}

async function mappingLayer(file: string | undefined): Promise<SettingsLayer | undefined> {
  if (file === undefined) return undefined;
  const { parseRegistryMappings } = await import("../../relocation/config/registry-mappings.ts");
  return parseRegistryMappings(await readInput(file, { maxBytes: maxConfigBytes }), { file });
}

function oneOf<Name extends string>(text: string | undefined, names: readonly Name[]): Name | undefined {
  return names.find((name) => name === text);
}
