import { compileRegexp } from "../go/regexp.ts";
import { toBytes } from "../go/utf8.ts";
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
import { findMetaschema } from "./metaschemas/metaschemas.ts";
import { appendStep, locationOf, tryLookUp, type Pointer } from "./pointer.ts";
import { cannotLoad, resolveAddress, SchemaDocument } from "./schema-document.ts";
import { SchemaError } from "./schema-error.ts";
import { SchemaNode, type AllowedValues, type NamedPattern } from "./schema-node.ts";

interface CompilerOptions {
  /** Whether `format` is checked whatever the draft; else only up to draft 7. */
  readonly assertFormat?: boolean;
  /** Called for each schema of a document before it is used. @throws SchemaError */
  readonly check?: (value: JsonValue, metaschema: string, location: string) => void;
}

interface Place {
  readonly document: SchemaDocument;
  readonly pointer: Pointer;
  readonly node: SchemaNode;
}

const typeOrder: readonly JsonType[] = ["null", "boolean", "number", "integer", "string", "array", "object"];

/** Makes schemas ready for use, with everything that they refer to. */
export class SchemaCompiler {
  readonly #options: CompilerOptions;
  readonly #documents = new Map<string, SchemaDocument>();
  readonly #given = new Map<string, JsonValue>();
  readonly #nodes = new Map<string, SchemaNode>();
  readonly #queue: Place[] = [];
  #literals: JsonDocument["literals"] = new WeakMap();

  constructor(options: CompilerOptions = {}) {
    this.#options = options;
  }

  /** Makes a document known by an address. */
  add(address: string, { value, literals }: JsonDocument): void {
    this.#given.set(address, value);
    this.#literals = literals;
  }

  /**
   * The schema at an address.
   * @throws SchemaError where it, or what it refers to, cannot be used
   */
  compile(address: string): SchemaNode {
    const root = this.#enqueue(this.#load(address), "");
    for (let place = this.#queue.shift(); place !== undefined; place = this.#queue.shift()) this.#fill(place);
    return root;
  }

  #load(address: string): SchemaDocument {
    const known = this.#documents.get(address);
    if (known !== undefined) return known;
    const metaschema = findMetaschema(address);
    // Helm has nobody who resolves a URN, and takes it for a schema that allows everything.
    const value = this.#given.get(address) ?? metaschema ?? (address.startsWith("urn:") ? true : undefined);
    if (value === undefined) throw cannotLoad(address);
    const document = new SchemaDocument(address, value);
    if (metaschema === undefined) this.#check(document, value, "");
    this.#documents.set(address, document);
    return document;
  }

