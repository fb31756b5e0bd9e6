import { isJsonList, isJsonObject, memberOf, type JsonObject, type JsonValue } from "../json.ts";
import { findMetaschema } from "./metaschemas.ts";

/**
 * A metaschema of 2019-09 or later in one piece: it takes the same schemas, several times faster, but says
 * otherwise what is wrong. Undefined for those that are in one piece already.
 */
export function tryFlattenMetaschema(address: string): JsonObject | undefined {
  const metaschema = findMetaschema(address);
  const references = metaschema === undefined ? undefined : memberOf(metaschema, "allOf");
  if (metaschema === undefined || !isJsonList(references)) return undefined;
  const folder = address.slice(0, address.lastIndexOf("/") + 1);
  const vocabularies = references.map((reference) => {
    const path = isJsonObject(reference) ? memberOf(reference, "$ref") : undefined;
    return typeof path === "string" ? findMetaschema(folder + path) : undefined;
  });
  const merged = (keyword: string): JsonObject => {
    const members = [metaschema, ...vocabularies].map((part) => part && memberOf(part, keyword));
    return Object.fromEntries(members.filter(isJsonObject).flatMap((member) => Object.entries(member)));
  };
  return {
    $schema: address,
    type: ["object", "boolean"],
    properties: withoutScopes(merged("properties")),
    $defs: withoutScopes(merged("$defs")),
  };
}

/** With references into the one piece. */
function withoutScopes(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map(withoutScopes);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      const isReference = typeof part === "string" && /^\$(?:ref|dynamicRef|recursiveRef)$/u.test(key);
      if (!isReference) return [key, withoutScopes(part)];
      const definition = /#(?<pointer>\/\$defs\/.*)$/u.exec(part)?.groups?.["pointer"] ?? "";
      return ["$ref", `#${definition}`];
    }),
  );
}
