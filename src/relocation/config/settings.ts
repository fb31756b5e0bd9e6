import { FairleadError } from "../../core/error.ts";
import type { ExcludedRegistries, SourceSelection } from "../registry-selection.ts";
import type { RelocationSettings, SourceRule } from "../relocator.ts";
import type { LibraryRule } from "../strategy/library.ts";
import type { StrategyName } from "../strategy/strategy.ts";
import type { TargetRegistry, TargetType } from "../targets/target.ts";

/** What one place (the flags, the mappings file or the configuration file) says; the rest is left open. */
export interface SettingsLayer {
  readonly target?: TargetRegistry | undefined;
  readonly targetType?: TargetType | undefined;
  readonly sources?: SourceSelection | undefined;
  readonly excluded?: ExcludedRegistries | undefined;
  readonly strategy?: StrategyName | undefined;
  readonly library?: LibraryRule | undefined;
  /** By registry identity (see `registryIdentity`). */
  readonly perSource?: ReadonlyMap<string, SourceRule> | undefined;
  /** Whether each source must have a rule in this layer's `perSource`: irr's `strictMode`. */
  readonly requireRule?: boolean | undefined;
  /** Percent, 0 to 100. */
  readonly threshold?: number | undefined;
  readonly strict?: boolean | undefined;
  /** Value paths that hold images, as patterns (see `createImageKeyMatcher`). */
  readonly imageKeys?: readonly string[] | undefined;
}

export interface Settings {
  readonly relocation: RelocationSettings;
  readonly threshold: number;
  readonly strict: boolean;
  readonly imageKeys: readonly string[];
}

/**
 * Puts the layers together: flags win over mappings, and these over the configuration. Lists are not joined:
 * the winner's stands. Rules for single sources are, and hold against a general strategy or target of a
 * stronger layer, as they say more. Where no layer lists sources, they are those that have a rule.
 * Defaults: strategy `prefix-source-registry`, library `table`, threshold 100, not strict.
 * @throws FairleadError `input-invalid` without sources or without a target registry for each, and for a source without
 *   a mapping under `strictMode`.
 */
export function mergeSettings(
  flags: SettingsLayer,
  config: SettingsLayer = {},
  mappings: SettingsLayer = {},
): Settings {
  const layers = [flags, mappings, config];
  const perSource = new Map([
    ...(config.perSource ?? []),
    ...(mappings.perSource ?? []),
    ...(flags.perSource ?? []),
  ]);
  const sources = first(layers, "sources") ?? new Set(perSource.keys());
  if (sources !== "all" && sources.size === 0) {
    throw new FairleadError("input-invalid", "No source registry is given", {
      hint: "Name the registries to move images from: --source-registries docker.io,quay.io, or * for all; or source_registries in the configuration file.",
    });
  }
  for (const layer of layers) requireRules(layer, sources);
  return {
    relocation: {
      target: targetOf(layers, sources, perSource),
      sources,
      excluded: first(layers, "excluded") ?? [],
      strategy: first(layers, "strategy") ?? "prefix-source-registry",
      library: first(layers, "library") ?? "table",
      perSource,
    },
    threshold: first(layers, "threshold") ?? 100,
    strict: first(layers, "strict") ?? false,
    imageKeys: first(layers, "imageKeys") ?? [],
  };
}

/** The strongest layer's answer. */
function first<Key extends keyof SettingsLayer>(
  layers: readonly SettingsLayer[],
  key: Key,
): SettingsLayer[Key] {
  return layers.find((layer) => layer[key] !== undefined)?.[key];
}

/** The general target; where each source has its own, one of these stands for it. */
function targetOf(
  layers: readonly SettingsLayer[],
  sources: SourceSelection,
  perSource: ReadonlyMap<string, SourceRule>,
): TargetRegistry {
  const own = sources === "all" ? [] : [...sources].map((source) => perSource.get(source)?.target);
  const target = first(layers, "target") ?? (own.includes(undefined) ? undefined : own[0]);
  if (target === undefined) {
    throw new FairleadError("input-invalid", "No target registry is given", {
      hint: "Name the registry that images are to come from: --target-registry myharbor.internal:5000, target_registry in the configuration file, or defaultTarget in the mappings file.",
    });
  }
  return { ...target, type: first(layers, "targetType") ?? target.type };
}

function requireRules(layer: SettingsLayer, sources: SourceSelection): void {
  if (layer.requireRule !== true) return;
  const missing = sources === "all" ? ["*"] : [...sources].filter((source) => !layer.perSource?.has(source));
  if (missing.length === 0) return;
  throw new FairleadError(
    "input-invalid",
    `The mappings file sets strictMode and has no enabled mapping for ${missing.join(", ")}`,
    { hint: "Add a mapping for each source registry, or take the source out." },
  );
}
