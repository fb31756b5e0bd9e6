import { isJsonObject, memberOf, type JsonDocument, type JsonObject, type JsonValue } from "./json.ts";
import { fragmentOf, type SchemaReader } from "./keyword-readers.ts";
import { keywords, settle } from "./keywords.ts";
import { findMetaschema } from "./metaschemas/metaschemas.ts";
import { appendStep, locationOf, tryLookUp, type Pointer } from "./pointer.ts";
import { cannotLoad, resolveAddress, SchemaDocument } from "./schema-document.ts";
import { SchemaError } from "./schema-error.ts";
import { SchemaNode } from "./schema-node.ts";

interface CompilerOptions {
  /** Whether `format` is checked whatever the draft; else only up to draft 7. */
  readonly assertFormat?: boolean;
  /** Called for each schema of a document before it is used. @throws SchemaError */
  readonly check?: (value: JsonValue, metaschema: string, location: string) => void;
}

interface Place {
  readonly document: SchemaDocument;
  readonly pointer: Pointer;
  readonly value: JsonValue;
  readonly node: SchemaNode;
}

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
    const root = this.#find(this.#load(address), "");
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

  /** The schema that a pointer leads to. */
  #find(document: SchemaDocument, pointer: Pointer): SchemaNode {
    const known = this.#nodes.get(`${document.address}#${pointer}`);
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
    return this.#enqueue(document, pointer, value);
  }

  #enqueue(document: SchemaDocument, pointer: Pointer, value: JsonValue): SchemaNode {
    const key = `${document.address}#${pointer}`;
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const node = new SchemaNode(document.address, pointer, document.resourceAt(pointer).draft.version);
    this.#nodes.set(key, node);
    this.#queue.push({ document, pointer, value, node });
    return node;
  }

  #fill(place: Place): void {
    const { document, pointer, value, node } = place;
    const resource = document.resourceAt(pointer);
    node.resource = this.#find(document, resource.pointer);
    if (node.resource === node && node.draft === 2020) {
      for (const name of resource.dynamicAnchors) {
        const anchor = this.#find(document, resource.anchors.get(name) ?? pointer);
        (node.dynamicAnchors ??= new Map()).set(name, anchor);
      }
    }
    if (typeof value === "boolean") node.always = value;
    else if (isJsonObject(value)) {
      if (Object.keys(value).length === 0) node.always = true;
      else this.#fillFromObject(place, value);
    }
  }

  #fillFromObject(place: Place, schema: JsonObject): void {
    const { node } = place;
    const reference = memberOf(schema, "$ref");
    if (typeof reference === "string") {
      node.reference = this.#resolve(place, reference);
      // Up to draft 7 nothing beside a $ref counts.
      if (node.draft < 2019) return;
    }
    const reader = this.#readerOf(place, schema);
    for (const [name, value] of Object.entries(schema)) {
      const keyword = keywords.get(name);
      if (keyword !== undefined && node.draft >= keyword.since && node.draft <= keyword.until) {
        keyword.read(node, value, reader);
      }
    }
    settle(node, schema);
  }

  #readerOf(place: Place, schema: JsonObject): SchemaReader {
    const { document, pointer, node } = place;
    return {
      schema,
      literals: this.#literals,
      checksFormat: this.#options.assertFormat === true || node.draft < 2019,
      part: (value, ...steps) => this.#enqueue(document, appendStep(pointer, ...steps), value),
      refer: (reference) => this.#resolve(place, reference),
    };
  }

  #resolve({ document, pointer }: Place, reference: string): SchemaNode {
    const address = resolveAddress(document.resourceAt(pointer).address, reference);
    const fragment = fragmentOf(reference);
    const local = document.findResource(address);
    const target = local === undefined ? this.#load(address) : document;
    const resource = local ?? target.resourceAt("");
    if (fragment === "" || fragment.startsWith("/")) {
      return this.#find(target, resource.pointer + fragment);
    }
    const anchor = resource.anchors.get(fragment);
    if (anchor === undefined) {
      const named = JSON.stringify(`${resource.address}#${fragment}`);
      throw new SchemaError(`anchor in ${named} not found in schema ${JSON.stringify(target.address)}`);
    }
    return this.#find(target, anchor);
  }
}
