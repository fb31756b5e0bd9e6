import { flat } from "./flat.ts";
import { keepRegistry } from "./keep-registry.ts";
import { prefixSourceRegistry } from "./prefix-source-registry.ts";
import type { Strategy, StrategyName } from "./strategy.ts";

const strategies: Readonly<Record<StrategyName, Strategy>> = {
  "prefix-source-registry": prefixSourceRegistry,
  flat,
  "keep-registry": keepRegistry,
};

/** Every strategy, the default first. */
export const strategyNames: readonly StrategyName[] = Object.keys(strategies) as StrategyName[];

/** The strategy of a name. */
export function createStrategy(name: StrategyName): Strategy {
  return strategies[name];
}
