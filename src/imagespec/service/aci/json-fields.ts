import { FairleadError } from "../../../core/error.ts";
import { excerpt } from "../../../core/escape.ts";

/** An object of a manifest, and where it stands in it. */
export interface JsonFields {
  /** Undefined for an absent or null field. @throws FairleadError `aci-invalid` for another type, as all others do */
  optionalText(name: string): string | undefined;
  text(name: string): string;
  optionalCount(name: string): number | undefined;
  object(name: string): JsonFields | undefined;
  /** The objects of a list, none where it is absent. */
  objects(name: string): readonly JsonFields[];
  texts(name: string): readonly string[];
  /** An error about a field. */
  wrong(name: string, reason: string): FairleadError;
}

/** Reads an object of a manifest field by field. @throws FairleadError `aci-invalid` where it is none */
export function jsonFields(value: unknown, path = ""): JsonFields {
  if (!isObject(value)) throw wrongAt(path === "" ? "the manifest" : path, "is no object");
  const at = (name: string): string => (path === "" ? name : `${path}.${name}`);
  const get = (name: string): unknown =>
    Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;
  const wrong = (name: string, reason: string): FairleadError => wrongAt(at(name), reason);
  const list = (name: string): readonly unknown[] => {
    const found = get(name);
    if (found === undefined) return [];
    if (!Array.isArray(found)) throw wrong(name, "is no list");
    return found;
  };
  const optionalText = (name: string): string | undefined => {
    const found = get(name);
    if (found !== undefined && typeof found !== "string") throw wrong(name, "is no string");
    return found;
  };
  return {
    optionalText,
    text: (name) => {
      const found = optionalText(name);
      if (found === undefined) throw wrong(name, "is missing");
      return found;
    },
    optionalCount: (name) => {
      const found = get(name);
      if (found === undefined) return undefined;
      if (typeof found !== "number" || !Number.isSafeInteger(found) || found < 0) {
        throw wrong(name, "is no whole number");
      }
      return found;
    },
    object: (name) => {
      const found = get(name);
      return found === undefined ? undefined : jsonFields(found, at(name));
    },
    objects: (name) => list(name).map((item, index) => jsonFields(item, `${at(name)}[${index}]`)),
    texts: (name) =>
      list(name).map((item, index) => {
        if (typeof item !== "string") throw wrong(`${name}[${index}]`, "is no string");
        return item;
      }),
    wrong,
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrongAt(place: string, reason: string): FairleadError {
  const subject = place === "the manifest" ? place : `'${excerpt(place)}' of the manifest`;
  return new FairleadError("aci-invalid", `${subject} ${reason}`);
}
