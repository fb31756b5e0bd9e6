import type { DraftVersion } from "./draft.ts";
import { memberOf, type JsonObject } from "./json.ts";
import {
  onInteger,
  onList,
  onMap,
  onNumber,
  onOne,
  onText,
  readAdditionalProperties,
  readConstant,
  readDependencies,
  readDependentRequired,
  readDynamicReference,
  readEnumeration,
  readFormat,
  readItems,
  readPatternProperties,
  readTypes,
  textsOf,
  type ReadKeyword,
} from "./keyword-readers.ts";
import { NamedPattern, type SchemaNode } from "./schema-node.ts";

interface Keyword {
  readonly since: DraftVersion;
  readonly until: DraftVersion;
  readonly read: ReadKeyword;
}

function from(since: DraftVersion, read: ReadKeyword, until: DraftVersion = 2020): Keyword {
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
