import type { ImageReference } from "../reference/reference.ts";
import { normaliseRegistryHost, registryIdentity } from "../reference/registry-host.ts";
import {
  isExcluded,
  isSelected,
  type ExcludedRegistries,
  type SourceSelection,
} from "./registry-selection.ts";
import { libraryRuleFor, type LibraryRule } from "./strategy/library.ts";
import { createStrategy } from "./strategy/strategies.ts";
import type { StrategyName } from "./strategy/strategy.ts";
import type { TargetRegistry, TargetRuleViolation } from "./targets/target.ts";
import { checkTarget } from "./targets/targets.ts";

/** What holds for one source registry instead of the general settings. */
export interface SourceRule {
  /** Default: `flat` where the rule names a place, else the general strategy. */
  readonly strategy?: StrategyName | undefined;
  /** Another registry and base path. */
  readonly target?: TargetRegistry | undefined;
  /** A path in place of the target's base path, such as `hub-proxy`. */
  readonly targetPath?: string | undefined;
}

export interface RelocationSettings {
  readonly target: TargetRegistry;
  readonly sources: SourceSelection;
  readonly excluded: ExcludedRegistries;
  readonly strategy: StrategyName;
  readonly library: LibraryRule;
  /** By registry identity (see `registryIdentity`). */
  readonly perSource: ReadonlyMap<string, SourceRule>;
}

/** Where an image stands towards the settings; `at-target` comes before `excluded`, that before the rest. */
export type ScopeAnswer = "in-scope" | "out-of-scope" | "excluded" | "at-target";

export interface Relocation {
  /** The image at the target: registry, path, and the source's tag and digest. */
  readonly reference: ImageReference;
  readonly target: TargetRegistry;
  readonly violations: readonly TargetRuleViolation[];
}

export interface Relocator {
  readonly scopeOf: (reference: ImageReference) => ScopeAnswer;
  /** Where the image belongs, whatever its scope. A relocated image is `at-target`. */
  readonly relocate: (reference: ImageReference) => Relocation;
}

/** Decides which images move, and where to. */
export function createRelocator(settings: RelocationSettings): Relocator {
  const places = [
    settings.target,
    ...[...settings.perSource.values()].map((rule) => placeFor(rule, settings)),
  ];
  return {
    scopeOf: (reference) => {
      if (places.some((place) => isAt(reference, place))) return "at-target";
      if (isExcluded(reference.registry, settings.excluded)) return "excluded";
      return isSelected(reference.registry, settings.sources) ? "in-scope" : "out-of-scope";
    },
    relocate: (reference) => {
      const rule = settings.perSource.get(registryIdentity(reference.registry)) ?? {};
      const place = placeFor(rule, settings);
      const path = createStrategy(strategyFor(rule, settings)).targetPath(reference, {
        library: libraryRuleFor(settings.library, place.type),
      });
      const relocated = moveTo(place, path, reference);
      return { reference: relocated, target: place, violations: checkTarget(relocated, place) };
    },
  };
}

function strategyFor(rule: SourceRule, settings: RelocationSettings): StrategyName {
  const hasPlace = rule.target !== undefined || rule.targetPath !== undefined;
  return rule.strategy ?? (hasPlace ? "flat" : settings.strategy);
}

function placeFor(rule: SourceRule, settings: RelocationSettings): TargetRegistry {
  const target = rule.target ?? settings.target;
  // A type that the user gave to the main target's host holds for all of that host.
  const type = target.host === settings.target.host ? settings.target.type : target.type;
  return { host: target.host, basePath: rule.targetPath ?? target.basePath, type };
}

function isAt(reference: ImageReference, { host, basePath }: TargetRegistry): boolean {
  if (normaliseRegistryHost(reference.registry) !== host) return false;
  return basePath === "" || `${reference.path}/`.startsWith(`${basePath}/`);
}

function moveTo({ host, basePath }: TargetRegistry, path: string, source: ImageReference): ImageReference {
  const fullPath = basePath === "" ? path : `${basePath}/${path}`;
  return {
    registry: host,
    path: fullPath,
    ...(source.tag === undefined ? {} : { tag: source.tag }),
    ...(source.digest === undefined ? {} : { digest: source.digest }),
    writtenRegistry: host,
    writtenPath: fullPath,
  };
}
