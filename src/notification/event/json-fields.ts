import { FairleadError } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";

/** Reads the fields of a JSON object as Go decodes a struct: what is missing or null is empty. */
export class JsonFields {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #path: string;

  /**
   * @param path the object's own field, for messages
   * @throws FairleadError `event-invalid` where the value is no object
   */
  constructor(value: unknown, path: string) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new FairleadError("event-invalid", `${path === "" ? "the event" : path} is no JSON object`);
    }
    this.#object = value as Readonly<Record<string, unknown>>;
    this.#path = path;
  }

  /** A text as Go has it, without lone surrogates; empty where there is none. @throws FairleadError `event-invalid` */
  text(key: string, maxLength: number = Infinity): string {
    const value = this.#get(key);
    if (value === undefined) return "";
    if (typeof value !== "string") throw this.invalid(key, "is no text");
    if (value.length > maxLength) throw this.invalid(key, `is longer than ${maxLength} characters`);
    return value.toWellFormed();
  }

  /** An object below this one. @throws FairleadError `event-invalid` */
  map(key: string): JsonFields | undefined {
    const value = this.#get(key);
    return value === undefined ? undefined : new JsonFields(value, this.#pathOf(key));
  }

  /** An object that has to be there. @throws FairleadError `event-invalid` */
  requiredMap(key: string): JsonFields {
    const map = this.map(key);
    if (map === undefined) throw this.invalid(key, "is required");
    return map;
  }

  /** A map of texts without a prototype. @throws FairleadError `event-invalid` */
  textMap(key: string, maxKeys: number): Readonly<Record<string, string>> {
    const texts = Object.create(null) as Record<string, string>;
    const map = this.map(key);
    if (map === undefined) return texts;
    const keys = Object.keys(map.#object);
    if (keys.length > maxKeys) throw this.invalid(key, `has more than ${maxKeys} keys`);
    for (const name of keys) texts[name.toWellFormed()] = map.text(name);
    return texts;
  }

  /** The error for a field of this object. @param message goes on after its name */
  invalid(key: string, message: string): FairleadError {
    return new FairleadError("event-invalid", `${this.#pathOf(key)} ${message}`);
  }

  #get(key: string): unknown {
    return Object.hasOwn(this.#object, key) ? (this.#object[key] ?? undefined) : undefined;
  }

  #pathOf(key: string): string {
    return excerpt(this.#path === "" ? key : `${this.#path}.${key}`);
  }
}
