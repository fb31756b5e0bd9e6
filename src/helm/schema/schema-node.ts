import type { GoRegexp } from "../go/regexp.ts";
import type { DraftVersion } from "./draft.ts";
import type { FormatCheck } from "./formats.ts";
import type { JsonType, JsonValue } from "./json.ts";

/** A pattern with what it says, for messages. */
export interface NamedPattern {
  readonly source: string;
  readonly regexp: GoRegexp;
}

/** Values that are allowed, with what they look like in messages. */
export interface AllowedValues {
  readonly values: readonly JsonValue[];
  /** Undefined where some are lists or objects. */
  readonly shown: readonly string[] | undefined;
}

/** A schema ready for use: what is undefined is not asked for. Filled in after it is made, as schemas may be cyclic. */
export class SchemaNode {
  /** The address with a pointer. */
  readonly location: string;
  readonly draft: DraftVersion;

  constructor(location: string, draft: DraftVersion) {
    this.location = location;
    this.draft = draft;
  }

  /** Of `true`, `false` and the empty schema. */
  always: boolean | undefined;
  /** The schema with an address that this one is a part of. */
  resource: SchemaNode | undefined;
  reference: SchemaNode | undefined;
  recursiveReference: SchemaNode | undefined;
  isRecursiveAnchor = false;
  dynamicReference: { readonly target: SchemaNode; readonly anchor: string } | undefined;
  dynamicAnchor: string | undefined;
  /** Of a schema with an address: its parts that `$dynamicRef` may mean. */
  dynamicAnchors: Map<string, SchemaNode> | undefined;

  types: readonly JsonType[] | undefined;
  constant: AllowedValues | undefined;
  enumeration: AllowedValues | undefined;
  format: FormatCheck | undefined;
  not: SchemaNode | undefined;
  allOf: readonly SchemaNode[] | undefined;
  anyOf: readonly SchemaNode[] | undefined;
  oneOf: readonly SchemaNode[] | undefined;
  condition: SchemaNode | undefined;
  consequence: SchemaNode | undefined;
  alternative: SchemaNode | undefined;

  minProperties: number | undefined;
  maxProperties: number | undefined;
  required: readonly string[] | undefined;
  properties: ReadonlyMap<string, SchemaNode> | undefined;
  patternProperties: readonly (readonly [NamedPattern, SchemaNode])[] | undefined;
  additionalProperties: boolean | SchemaNode | undefined;
  propertyNames: SchemaNode | undefined;
  dependencies: ReadonlyMap<string, readonly string[] | SchemaNode> | undefined;
  dependentSchemas: ReadonlyMap<string, SchemaNode> | undefined;
  dependentRequired: ReadonlyMap<string, readonly string[]> | undefined;
  unevaluatedProperties: SchemaNode | undefined;

  minItems: number | undefined;
  maxItems: number | undefined;
  uniqueItems = false;
  /** Schemas of the first items. */
  firstItems: readonly SchemaNode[] | undefined;
  /** Of the items after those. */
  otherItems: boolean | SchemaNode | undefined;
  contains: SchemaNode | undefined;
  minContains: number | undefined;
  maxContains: number | undefined;
  unevaluatedItems: SchemaNode | undefined;

  minLength: number | undefined;
  maxLength: number | undefined;
  pattern: NamedPattern | undefined;

  minimum: number | undefined;
  maximum: number | undefined;
  exclusiveMinimum: number | undefined;
  exclusiveMaximum: number | undefined;
  multipleOf: number | undefined;
}
