import { describeAllowed } from "./describe.ts";
import type { DraftVersion } from "./draft.ts";
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

interface Keyword {
  readonly since: DraftVersion;
  readonly until: DraftVersion;
  /** Takes the keyword into the schema; a value of another type than expected says nothing. */
  read(node: SchemaNode, value: JsonValue, reader: SchemaReader): void;
}

type Read = Keyword["read"];

function from(since: DraftVersion, read: Read, until: DraftVersion = 2020): Keyword {
  return { since, until, read };
}

/** The keywords by their names, as jsonschema/v6 takes them (objcompiler.go). */
export const keywords: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  [
    "$recursiveRef",
    from(
      2019,
      onText((node, text, reader) => (node.recursiveReference = reader.refer(text))),
    ),
  ],
  ["$recursiveAnchor", from(2019, (node, value) => (node.isRecursiveAnchor = value === true))],
  ["$dynamicRef", from(2020, onText(readDynamicReference))],
  [
    "$dynamicAnchor",
    from(
      2020,
      onText((node, text) => (node.dynamicAnchor = text)),
    ),
  ],
  [
    "allOf",
    from(
      4,
      onList("allOf", (node, schemas) => (node.allOf = schemas)),
    ),
  ],
  [
    "anyOf",
    from(
      4,
      onList("anyOf", (node, schemas) => (node.anyOf = schemas)),
    ),
  ],
  [
    "oneOf",
    from(
      4,
      onList("oneOf", (node, schemas) => (node.oneOf = schemas)),
    ),
  ],
  [
    "not",
    from(
      4,
      onOne("not", (node, schema) => (node.not = schema)),
    ),
  ],
  [
    "if",
    from(
      7,
      onOne("if", (node, schema) => (node.condition = schema)),
    ),
  ],
  [
    "then",
    from(
      7,
      onOne("then", (node, schema) => (node.consequence = schema)),
    ),
  ],
  [
    "else",
    from(
      7,
      onOne("else", (node, schema) => (node.alternative = schema)),
    ),
  ],

  [
    "properties",
    from(
      4,
      onMap("properties", (node, schemas) => (node.properties = schemas)),
    ),
  ],
  ["patternProperties", from(4, onMap("patternProperties", readPatternProperties))],
  ["additionalProperties", from(4, readAdditionalProperties)],
  [
    "propertyNames",
    from(
      6,
      onOne("propertyNames", (node, schema) => (node.propertyNames = schema)),
    ),
  ],
  ["dependencies", from(4, readDependencies)],
  [
    "dependentSchemas",
    from(
      2019,
      onMap("dependentSchemas", (node, all) => (node.dependentSchemas = all)),
    ),
  ],
  ["dependentRequired", from(2019, readDependentRequired)],
  [
    "unevaluatedProperties",
    from(
      2019,
      onOne("unevaluatedProperties", (node, schema) => (node.unevaluatedProperties = schema)),
    ),
  ],
  [
    "minProperties",
    from(
      4,
      onInteger((node, limit) => (node.minProperties = limit)),
    ),
  ],
  [
    "maxProperties",
    from(
      4,
      onInteger((node, limit) => (node.maxProperties = limit)),
    ),
  ],
  ["required", from(4, (node, value) => (node.required = textsOf(value)))],

  [
    "prefixItems",
    from(
      2020,
      onList("prefixItems", (node, schemas) => (node.firstItems = schemas)),
    ),
  ],
  ["items", from(4, readItems)],
  [
    "contains",
    from(
      6,
      onOne("contains", (node, schema) => (node.contains = schema)),
    ),
  ],
  [
    "minContains",
    from(
      2019,
      onInteger((node, limit) => (node.minContains = limit)),
    ),
  ],
  [
    "maxContains",
    from(
      2019,
      onInteger((node, limit) => (node.maxContains = limit)),
    ),
  ],
  [
    "unevaluatedItems",
    from(
      2019,
      onOne("unevaluatedItems", (node, schema) => (node.unevaluatedItems = schema)),
    ),
  ],
  [
    "minItems",
    from(
      4,
      onInteger((node, limit) => (node.minItems = limit)),
    ),
  ],
  [
    "maxItems",
    from(
      4,
      onInteger((node, limit) => (node.maxItems = limit)),
    ),
  ],
  ["uniqueItems", from(4, (node, value) => (node.uniqueItems = value === true))],

  ["type", from(4, readTypes)],
  ["enum", from(4, readEnumeration)],
  ["const", from(6, readConstant)],
  ["format", from(4, onText(readFormat))],
  [
    "minLength",
    from(
      4,
      onInteger((node, limit) => (node.minLength = limit)),
    ),
  ],
  [
    "maxLength",
    from(
      4,
      onInteger((node, limit) => (node.maxLength = limit)),
    ),
  ],
  [
    "pattern",
    from(
      4,
      onText((node, text) => (node.pattern = new NamedPattern(text))),
    ),
  ],
  [
    "minimum",
    from(
      4,
      onNumber((node, limit) => (node.minimum = limit)),
    ),
  ],
  [
    "maximum",
    from(
      4,
      onNumber((node, limit) => (node.maximum = limit)),
    ),
  ],
  [
    "exclusiveMinimum",
    from(
      4,
      onNumber((node, limit) => (node.exclusiveMinimum = limit)),
    ),
  ],
  [
    "exclusiveMaximum",
    from(
      4,
      onNumber((node, limit) => (node.exclusiveMaximum = limit)),
    ),
  ],
  [
    "multipleOf",
    from(
      4,
      onNumber((node, factor) => (node.multipleOf = factor)),
    ),
  ],
]);

