import type { JsonObject } from "../json.ts";
import draft201909 from "./draft-2019-09.json" with { type: "json" };
import draft202012 from "./draft-2020-12.json" with { type: "json" };
import draft04 from "./draft-04.json" with { type: "json" };
import draft06 from "./draft-06.json" with { type: "json" };
import draft07 from "./draft-07.json" with { type: "json" };

// The documents of json-schema.org without what they say to people.
const metaschemas: ReadonlyMap<string, JsonObject> = new Map(
  [draft04, draft06, draft07, draft201909, draft202012].flatMap((documents) =>
    Object.entries<JsonObject>({ ...documents }),
  ),
);

/** A document of json-schema.org, by its address; undefined for any other. */
export function findMetaschema(address: string): JsonObject | undefined {
  const path = address.replace(/^https?:\/\//u, "");
  return metaschemas.get(path === "json-schema.org/schema" ? "json-schema.org/draft/2020-12/schema" : path);
}
