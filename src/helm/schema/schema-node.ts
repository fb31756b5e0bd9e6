import { compileRegexp, type RegexpBudget } from "../go/regexp.ts";
import { toBytes } from "../go/utf8.ts";
import type { DraftVersion } from "./draft.ts";
import type { FormatCheck } from "./formats.ts";
import type { JsonType, JsonValue } from "./json.ts";
import { locationOf, type Pointer } from "./pointer.ts";

/** A pattern, which is compiled when it is first used: the metaschemas' are seldom used. */
export class NamedPattern {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /**
   * Whether it matches anywhere in the text. A metaschema has made sure that it is well-formed.
   * @throws FairleadError `limit-exceeded`
   */
  matches(text: string, budget: RegexpBudget): boolean {
    return compileRegexp(toBytes(this.source), budget).matches(toBytes(text), budget);
  }
}

/** Values that are allowed, with what they look like in messages. */
export interface AllowedValues {
  readonly values: readonly JsonValue[];
  /** Undefined where some are lists or objects. */
  readonly shown: readonly string[] | undefined;
}

/** A schema ready for use: what is undefined is not asked for. Filled in after it is made, as schemas may be cyclic. */
export class SchemaNode {
  readonly address: string;
  readonly pointer: Pointer;
  readonly draft: DraftVersion;

  constructor(address: string, pointer: Pointer, draft: DraftVersion) {
    this.address = address;
    this.pointer = pointer;
    this.draft = draft;
  }

  /** The address with a pointer, for messages. */
  get location(): string {
    return locationOf(this.address, this.pointer);
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