  #check(document: SchemaDocument, value: JsonValue, pointer: Pointer): void {
    const { metaschema } = document.resourceAt(pointer).draft;
    this.#options.check?.(value, metaschema, locationOf(document.address, pointer));
  }

  #enqueue(document: SchemaDocument, pointer: Pointer): SchemaNode {
    const key = `${document.address}#${pointer}`;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const value = tryLookUp(document.value, pointer);
    if (value === undefined) {
      throw new SchemaError(
        `json-pointer in ${JSON.stringify(locationOf(document.address, pointer))} not found`,
      );
    }
    if (!document.isCollected(pointer)) {
      document.collectAt(pointer, value);
      this.#check(document, value, pointer);
    }
    const node = new SchemaNode(
      locationOf(document.address, pointer),
      document.resourceAt(pointer).draft.version,
    );
    this.#nodes.set(key, node);
    this.#queue.push({ document, pointer, node });
    return node;
  }

  #fill(place: Place): void {
    const { document, pointer, node } = place;
    const resource = document.resourceAt(pointer);
    node.resource = this.#enqueue(document, resource.pointer);
    if (node.resource === node && node.draft === 2020) {
      for (const name of resource.dynamicAnchors) {
        const anchor = this.#enqueue(document, resource.anchors.get(name) ?? pointer);
        (node.dynamicAnchors ??= new Map()).set(name, anchor);
      }
    }
    const value = tryLookUp(document.value, pointer) ?? null;
    if (typeof value === "boolean") node.always = value;
    else if (isJsonObject(value)) {
      if (Object.keys(value).length === 0) node.always = true;
      else this.#fillFromObject(place, value);
    }
  }

  #fillFromObject(place: Place, schema: JsonObject): void {
    const { node } = place;
    const reader = new KeywordReader(schema, this.#literals);
    node.reference = this.#reference(place, reader.text("$ref"));
    // Up to draft 7 nothing beside a $ref counts.
    if (node.draft < 2019 && node.reference !== undefined) return;
    this.#fillReferences(place, reader);
    this.#fillApplicators(place, schema);
    fillAssertions(node, reader);
    if (this.#options.assertFormat === true || node.draft < 2019) {
      node.format = findFormat(reader.text("format"));
    }
  }

  #fillReferences(place: Place, reader: KeywordReader): void {
    const { node } = place;
    if (node.draft >= 2019) {
      node.recursiveReference = this.#reference(place, reader.text("$recursiveRef"));
      node.isRecursiveAnchor = reader.boolean("$recursiveAnchor");
    }
    if (node.draft < 2020) return;
    const reference = reader.text("$dynamicRef");
    const target = this.#reference(place, reference);
    const fragment = reference?.split("#", 2)[1] ?? "";
    const anchor = fragment.startsWith("/") ? "" : decodeFragment(fragment);
    if (target !== undefined) node.dynamicReference = { target, anchor };
    node.dynamicAnchor = reader.text("$dynamicAnchor");
  }

  #fillApplicators(place: Place, schema: JsonObject): void {
    const { node } = place;
    const one = (keyword: string): SchemaNode | undefined => this.#one(place, schema, keyword);
    const list = (keyword: string): SchemaNode[] | undefined => this.#list(place, schema, keyword);
    const map = (keyword: string): Map<string, SchemaNode> | undefined => this.#map(place, schema, keyword);
    node.allOf = list("allOf");
    node.anyOf = list("anyOf");
    node.oneOf = list("oneOf");
    node.not = one("not");
    node.properties = map("properties");
    node.patternProperties = [...(map("patternProperties") ?? [])].map(
      ([pattern, part]) => [compilePattern(pattern, `${node.location}/patternProperties`), part] as const,
    );
    node.additionalProperties = this.#additional(place, schema, "additionalProperties");
    node.dependencies = this.#dependencies(place, schema);
    if (node.draft >= 2020) {
      node.firstItems = list("prefixItems");
      node.otherItems = one("items");
    } else if (isJsonList(memberOf(schema, "items"))) {
      node.firstItems = list("items");
      node.otherItems = this.#additional(place, schema, "additionalItems");
    } else node.otherItems = one("items");
    if (node.draft >= 6) {
      node.contains = one("contains");
      node.propertyNames = one("propertyNames");
    }
    if (node.draft >= 7) {
      node.condition = one("if");
      node.consequence = node.condition === undefined ? undefined : one("then");
      node.alternative = node.condition === undefined ? undefined : one("else");
    }
    if (node.draft >= 2019) {
      node.dependentSchemas = map("dependentSchemas");
      node.unevaluatedItems = one("unevaluatedItems");
      node.unevaluatedProperties = one("unevaluatedProperties");
    }
  }

  #reference({ document, pointer }: Place, reference: string | undefined): SchemaNode | undefined {
    if (reference === undefined) return undefined;
    const address = resolveAddress(document.resourceAt(pointer).address, reference);
    const fragment = decodeFragment(reference.split("#", 2)[1] ?? "");
    const local = document.findResource(address);
    const target = local === undefined ? this.#load(address) : document;
    const resource = local ?? target.resourceAt("");
    if (fragment === "" || fragment.startsWith("/")) {
      return this.#enqueue(target, resource.pointer + fragment);
    }
    const anchor = resource.anchors.get(fragment);
    if (anchor === undefined) {
      const named = JSON.stringify(`${resource.address}#${fragment}`);
      throw new SchemaError(`anchor in ${named} not found in schema ${JSON.stringify(target.address)}`);
    }
    return this.#enqueue(target, anchor);
  }

  #one({ document, pointer }: Place, schema: JsonObject, keyword: string): SchemaNode | undefined {
    if (!Object.hasOwn(schema, keyword)) return undefined;
    return this.#enqueue(document, appendStep(pointer, keyword));
  }

  #list({ document, pointer }: Place, schema: JsonObject, keyword: string): SchemaNode[] | undefined {
    const parts = memberOf(schema, keyword);
    if (!isJsonList(parts)) return undefined;
    return parts.map((_part, index) => this.#enqueue(document, appendStep(pointer, keyword, String(index))));
  }

  #map(
    { document, pointer }: Place,
    schema: JsonObject,
    keyword: string,
  ): Map<string, SchemaNode> | undefined {
    const parts = memberOf(schema, keyword);
    if (!isJsonObject(parts)) return undefined;
    const node = (name: string): SchemaNode => this.#enqueue(document, appendStep(pointer, keyword, name));
    return new Map(Object.keys(parts).map((name) => [name, node(name)]));
  }

  #additional(place: Place, schema: JsonObject, keyword: string): boolean | SchemaNode | undefined {
    const value = memberOf(schema, keyword);
    return typeof value === "boolean" ? value : this.#one(place, schema, keyword);
  }

  #dependencies(place: Place, schema: JsonObject): SchemaNode["dependencies"] {
    const parts = memberOf(schema, "dependencies");
    if (!isJsonObject(parts)) return undefined;
    const { document, pointer } = place;
    return new Map(
      Object.entries(parts).map(([name, part]) => [
        name,
        isJsonList(part)
          ? part.filter((item) => typeof item === "string")
          : this.#enqueue(document, appendStep(pointer, "dependencies", name)),
      ]),
    );
  }
}

