import { describeAllowed } from "./describe.ts";
import { findFormat } from "./formats.ts";
import {
  isJsonList,
  isJsonObject,
  memberOf,
  type JsonDocument,
  type JsonObject,
  type JsonType,
  type JsonValue,
} from "./json.ts";
import { SchemaError } from "./schema-error.ts";
import { NamedPattern, type SchemaNode } from "./schema-node.ts";

/** What the keywords of a schema need of what is around it. */
export interface SchemaReader {
  readonly schema: JsonObject;
  readonly literals: JsonDocument["literals"];
  readonly checksFormat: boolean;
  /** The schema at some steps from this one. */
  part(value: JsonValue, ...steps: readonly string[]): SchemaNode;
  /** The schema that a reference means. @throws SchemaError */
  refer(reference: string): SchemaNode;
}

/** Takes a keyword into a schema; a value of another type than expected says nothing. */
export type ReadKeyword = (node: SchemaNode, value: JsonValue, reader: SchemaReader) => void;

/** What stands after the `#` of a reference. @throws SchemaError */
export function fragmentOf(reference: string): string {
  const [, fragment = ""] = reference.split("#", 2);
  try {
    return decodeURIComponent(fragment);
  } catch {
    throw new SchemaError(`error in parsing ${JSON.stringify(reference)}`);
  }
}

/** Reads `$dynamicRef`. */
export function readDynamicReference(node: SchemaNode, text: string, reader: SchemaReader): void {
  const fragment = fragmentOf(text);
  node.dynamicReference = { target: reader.refer(text), anchor: fragment.startsWith("/") ? "" : fragment };
}

/** Reads `patternProperties`. */
export function readPatternProperties(node: SchemaNode, schemas: ReadonlyMap<string, SchemaNode>): void {
  node.patternProperties = [...schemas].map(
    ([source, schema]) => [new NamedPattern(source), schema] as const,
  );
}

/** Reads `additionalProperties`. */
export function readAdditionalProperties(node: SchemaNode, value: JsonValue, reader: SchemaReader): void {
  node.additionalProperties = typeof value === "boolean" ? value : reader.part(value, "additionalProperties");
}

/** Up to 2019-09 a list holds the schemas of the first items, and `additionalItems` that of the others. */
export function readItems(node: SchemaNode, value: JsonValue, reader: SchemaReader): void {
  if (node.draft === 2020 || !isJsonList(value)) {
    node.otherItems = reader.part(value, "items");
    return;
  }
  node.firstItems = value.map((schema, index) => reader.part(schema, "items", String(index)));
  const others = memberOf(reader.schema, "additionalItems");
  if (others === undefined) return;
  node.otherItems = typeof others === "boolean" ? others : reader.part(others, "additionalItems");
}

/** Reads `dependencies`: names of members, or a schema, for each. */
export function readDependencies(node: SchemaNode, value: JsonValue, reader: SchemaReader): void {
  if (!isJsonObject(value)) return;
  node.dependencies = new Map(
    Object.entries(value).map(([name, part]) => [
      name,
      textsOf(part) ?? reader.part(part, "dependencies", name),
    ]),
  );
}

/** Reads `dependentRequired`. */
export function readDependentRequired(node: SchemaNode, value: JsonValue): void {
  if (!isJsonObject(value)) return;
  node.dependentRequired = new Map(Object.entries(value).map(([name, part]) => [name, textsOf(part) ?? []]));
}

const typeOrder: readonly JsonType[] = ["null", "boolean", "number", "integer", "string", "array", "object"];

/** Reads `type`; messages name types in an order of their own. */
export function readTypes(node: SchemaNode, value: JsonValue): void {
  const types = typeOrder.filter((type) => (isJsonList(value) ? value.includes(type) : value === type));
  if (types.length > 0) node.types = types;
}

/** Reads `enum`. */
export function readEnumeration(node: SchemaNode, value: JsonValue, { literals }: SchemaReader): void {
  if (!isJsonList(value)) return;
  const sources = literals.get(value);
  node.enumeration = describeAllowed(
    value,
    value.map((_item, index) => sources?.get(String(index))),
  );
}

/** Reads `const`. */
export function readConstant(node: SchemaNode, value: JsonValue, { schema, literals }: SchemaReader): void {
  node.constant = describeAllowed([value], [literals.get(schema)?.get("const")]);
}

/** Reads `format`; one that is not known says nothing. */
export function readFormat(node: SchemaNode, name: string, reader: SchemaReader): void {
  if (reader.checksFormat) node.format = findFormat(name);
}

/** The texts of a list; undefined for anything else. */
export function textsOf(value: JsonValue): readonly string[] | undefined {
  return isJsonList(value) ? value.filter((item) => typeof item === "string") : undefined;
}

/** Reads a text. */
export function onText(read: (node: SchemaNode, text: string, reader: SchemaReader) => void): ReadKeyword {
  return (node, value, reader) => {
    if (typeof value === "string") read(node, value, reader);
  };
}

/** Reads a number. */
export function onNumber(read: (node: SchemaNode, value: number) => void): ReadKeyword {
  return (node, value) => {
    if (typeof value === "number") read(node, value);
  };
}

/** Reads a whole number. */
export function onInteger(read: (node: SchemaNode, value: number) => void): ReadKeyword {
  return (node, value) => {
    if (typeof value === "number" && Number.isInteger(value)) read(node, value);
  };
}

/** Reads a keyword that holds a schema. */
export function onOne(keyword: string, read: (node: SchemaNode, schema: SchemaNode) => void): ReadKeyword {
  return (node, value, reader) => read(node, reader.part(value, keyword));
}

/** Reads a keyword that holds a list of schemas. */
export function onList(
  keyword: string,
  read: (node: SchemaNode, schemas: readonly SchemaNode[]) => void,
): ReadKeyword {
  return (node, value, reader) => {
    if (!isJsonList(value)) return;
    read(
      node,
      value.map((schema, index) => reader.part(schema, keyword, String(index))),
    );
  };
}

/** Reads a keyword that holds schemas by names. */
export function onMap(
  keyword: string,
  read: (node: SchemaNode, schemas: ReadonlyMap<string, SchemaNode>) => void,
): ReadKeyword {
  return (node, value, reader) => {
    if (!isJsonObject(value)) return;
    const schemas = Object.entries(value).map(
      ([name, schema]) => [name, reader.part(schema, keyword, name)] as const,
    );
    read(node, new Map(schemas));
  };
}
