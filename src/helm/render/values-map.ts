import { define, parameters } from "../go/function.ts";
import { quoteGo } from "../go/quote.ts";
import { goTypes, type GoType } from "../go/type.ts";
import { GoError, GoMap, untracked, type GoFunction, type GoValue } from "../go/value.ts";
import { encodeYaml } from "../go/yaml-encoder.ts";

/**
 * What `.Values` is, and the dot of a template: a map with methods (pkg/chartutil/values.go). It shares its entries
 * with the map that it is made of.
 */
export class ValuesMap extends GoMap {
  override readonly entries: Map<string, GoValue>;
  override readonly methods: ReadonlyMap<string, GoFunction> = new Map<string, GoFunction>([
    ["AsMap", define([], () => (this.entries.size === 0 ? new GoMap() : this.as(goTypes.anyMap)))],
    ["Encode", define([parameters.any], () => "")],
    ["PathValue", define([parameters.string], ([path]) => this.#pathValue(path))],
    ["Table", define([parameters.string], ([path]) => this.#table(path.split(".")))],
    ["YAML", define([], (_args, { budget }) => encodeYaml(this, budget).toText())],
  ]);

  constructor(map: GoMap, type: GoType) {
    super([], type, map.origin);
    this.entries = map.entries;
  }

  override withEntries(entries: Iterable<readonly [string, GoValue]>): ValuesMap {
    return new ValuesMap(new GoMap(entries, goTypes.anyMap, this.origin), this.type);
  }

  #table(path: readonly string[]): ValuesMap {
    return path.reduce<ValuesMap>((table, key) => {
      const entry = untracked(table.entries.get(key) ?? null);
      if (entry instanceof GoMap) return new ValuesMap(entry, this.type);
      throw new GoError(`${quoteGo(key)} is not a table`);
    }, this);
  }

  #pathValue(path: string): GoValue {
    if (path === "") throw new GoError("YAML path cannot be empty");
    const keys = path.split(".");
    const key = keys.pop() ?? "";
    const value = this.#tryTable(keys)?.entries.get(key);
    if (value === undefined || value instanceof GoMap) throw new GoError(`${quoteGo(key)} is not a value`);
    return value;
  }

  #tryTable(path: readonly string[]): ValuesMap | undefined {
    try {
      return this.#table(path);
    } catch (error) {
      if (error instanceof GoError) return undefined;
      throw error;
    }
  }
}
