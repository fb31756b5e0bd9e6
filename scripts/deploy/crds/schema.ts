/** A structural schema, as far as these kinds need it: OpenAPI v3 with Kubernetes' extensions. */
export interface Schema {
  readonly description?: string;
  readonly type?: "object" | "array" | "string" | "integer" | "boolean";
  readonly format?: "date-time" | "int64";
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly default?: unknown;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly required?: readonly string[];
  readonly "x-kubernetes-list-type"?: "atomic" | "map" | "set";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: "atomic";
  readonly "x-kubernetes-preserve-unknown-fields"?: true;
  readonly "x-kubernetes-validations"?: readonly CelRule[];
}

/** A rule in CEL over `self`, with what the API server says where it does not hold. */
export interface CelRule {
  readonly message: string;
  readonly rule: string;
}

type Rule = Omit<Schema, "type" | "description" | "items" | "properties">;

export function text(description: string, rule: Rule = {}): Schema {
  return { description, type: "string", ...rule };
}

export function flag(description: string): Schema {
  return { description, type: "boolean" };
}

export function integer(description: string, rule: Rule = {}): Schema {
  return { description, type: "integer", ...rule };
}

export function time(description: string): Schema {
  return text(description, { format: "date-time" });
}

/** A duration of Go; hours are not taken everywhere. */
export function duration(
  description: string,
  { withHours = true, ...rule }: Rule & { readonly withHours?: boolean } = {},
): Schema {
  const units = withHours ? "ms|s|m|h" : "ms|s|m";
  return text(description, { pattern: String.raw`^([0-9]+(\.[0-9]+)?(${units}))+$`, ...rule });
}

export function list(description: string, items: Schema, rule: Rule = {}): Schema {
  return { description, type: "array", items, ...rule };
}

export function texts(description: string, rule: Rule = {}): Schema {
  return list(description, { type: "string" }, rule);
}

export function map(description: string, values: Schema, rule: Rule = {}): Schema {
  return { description, type: "object", additionalProperties: values, ...rule };
}

export function textMap(description: string): Schema {
  return map(description, { type: "string" });
}

export function object(
  description: string,
  properties: Readonly<Record<string, Schema>>,
  rule: Rule = {},
): Schema {
  return { description, type: "object", properties, ...rule };
}

/** A reference to an object of a known kind in the same namespace. */
export function localReference(description: string): Schema {
  return object(description, { name: text("Name of the referent.") }, { required: ["name"] });
}
