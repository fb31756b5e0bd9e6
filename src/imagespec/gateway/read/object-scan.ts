import { formatImageSpec } from "../../convert/image-string.ts";
import { storedSpecPrefix, viewImageSpec } from "../../convert/stored-spec.ts";
import { containerLists, type Workload } from "../../convert/workloads.ts";
import type { Insertions } from "./insertions.ts";
import { type JsonCursor, jsonKey, type JsonKey } from "./json-cursor.ts";

const annotationPrefix = jsonKey(storedSpecPrefix);
const annotations = jsonKey("annotations");
const image = jsonKey("image");
const imageSpec = jsonKey("imageSpec");
const metadata = jsonKey("metadata");
const nameKey = jsonKey("name");
const object = jsonKey("object");
const rows = jsonKey("rows");
const spec = jsonKey("spec");
const lists = containerLists.map(jsonKey);

/** A container that has an image, by offsets. */
interface FoundContainer {
  readonly list: JsonKey;
  readonly imageStart: number;
  readonly imageEnd: number;
  readonly nameStart: number;
  readonly nameEnd: number;
}

/**
 * Finds in JSON where containers have an image, and puts the `imageSpec` behind it. Where the cursor fails, what it put
 * in since it began is not to be used: the part that was not read might change what containers show.
 */
export class ObjectScan {
  readonly #cursor: JsonCursor;
  readonly #path: readonly JsonKey[];
  /** Of the object at hand. Of a key that is there twice the later one counts, as in Go. */
  #containers: FoundContainer[] = [];
  readonly #stored = new Map<string, string | undefined>();

  constructor(cursor: JsonCursor, { templatePath }: Workload) {
    this.#cursor = cursor;
    this.#path = templatePath.map(jsonKey);
  }

  /** Scans an object, or a Table of objects, at the cursor. */
  scanObject(insertions: Insertions): void {
    this.#scanObject(insertions, true);
  }

  /** Scans an event of a watch. */
  scanEvent(insertions: Insertions): void {
    this.#scanHolder(insertions, true);
  }

  /** Scans a row of a Table. */
  scanRow(insertions: Insertions): void {
    this.#scanHolder(insertions, false);
  }

  #scanHolder(insertions: Insertions, mayBeTable: boolean): void {
    const cursor = this.#cursor;
    if (!cursor.opensObject()) return;
    while (cursor.nextKey()) {
      if (cursor.isKey(object)) this.#scanObject(insertions, mayBeTable);
      else cursor.skip();
    }
  }

  #scanObject(insertions: Insertions, mayBeTable: boolean): void {
    this.#forget();
    this.#scanTemplate(0, insertions, mayBeTable);
    this.#insert(insertions);
  }

  #forget(): void {
    this.#containers.length = 0;
    this.#stored.clear();
  }

  #scanTemplate(depth: number, insertions: Insertions, mayBeTable: boolean): void {
    const cursor = this.#cursor;
    const next = this.#path[depth];
    if (!cursor.opensObject()) return;
    while (cursor.nextKey()) {
      if (next !== undefined && cursor.isKey(next)) {
        this.#forget();
        this.#scanTemplate(depth + 1, insertions, false);
      } else if (next === undefined && cursor.isKey(metadata)) {
        this.#scanMetadata();
      } else if (next === undefined && cursor.isKey(spec)) {
        this.#scanSpec();
      } else if (mayBeTable && cursor.isKey(rows)) {
        this.#scanRows(insertions);
      } else {
        cursor.skip();
      }
    }
  }

  #scanRows(insertions: Insertions): void {
    const cursor = this.#cursor;
    if (!cursor.opensArray()) return;
    while (cursor.nextItem()) this.scanRow(insertions);
    this.#forget();
  }

  #scanMetadata(): void {
    const cursor = this.#cursor;
    this.#stored.clear();
    if (!cursor.opensObject()) return;
    while (cursor.nextKey()) {
      if (cursor.isKey(annotations)) this.#scanAnnotations();
      else cursor.skip();
    }
  }

  #scanAnnotations(): void {
    const cursor = this.#cursor;
    this.#stored.clear();
    if (!cursor.opensObject()) return;
    while (cursor.nextKey()) {
      const container = cursor.keyBehind(annotationPrefix);
      const start = cursor.at;
      cursor.skip();
      if (container !== undefined) this.#stored.set(container, cursor.text(start, cursor.at));
    }
  }

  #scanSpec(): void {
    const cursor = this.#cursor;
    this.#containers.length = 0;
    if (!cursor.opensObject()) return;
    while (cursor.nextKey()) {
      const list = lists.find((key) => cursor.isKey(key));
      if (list === undefined) cursor.skip();
      else this.#scanList(list);
    }
  }

  #scanList(list: JsonKey): void {
    const cursor = this.#cursor;
    if (this.#containers.some((container) => container.list === list)) {
      this.#containers = this.#containers.filter((container) => container.list !== list);
    }
    if (!cursor.opensArray()) return;
    while (cursor.nextItem()) this.#scanContainer(list);
  }

  #scanContainer(list: JsonKey): void {
    const cursor = this.#cursor;
    let imageStart = -1;
    let imageEnd = -1;
    let nameStart = -1;
    let nameEnd = -1;
    let hasImageSpec = false;
    if (!cursor.opensObject()) return;
    while (cursor.nextKey()) {
      const start = cursor.at;
      if (cursor.isKey(image)) {
        cursor.skip();
        imageStart = start;
        imageEnd = cursor.at;
      } else if (cursor.isKey(nameKey)) {
        cursor.skip();
        nameStart = start;
        nameEnd = cursor.at;
      } else {
        hasImageSpec ||= cursor.isKey(imageSpec);
        cursor.skip();
      }
    }
    if (imageStart === -1 || hasImageSpec) return;
    this.#containers.push({ list, imageStart, imageEnd, nameStart, nameEnd });
  }

  #insert(insertions: Insertions): void {
    const cursor = this.#cursor;
    for (const { imageStart, imageEnd, nameStart, nameEnd } of this.#containers.sort(byOffset)) {
      const name = this.#stored.size === 0 ? undefined : cursor.text(nameStart, nameEnd);
      const stored = name === undefined ? undefined : this.#stored.get(name);
      const text = viewText(cursor, imageStart, imageEnd, stored);
      if (text.length > 0) insertions.add(imageEnd, text);
    }
  }
}

function byOffset(left: FoundContainer, right: FoundContainer): number {
  return left.imageStart - right.imageStart;
}

const nothing: Buffer = Buffer.alloc(0);
/** What follows an image without a stored spec, by the image as it is written. */
const derived = new Map<string, Buffer>();
const maxDerived = 2_000;
const maxDerivedBytes = 512;

function viewText(cursor: JsonCursor, start: number, end: number, stored: string | undefined): Buffer {
  if (stored !== undefined || end - start > maxDerivedBytes) return makeText(cursor, start, end, stored);
  const written = cursor.bytes.toString("latin1", start, end);
  const known = derived.get(written);
  if (known !== undefined) return known;
  const text = makeText(cursor, start, end, undefined);
  if (derived.size >= maxDerived) derived.clear();
  derived.set(written, text);
  return text;
}

function makeText(cursor: JsonCursor, start: number, end: number, stored: string | undefined): Buffer {
  const written = cursor.text(start, end);
  const spec = written === undefined ? undefined : viewImageSpec(written, stored);
  return spec === undefined ? nothing : Buffer.from(`,"imageSpec":${formatImageSpec(spec)}`);
}
