import { createYamlMap, isYamlList, isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import type { ValuePath } from "../../yaml/value-path.ts";
import type { ChartInstance, HelmVersion } from "../chart/chart.ts";
import { goTypes } from "../go/type.ts";
import { toBytes } from "../go/utf8.ts";
import { GoMap, GoSlice, int64Of, type GoScalar, type GoValue } from "../go/value.ts";
import { mergeMaps } from "../values/merge.ts";
import { helmTypesOf } from "./go-types.ts";
import { createMark, type Mark } from "./source-tracking.ts";
import { ValuesMap } from "./values-map.ts";

interface ValuesOptions {
  readonly helm: HelmVersion;
  readonly tracking: boolean;
  /** The values that `--set` alone makes: what is a number in them is an int64 to templates, else a float64. */
  readonly integers?: YamlMap | undefined;
}

/** A value as it stands in the charts above: the first that has it is where it would have to be set. */
interface Place {
  readonly value: YamlValue | undefined;
  readonly path: ValuePath;
}

/**
 * The values of the root as templates see them. The values of subcharts are in it under their keys, and each
 * map is one object wherever Helm has one, so that what a template sets is seen by the others.
 * @param values what `resolveDependencies` gives as `renderValues`
 */
export function createValuesObject(root: ChartInstance, values: YamlMap, options: ValuesOptions): GoMap {
  const integers = options.integers === undefined ? undefined : handDown(root, options.integers);
  const map = new ValuesConverter(options).scope(root, values, [], integers);
  return new ValuesMap(map, helmTypesOf(options.helm).values);
}

/** A global that `--set` makes is an integer in the subcharts too. */
function handDown(instance: ChartInstance, integers: YamlMap): YamlMap {
  const inherited = entryOf(integers, "global");
  const handed = createYamlMap(Object.entries(integers));
  for (const child of instance.children.filter(({ enabled }) => enabled)) {
    const own = entryOf(integers, child.name);
    const values = isYamlMap(own) ? own : {};
    const globals = isYamlMap(inherited) ? { global: inherited } : {};
    handed[child.name] = handDown(child, mergeMaps(values, globals));
  }
  return handed;
}

class ValuesConverter {
  readonly #tracking: boolean;
  readonly #mark: Mark;
  /** What is one map in the values is one map for the templates. */
  readonly #maps = new Map<YamlMap, GoMap>();

  constructor({ tracking }: ValuesOptions) {
    this.#tracking = tracking;
    this.#mark = createMark(tracking);
  }

  /** @param globals the globals of the charts above, from the root down */
  scope(
    instance: ChartInstance,
    values: YamlMap,
    globals: readonly Place[],
    integers: YamlValue | undefined,
  ): GoMap {
    const map = this.#createMap(values, instance.path);
    const ownGlobal = entryOf(values, "global");
    const allGlobals = [...globals, ...this.#placeOf(ownGlobal, instance.path, "global")];
    if (ownGlobal !== undefined) {
      map.entries.set("global", this.#convert(ownGlobal, allGlobals, entryOf(integers, "global")));
    }
    for (const [key, value] of Object.entries(values)) {
      if (key === "global") continue;
      const child = isYamlMap(value) ? findChild(instance, key) : undefined;
      const numbers = entryOf(integers, key);
      const converted =
        child === undefined || !isYamlMap(value)
          ? this.#convert(value, this.#placeOf(value, instance.path, key), numbers)
          : this.scope(child, value, allGlobals, numbers);
      map.entries.set(toBytes(key), converted);
    }
    return map;
  }

  /** @param places where the value stands, outermost first; those above may not have it */
  #convert(value: YamlValue, places: readonly Place[], integers: YamlValue | undefined): GoValue {
    const present = places.filter((place) => place.value !== undefined);
    const path = present[0]?.path ?? [];
    if (isYamlMap(value)) {
      const known = this.#maps.get(value);
      if (known !== undefined) return known;
      const map = this.#createMap(value, path);
      for (const [key, item] of Object.entries(value)) {
        map.entries.set(toBytes(key), this.#convert(item, below(present, key), entryOf(integers, key)));
      }
      return map;
    }
    if (isYamlList(value)) {
      return new GoSlice(
        value.map((item, index) =>
          this.#convert(item, below(present, index), isYamlList(integers) ? integers[index] : undefined),
        ),
      );
    }
    return this.#mark(scalarOf(value, integers), () => ({ kind: "value", path }));
  }

  /** Without tracking nothing is said of places, which saves their making. */
  #placeOf(value: YamlValue | undefined, path: ValuePath, key: string): readonly Place[] {
    return this.#tracking ? [{ value, path: [...path, key] }] : [];
  }

  #createMap(values: YamlMap, path: ValuePath): GoMap {
    const map = new GoMap([], goTypes.anyMap, this.#tracking ? { kind: "value", path } : undefined);
    this.#maps.set(values, map);
    return map;
  }
}

function scalarOf(value: null | boolean | number | string, integers: YamlValue | undefined): GoScalar {
  if (typeof value === "string") return toBytes(value);
  return typeof value === "number" && value === integers ? int64Of(value) : value;
}

function below(places: readonly Place[], step: string | number): readonly Place[] {
  return places.map(({ value, path }) => ({ value: entryOf(value, step), path: [...path, step] }));
}

function entryOf(value: YamlValue | undefined, step: string | number): YamlValue | undefined {
  if (typeof step === "number") return isYamlList(value) ? value[step] : undefined;
  return isYamlMap(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function findChild(instance: ChartInstance, name: string): ChartInstance | undefined {
  return instance.children.find((child) => child.enabled && child.name === name);
}
