import type { Json } from "../conditions/status-patch.ts";
import { isYamlList, type YamlValue } from "../../yaml/value.ts";

/** A value of a manifest as `JSON.parse` would give it; undefined where its JSON has more characters, about, than it may. */
export function copyPlain(value: YamlValue, maxCharacters: number): Json {
  const copying = new Copying(maxCharacters);
  const copy = copying.copy(value);
  return copying.isWithin ? copy : undefined;
}

/** Aliases share a value that is written once: what they make of it is counted before it is made. */
class Copying {
  #rest: number;

  constructor(maxCharacters: number) {
    this.#rest = maxCharacters;
  }

  get isWithin(): boolean {
    return this.#rest >= 0;
  }

  copy(value: YamlValue): Json {
    this.#rest -= typeof value === "string" ? value.length + 2 : 1;
    if (!this.isWithin || value === null || typeof value === "string" || typeof value === "boolean") {
      return this.isWithin ? value : null;
    }
    if (typeof value === "number") return Number.isFinite(value) ? value : null;
    if (isYamlList(value)) return value.map((item) => this.copy(item));
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        this.#rest -= key.length + 2;
        return [key, this.copy(member)];
      }),
    );
  }
}
