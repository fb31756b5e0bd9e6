import { findDraft, latestDraft, type Draft } from "./draft.ts";
import { isJsonList, isJsonObject, memberOf, type JsonObject, type JsonValue } from "./json.ts";
import { appendStep, type Pointer } from "./pointer.ts";
import { SchemaError } from "./schema-error.ts";

/** A schema with an address of its own: a document, or a part of one with an `$id`. */
interface SchemaResource {
  readonly pointer: Pointer;
  readonly address: string;
  readonly draft: Draft;
  /** Names of parts, for references such as `#name`. */
  readonly anchors: Map<string, Pointer>;
  readonly dynamicAnchors: Set<string>;
}

/** A JSON document of schemas, with the addresses and names of its parts. */
export class SchemaDocument {
  readonly address: string;
  readonly value: JsonValue;
  readonly #resources = new Map<Pointer, SchemaResource>();
  readonly #collected = new Set<Pointer>();

  /** @throws SchemaError for a draft that is not known, and for names that stand twice */
  constructor(address: string, value: JsonValue) {
    this.address = address;
    this.value = value;
    this.#collect(value, address, "", latestDraft);
  }

  /** The schema with an address that a part belongs to. */
  resourceAt(pointer: Pointer): SchemaResource {
    for (let current = pointer; ; current = current.slice(0, current.lastIndexOf("/"))) {
      const resource = this.#resources.get(current);
      if (resource !== undefined) return resource;
      if (current === "") throw new SchemaError(`no schema at ${this.address}`);
    }
  }

  findResource(address: string): SchemaResource | undefined {
    if (address === this.address) return this.resourceAt("");
    return [...this.#resources.values()].find((resource) => resource.address === address);
  }

  isCollected(pointer: Pointer): boolean {
    return this.#collected.has(pointer);
  }

  /** Takes a part for a schema that stands where no keyword has one. */
  collectAt(pointer: Pointer, value: JsonValue): void {
    const { address, draft } = this.resourceAt(pointer);
    this.#collect(value, address, pointer, draft);
  }

  #collect(value: JsonValue, base: string, pointer: Pointer, fallback: Draft): void {
    if (this.#collected.has(pointer)) return;
    this.#collected.add(pointer);
    if (!isJsonObject(value)) {
      if (pointer === "") this.#addResource(pointer, base, fallback);
      return;
    }
    const { draft, id } = this.#identify(value, pointer, fallback);
    let address = base;
    if (id !== "") address = resolveAddress(base, id);
    if (id !== "" || pointer === "") this.#addResource(pointer, address, draft);
    const resource = this.#byAddress(address);
    if (resource !== undefined) this.#collectAnchors(value, pointer, resource);
    for (const [part, schema] of subschemasOf(value, pointer, draft)) {
      this.#collect(schema, address, part, resource?.draft ?? draft);
    }
  }

  /** `$schema` counts at the root, and beside an `$id`. */
  #identify(value: JsonObject, pointer: Pointer, fallback: Draft): { draft: Draft; id: string } {
    const named = textOf(value, "$schema");
    const draft = named === undefined ? fallback : findDraft(named);
    const id = draft === undefined ? "" : idOf(value, draft);
    if (id === "" && pointer !== "") return { draft: fallback, id: idOf(value, fallback) };
    if (draft === undefined) throw cannotLoad((named ?? "").split("#", 1)[0] ?? "");
    return { draft, id };
  }

  #addResource(pointer: Pointer, address: string, draft: Draft): void {
    const known = this.#byAddress(address);
    if (known !== undefined && known.pointer !== pointer) {
      const quoted = [address, this.address].map((text) => JSON.stringify(text)).join(" in ");
      throw new SchemaError(
        `duplicate id ${quoted} at ${JSON.stringify(pointer)} and ${JSON.stringify(known.pointer)}`,
      );
    }
    this.#resources.set(pointer, { pointer, address, draft, anchors: new Map(), dynamicAnchors: new Set() });
  }

  #byAddress(address: string): SchemaResource | undefined {
    return [...this.#resources.values()].find((resource) => resource.address === address);
  }

  #collectAnchors(value: JsonObject, pointer: Pointer, resource: SchemaResource): void {
    const { version, idKeyword } = resource.draft;
    if (version < 2019) {
      if (Object.hasOwn(value, "$ref")) return;
      const fragment = (textOf(value, idKeyword) ?? "").split("#", 2)[1] ?? "";
      if (fragment !== "" && !fragment.startsWith("/")) this.#addAnchor(fragment, pointer, resource);
      return;
    }
    const anchor = textOf(value, "$anchor");
    if (anchor !== undefined) this.#addAnchor(anchor, pointer, resource);
    const dynamic = version === 2020 ? textOf(value, "$dynamicAnchor") : undefined;
    if (dynamic === undefined) return;
    this.#addAnchor(dynamic, pointer, resource);
    resource.dynamicAnchors.add(dynamic);
  }

  #addAnchor(anchor: string, pointer: Pointer, resource: SchemaResource): void {
    const known = resource.anchors.get(anchor);
    if (known !== undefined && known !== pointer) {
      const quoted = [anchor, this.address].map((text) => JSON.stringify(text)).join(" in ");
      throw new SchemaError(
        `duplicate anchor ${quoted} at ${JSON.stringify(known)} and ${JSON.stringify(pointer)}`,
      );
    }
    resource.anchors.set(anchor, pointer);
  }
}

/** The error for a schema that is not at hand: nothing is fetched. */
export function cannotLoad(address: string): SchemaError {
  return new SchemaError(
    `failing loading ${JSON.stringify(address)}: schemas outside the chart are not fetched`,
    "put the schema into values.schema.json, or leave the check out with --skip-schema-validation",
  );
}

/** The address that a reference means, without its fragment. @throws SchemaError */
export function resolveAddress(base: string, reference: string): string {
  const [path = ""] = reference.split("#", 1);
  if (path === "") return base;
  const absolute = URL.canParse(path) ? path : undefined;
  const resolved = absolute ?? (URL.canParse(path, base) ? new URL(path, base).href : undefined);
  if (resolved === undefined) throw new SchemaError(`error in parsing ${JSON.stringify(reference)}`);
  return resolved;
}

function idOf(value: JsonObject, draft: Draft): string {
  if (draft.version < 2019 && Object.hasOwn(value, "$ref")) return "";
  return (textOf(value, draft.idKeyword) ?? "").split("#", 1)[0] ?? "";
}

function* subschemasOf(
  value: JsonObject,
  pointer: Pointer,
  draft: Draft,
): Generator<readonly [Pointer, JsonValue]> {
  for (const [keyword, held] of Object.entries(value)) {
    const holding = draft.holding.get(keyword);
    if (holding === undefined) continue;
    const place = appendStep(pointer, keyword);
    if (isJsonList(held)) {
      if (!holding.includes("list")) continue;
      for (const [index, schema] of held.entries()) yield [`${place}/${index}`, schema];
    } else if (holding.includes("one")) yield [place, held];
    else if (isJsonObject(held) && holding.includes("map")) {
      for (const [name, schema] of Object.entries(held)) yield [appendStep(place, name), schema];
    }
  }
}

function textOf(value: JsonObject, key: string): string | undefined {
  const member = memberOf(value, key);
  return typeof member === "string" ? member : undefined;
}
