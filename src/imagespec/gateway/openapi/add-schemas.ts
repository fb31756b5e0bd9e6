import { Insertions } from "../read/insertions.ts";
import { JsonCursor, jsonKey, type JsonKey } from "../read/json-cursor.ts";
import {
  containerSchemas,
  imageSpecProperty,
  imageSpecSchemas,
  type OpenApiForm,
} from "./image-spec-schemas.ts";

const image = jsonKey("image");
const imageSpec = jsonKey("imageSpec");
const properties = jsonKey("properties");
const containers = Array.from(containerSchemas, (name) => jsonKey(name));
const schemasPaths: Readonly<Record<OpenApiForm, readonly JsonKey[]>> = {
  v2: [jsonKey("definitions")],
  v3: [jsonKey("components"), jsonKey("schemas")],
};

/**
 * Adds `imageSpec` to the containers of an OpenAPI document in JSON; every other byte stays.
 * @returns the document itself where it has no containers, has it already, or is malformed
 */
export function addImageSpecSchemas(document: Buffer, form: OpenApiForm): Buffer {
  const insertions = new Insertions();
  const cursor = new JsonCursor();
  cursor.reset(document, 0);
  const isChanged = cursor.nextText() && editSchemas(cursor, insertions, schemasPaths[form], form);
  if (!isChanged || cursor.failure !== undefined) return document;
  return insertions.apply(document, 0, document.length);
}

/** @returns whether there is something to change, and all of it is noted */
function editSchemas(
  cursor: JsonCursor,
  insertions: Insertions,
  path: readonly JsonKey[],
  form: OpenApiForm,
): boolean {
  const [next, ...rest] = path;
  if (!cursor.opensObject()) return false;
  const start = cursor.at;
  const places: number[] = [];
  let hasIt = false;
  let isChanged = false;
  while (cursor.nextKey()) {
    if (next !== undefined && cursor.isKey(next)) {
      isChanged = editSchemas(cursor, insertions, rest, form);
    } else if (next === undefined && containers.some((key) => cursor.isKey(key))) {
      const place = imagePlace(cursor);
      if (place === undefined) hasIt = true;
      else places.push(place);
    } else {
      cursor.skip();
    }
  }
  if (next !== undefined) return isChanged;
  if (hasIt || places.length === 0) return false;
  const members = Object.entries(imageSpecSchemas(form));
  const schemas = members.map(([name, schema]) => `${JSON.stringify(name)}:${JSON.stringify(schema)},`);
  insertions.add(start, Buffer.from(schemas.join("")));
  const property = Buffer.from(`,"imageSpec":${JSON.stringify(imageSpecProperty(form))}`);
  for (const place of places) insertions.add(place, property);
  return true;
}

/** The offset behind the member `image`; undefined where there is none, or `imageSpec` beside it. */
function imagePlace(cursor: JsonCursor): number | undefined {
  let place: number | undefined;
  let hasIt = false;
  if (!cursor.opensObject()) return undefined;
  while (cursor.nextKey()) {
    if (!cursor.isKey(properties)) {
      cursor.skip();
    } else if (cursor.opensObject()) {
      while (cursor.nextKey()) {
        const isImage = cursor.isKey(image);
        hasIt ||= cursor.isKey(imageSpec);
        cursor.skip();
        if (isImage) place = cursor.at;
      }
    }
  }
  return hasIt ? undefined : place;
}
