import { isJsonList, isJsonObject, memberOf, type JsonValue } from "./json.ts";

/** A JSON pointer: empty for the whole document, else `/` before each step. */
export type Pointer = string;

/** The pointer to a member of what another points to. */
export function appendStep(pointer: Pointer, ...steps: readonly string[]): Pointer {
  return steps.reduce((whole, step) => `${whole}/${escapeStep(step)}`, pointer);
}

/** A step as it stands in a pointer. */
function escapeStep(step: string): string {
  if (!step.includes("~") && !step.includes("/")) return step;
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The value that a pointer leads to; undefined where it leads nowhere. */
export function tryLookUp(document: JsonValue, pointer: Pointer): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const escaped of pointer.split("/").slice(1)) {
    const step = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    if (isJsonObject(value)) value = memberOf(value, step);
    else value = isJsonList(value) && /^[0-9]+$/u.test(step) ? value[Number(step)] : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}

/** An address with a pointer after its `#`, each step percent-encoded as Go's url.PathEscape has it. */
export function locationOf(address: string, pointer: Pointer): string {
  return `${address}#${pointer.split("/").map(encodeStep).join("/")}`;
}

function encodeStep(step: string): string {
  return encodeURIComponent(step)
    .replace(/%(?:24|26|2B|3A|3D|40)/gu, decodeURIComponent)
    .replace(/[!'()*]/gu, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