/** Settles what keywords say of each other. */
export function settle(node: SchemaNode, schema: JsonObject): void {
  if (node.condition === undefined) {
    node.consequence = undefined;
    node.alternative = undefined;
  }
  if (node.contains === undefined) {
    node.minContains = undefined;
    node.maxContains = undefined;
  }
  // As a boolean, which is what draft 4 has, the keyword makes the limit itself exclusive.
  if (memberOf(schema, "exclusiveMinimum") === true) {
    node.exclusiveMinimum = node.minimum;
    node.minimum = undefined;
  }
  if (memberOf(schema, "exclusiveMaximum") === true) {
    node.exclusiveMaximum = node.maximum;
    node.maximum = undefined;
  }
}

/** What stands after the `#` of a reference. @throws SchemaError */
export function fragmentOf(reference: string): string {
  const [, fragment = ""] = reference.split("#", 2);
  try {
    return decodeURIComponent(fragment);
  } catch {
    throw new SchemaError(`error in parsing ${JSON.stringify(reference)}`);
  }
}

function readDynamicReference(node: SchemaNode, text: string, reader: SchemaReader): void {
  const fragment = fragmentOf(text);
  node.dynamicReference = { target: reader.refer(text), anchor: fragment.startsWith("/") ? "" : fragment };
}

function readPatternProperties(node: SchemaNode, schemas: ReadonlyMap<string, SchemaNode>): void {
  node.patternProperties = [...schemas].map(
    ([source, schema]) => [new NamedPattern(source), schema] as const,
  );
}

function readAdditionalProperties(node: SchemaNode, value: JsonValue, reader: SchemaReader): void {
  node.additionalProperties = typeof value === "boolean" ? value : reader.part(value, "additionalProperties");
}

/** Up to 2019-09 a list holds the schemas of the first items, and `additionalItems` that of the others. */
function readItems(node: SchemaNode, value: JsonValue, reader: SchemaReader): void {
  if (node.draft === 2020 || !isJsonList(value)) {
    node.otherItems = reader.part(value, "items");
    return;
  }
  node.firstItems = value.map((schema, index) => reader.part(schema, "items", String(index)));
  const others = memberOf(reader.schema, "additionalItems");
  if (others === undefined) return;
  node.otherItems = typeof others === "boolean" ? others : reader.part(others, "additionalItems");
}

function readDependencies(node: SchemaNode, value: JsonValue, reader: SchemaReader): void {
  if (!isJsonObject(value)) return;
  node.dependencies = new Map(
    Object.entries(value).map(([name, part]) => [
      name,
      textsOf(part) ?? reader.part(part, "dependencies", name),
    ]),
  );
}

function readDependentRequired(node: SchemaNode, value: JsonValue): void {
  if (!isJsonObject(value)) return;
  node.dependentRequired = new Map(Object.entries(value).map(([name, part]) => [name, textsOf(part) ?? []]));
}

const typeOrder: readonly JsonType[] = ["null", "boolean", "number", "integer", "string", "array", "object"];

function readTypes(node: SchemaNode, value: JsonValue): void {
  const types = typeOrder.filter((type) => (isJsonList(value) ? value.includes(type) : value === type));
  if (types.length > 0) node.types = types;
}

function readEnumeration(node: SchemaNode, value: JsonValue, { literals }: SchemaReader): void {
  if (!isJsonList(value)) return;
  const sources = literals.get(value);
  node.enumeration = describeAllowed(
    value,
    value.map((_item, index) => sources?.get(String(index))),
  );
}

function readConstant(node: SchemaNode, value: JsonValue, { schema, literals }: SchemaReader): void {
  node.constant = describeAllowed([value], [literals.get(schema)?.get("const")]);
}

function readFormat(node: SchemaNode, name: string, reader: SchemaReader): void {
  if (reader.checksFormat) node.format = findFormat(name);
}

function textsOf(value: JsonValue): readonly string[] | undefined {
  return isJsonList(value) ? value.filter((item) => typeof item === "string") : undefined;
}

function onText(read: (node: SchemaNode, text: string, reader: SchemaReader) => void): Read {
  return (node, value, reader) => {
    if (typeof value === "string") read(node, value, reader);
  };
}

function onNumber(read: (node: SchemaNode, value: number) => void): Read {
  return (node, value) => {
    if (typeof value === "number") read(node, value);
  };
}

function onInteger(read: (node: SchemaNode, value: number) => void): Read {
  return (node, value) => {
    if (typeof value === "number" && Number.isInteger(value)) read(node, value);
  };
}

function onOne(keyword: string, read: (node: SchemaNode, schema: SchemaNode) => void): Read {
  return (node, value, reader) => read(node, reader.part(value, keyword));
}

function onList(keyword: string, read: (node: SchemaNode, schemas: readonly SchemaNode[]) => void): Read {
  return (node, value, reader) => {
    if (!isJsonList(value)) return;
    read(
      node,
      value.map((schema, index) => reader.part(schema, keyword, String(index))),
    );
  };
}

function onMap(
  keyword: string,
  read: (node: SchemaNode, schemas: ReadonlyMap<string, SchemaNode>) => void,
): Read {
  return (node, value, reader) => {
    if (!isJsonObject(value)) return;
    const schemas = Object.entries(value).map(
      ([name, schema]) => [name, reader.part(schema, keyword, name)] as const,
    );
    read(node, new Map(schemas));
  };
}
