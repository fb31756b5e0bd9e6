import { FairleadError } from "../../core/error.ts";
import { isObject, tryParseJsonObject } from "../../registry/json-body.ts";
import { failureOfEvent, malformed } from "./api-failure.ts";
import type { ApiObject, WatchEvent } from "./api-object.ts";

const newline = 0x0a;

/** Takes the lines out of a stream of bytes; what follows the last line end waits for more. */
export class LineReader {
  readonly #maxBytes: number;
  #pending: Uint8Array[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether it ends within a line. */
  get hasRest(): boolean {
    return this.#length > 0;
  }

  /** The lines that end in this chunk. @throws FairleadError `limit-exceeded` for one that is too long */
  *read(chunk: Uint8Array): Iterable<Uint8Array> {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk.subarray(start, end));
      const line = Buffer.concat(this.#pending, this.#length);
      this.#pending = [];
      this.#length = 0;
      start = end + 1;
      yield line;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  #keep(part: Uint8Array): void {
    this.#length += part.length;
    if (this.#length > this.#maxBytes) {
      throw new FairleadError("limit-exceeded", `an event of a watch has more than ${this.#maxBytes} bytes`);
    }
    this.#pending.push(part);
  }
}

/**
 * Reads one line of a watch.
 * @throws FairleadError `version-expired` or `upstream-failed` for an `ERROR`, `upstream-failed` for what is no event
 */
export function parseWatchEvent<Item extends ApiObject>(line: Uint8Array, subject: string): WatchEvent<Item> {
  const { type, object } = tryParseJsonObject(line) ?? {};
  if (!isObject(object)) throw malformed(subject, "a line that is no event");
  if (type === "ERROR") throw failureOfEvent(subject, object);
  if (type === "BOOKMARK") {
    const { resourceVersion } = isObject(object["metadata"]) ? object["metadata"] : {};
    if (typeof resourceVersion === "string" && resourceVersion !== "") return { type, resourceVersion };
    throw malformed(subject, "a bookmark without a resource version");
  }
  if (type !== "ADDED" && type !== "MODIFIED" && type !== "DELETED") {
    throw malformed(subject, "an event of an unknown type");
  }
  return { type, object: asApiObject(object, subject) as Item };
}

/** @throws FairleadError `upstream-failed` for what lacks a name or a resource version */
export function asApiObject(value: unknown, subject: string): ApiObject {
  const metadata = isObject(value) ? value["metadata"] : undefined;
  const { name, resourceVersion } = isObject(metadata) ? metadata : {};
  if (typeof name !== "string" || typeof resourceVersion !== "string" || resourceVersion === "") {
    throw malformed(subject, "an object without name or resource version");
  }
  return value as ApiObject;
}
