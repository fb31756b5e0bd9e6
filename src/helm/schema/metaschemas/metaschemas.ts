import type { JsonObject } from "../json.ts";
import { draft201909 } from "./draft-2019-09.ts";
import { draft202012 } from "./draft-2020-12.ts";
import { draft04 } from "./draft-04.ts";
import { draft06 } from "./draft-06.ts";
import { draft07 } from "./draft-07.ts";

const metaschemas: ReadonlyMap<string, JsonObject> = new Map(
  [draft04, draft06, draft07, draft201909, draft202012].flatMap((documents) => Object.entries(documents)),
);

/** A document of json-schema.org, by its address; undefined for any other. */
export function findMetaschema(address: string): JsonObject | undefined {
  const path = address.replace(/^https?:\/\//u, "");
  return metaschemas.get(path === "json-schema.org/schema" ? "json-schema.org/draft/2020-12/schema" : path);
}