/** The keywords that say something of the value itself. */
function fillAssertions(node: SchemaNode, reader: KeywordReader): void {
  node.types = reader.types();
  node.enumeration = reader.allowed("enum");
  node.constant = node.draft >= 6 ? reader.allowed("const") : undefined;
  node.minProperties = reader.integer("minProperties");
  node.maxProperties = reader.integer("maxProperties");
  node.required = reader.texts("required");
  node.minItems = reader.integer("minItems");
  node.maxItems = reader.integer("maxItems");
  node.uniqueItems = reader.boolean("uniqueItems");
  node.minLength = reader.integer("minLength");
  node.maxLength = reader.integer("maxLength");
  const pattern = reader.text("pattern");
  if (pattern !== undefined) node.pattern = compilePattern(pattern, `${node.location}/pattern`);
  node.multipleOf = reader.number("multipleOf");
  // In draft 4, and for all other drafts that far, a boolean makes the limit itself exclusive.
  const [minimum, maximum] = [reader.number("minimum"), reader.number("maximum")];
  const isAbove = reader.boolean("exclusiveMinimum");
  const isBelow = reader.boolean("exclusiveMaximum");
  node.minimum = isAbove ? undefined : minimum;
  node.maximum = isBelow ? undefined : maximum;
  node.exclusiveMinimum = isAbove ? minimum : reader.number("exclusiveMinimum");
  node.exclusiveMaximum = isBelow ? maximum : reader.number("exclusiveMaximum");
  if (node.draft < 2019) return;
  if (node.contains !== undefined) {
    node.minContains = reader.integer("minContains");
    node.maxContains = reader.integer("maxContains");
  }
  node.dependentRequired = reader.textLists("dependentRequired");
}

/** Reads keywords that hold the expected type; others count as absent. */
class KeywordReader {
  readonly #schema: JsonObject;
  readonly #literals: JsonDocument["literals"];

  constructor(schema: JsonObject, literals: JsonDocument["literals"]) {
    this.#schema = schema;
    this.#literals = literals;
  }

  text(keyword: string): string | undefined {
    const value = memberOf(this.#schema, keyword);
    return typeof value === "string" ? value : undefined;
  }

  boolean(keyword: string): boolean {
    return memberOf(this.#schema, keyword) === true;
  }

  number(keyword: string): number | undefined {
    const value = memberOf(this.#schema, keyword);
    return typeof value === "number" ? value : undefined;
  }

  integer(keyword: string): number | undefined {
    const value = this.number(keyword);
    return Number.isInteger(value) ? value : undefined;
  }

  texts(keyword: string): readonly string[] | undefined {
    const value = memberOf(this.#schema, keyword);
    return isJsonList(value) ? value.filter((item) => typeof item === "string") : undefined;
  }

  textLists(keyword: string): ReadonlyMap<string, readonly string[]> | undefined {
    const value = memberOf(this.#schema, keyword);
    if (!isJsonObject(value)) return undefined;
    const reader = new KeywordReader(value, this.#literals);
    return new Map(Object.keys(value).map((name) => [name, reader.texts(name) ?? []]));
  }

  types(): readonly JsonType[] | undefined {
    const value = memberOf(this.#schema, "type");
    const named = new Set(isJsonList(value) ? value : [value]);
    const types = typeOrder.filter((type) => named.has(type));
    return types.length === 0 ? undefined : types;
  }

  allowed(keyword: "enum" | "const"): AllowedValues | undefined {
    const value = memberOf(this.#schema, keyword);
    if (value === undefined) return undefined;
    if (keyword === "const") {
      return describeAllowed([value], [this.#literals.get(this.#schema)?.get(keyword)]);
    }
    if (!isJsonList(value)) return undefined;
    const literals = this.#literals.get(value);
    return describeAllowed(
      value,
      value.map((_item, index) => literals?.get(String(index))),
    );
  }
}

function compilePattern(source: string, location: string): NamedPattern {
  try {
    return { source, regexp: compileRegexp(toBytes(source)) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new SchemaError(
      `invalid regex ${JSON.stringify(source)} at ${JSON.stringify(location)}: ${problem}`,
    );
  }
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    throw new SchemaError(`error in parsing ${JSON.stringify(`#${fragment}`)}`);
  }
}
