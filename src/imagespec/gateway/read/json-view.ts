import type { Workload } from "../../convert/workloads.ts";
import { Insertions } from "./insertions.ts";
import { JsonCursor, jsonKey } from "./json-cursor.ts";
import { ObjectScan } from "./object-scan.ts";
import { ValueEnd } from "./value-end.ts";

const items = jsonKey("items");
const rows = jsonKey("rows");

/** What a JSON answer is: objects, each of which may be a Table; events of a watch; or a list, which may be a Table. */
export type JsonLayout = "objects" | "events" | "list";

/** Larger than anything that etcd takes by its defaults. */
const maxObjectBytes: number = 8 * 1024 * 1024;
/** Of a list's members beside its items. */
const maxKeyBytes = 4096;

const openingBrace = 0x7b;
const openingBracket = 0x5b;
const nothing: Buffer = Buffer.alloc(0);

/** Where in the text the next byte stands. `passing` is a value that is told as it comes. */
type Place = "start" | "members" | "items" | "rows" | "passing" | "unknown";

/**
 * Puts `imageSpec` beside `image` into a JSON answer that comes in pieces, and tells every object as soon as it is
 * whole. Everything else stays as it is; text that is malformed, or an object that is too large, comes out unchanged.
 */
export class JsonView {
  readonly #layout: JsonLayout;
  readonly #maxObjectBytes: number;
  readonly #cursor = new JsonCursor();
  readonly #scan: ObjectScan;
  readonly #insertions = new Insertions();
  readonly #valueEnd = new ValueEnd();
  #place: Place;
  /** Where it goes on behind the value that is passed. */
  #placeBehind: Place = "unknown";
  /** What came and is not told yet. */
  #kept: Buffer[] = [];
  #keptBytes = 0;
  /** Whether an object has begun whose end is not among what is kept. */
  #isObjectOpen = false;
  #objectStart = 0;

  constructor(workload: Workload, layout: JsonLayout, limit: number = maxObjectBytes) {
    this.#layout = layout;
    this.#maxObjectBytes = limit;
    this.#scan = new ObjectScan(this.#cursor, workload);
    this.#place = layout === "list" ? "start" : "items";
  }

  /** Takes the next piece. @returns what can be told by now, which may share memory with the piece */
  push(piece: Buffer): Buffer {
    if (this.#isObjectOpen && this.#valueEnd.find(piece, 0) === -1) return this.#keepOpen(piece);
    this.#isObjectOpen = false;
    const bytes = this.#kept.length === 0 ? piece : Buffer.concat([...this.#kept, piece]);
    this.#kept = [];
    this.#keptBytes = 0;
    this.#cursor.reset(bytes, 0);
    const told = this.#advance(bytes);
    // A watch may rest for long, and would hold what it read last.
    this.#cursor.reset(nothing, 0);
    if (told < bytes.length) this.#keep(bytes.subarray(told));
    return this.#insertions.apply(bytes, 0, told);
  }

  /** @returns what was kept of a text that breaks off */
  end(): Buffer {
    const rest = Buffer.concat(this.#kept);
    this.#kept = [];
    return rest;
  }

  #keep(bytes: Buffer): void {
    this.#kept.push(bytes);
    this.#keptBytes += bytes.length;
  }

  #keepOpen(piece: Buffer): Buffer {
    this.#keep(piece);
    if (this.#keptBytes <= this.#maxObjectBytes) return nothing;
    this.#isObjectOpen = false;
    this.#placeBehind = this.#place;
    this.#place = "passing";
    const bytes = this.end();
    this.#keptBytes = 0;
    return bytes;
  }

  /** @returns the offset up to which everything is decided */
  #advance(bytes: Buffer): number {
    const cursor = this.#cursor;
    let told = 0;
    while (cursor.failure === undefined && this.#place !== "unknown") {
      told = cursor.at;
      if (this.#place === "start") this.#enterList();
      else if (this.#place === "members") this.#enterMember();
      else if (this.#place === "passing") this.#pass();
      else if (this.#nextObject()) this.#scanObject();
    }
    if (this.#isObjectOpen) return this.#objectStart;
    const isKey = this.#place === "members" && bytes.length - told <= maxKeyBytes;
    if (cursor.failure === "incomplete" && isKey) return told;
    if (cursor.failure === "malformed" || this.#place === "members") this.#place = "unknown";
    return bytes.length;
  }

  #enterList(): void {
    const cursor = this.#cursor;
    if (!cursor.nextText()) return;
    const isObject = cursor.bytes[cursor.at] === openingBrace;
    if (isObject) cursor.at += 1;
    this.#place = isObject ? "members" : "unknown";
  }

  #enterMember(): void {
    const cursor = this.#cursor;
    if (!cursor.nextKey()) {
      if (cursor.failure === undefined) this.#place = "unknown";
      return;
    }
    const list = cursor.isKey(items) ? "items" : cursor.isKey(rows) ? "rows" : undefined;
    if (list !== undefined && cursor.bytes[cursor.at] === openingBracket) {
      cursor.at += 1;
      this.#place = list;
    } else {
      this.#startPassing("members");
    }
  }

  #startPassing(placeBehind: Place): void {
    this.#valueEnd.reset();
    this.#placeBehind = placeBehind;
    this.#place = "passing";
  }

  #pass(): void {
    const cursor = this.#cursor;
    const end = this.#valueEnd.find(cursor.bytes, cursor.at);
    if (end !== -1) this.#place = this.#placeBehind;
    cursor.moveTo(end);
  }

  #nextObject(): boolean {
    const cursor = this.#cursor;
    if (this.#layout !== "list") return cursor.nextText();
    if (cursor.nextItem()) return true;
    if (cursor.failure === undefined) this.#place = "members";
    return false;
  }

  #scanObject(): void {
    const cursor = this.#cursor;
    const start = cursor.at;
    const { count } = this.#insertions;
    if (this.#layout === "events") this.#scan.scanEvent(this.#insertions);
    else if (this.#place === "rows") this.#scan.scanRow(this.#insertions);
    else this.#scan.scanObject(this.#insertions);
    if (cursor.failure === undefined) return;
    this.#insertions.keep(count);
    this.#valueEnd.reset();
    this.#isObjectOpen = cursor.failure === "incomplete" && this.#valueEnd.find(cursor.bytes, start) === -1;
    this.#objectStart = start;
    if (!this.#isObjectOpen) this.#place = "unknown";
  }
}
