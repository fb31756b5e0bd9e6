import { FairleadError } from "../../../core/error.ts";

/** A field of a message in protobuf's wire format. */
interface Field {
  readonly number: number;
  /** Where it starts in its message, with its tag. */
  readonly start: number;
  readonly end: number;
  /** A string or message; undefined for numbers. */
  readonly content: Buffer | undefined;
}

/** A field that is a string or message. */
export function encodeField(number: number, content: Buffer | string): Buffer {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return Buffer.concat([encodeVarint(number * 8 + 2), encodeVarint(bytes.length), bytes]);
}

/**
 * A message with its fields of one number changed; every other byte stays.
 * @param edit takes a string or message, and gives the same one where nothing changes
 * @returns the message itself where nothing changes
 * @throws FairleadError `upstream-failed` for malformed bytes
 */
export function editFields(message: Buffer, number: number, edit: (content: Buffer) => Buffer): Buffer {
  const parts: Buffer[] = [];
  let copied = 0;
  for (const field of fieldsOf(message)) {
    if (field.number !== number || field.content === undefined) continue;
    const edited = edit(field.content);
    if (edited === field.content) continue;
    parts.push(message.subarray(copied, field.start), encodeField(number, edited));
    copied = field.end;
  }
  return parts.length === 0 ? message : Buffer.concat([...parts, message.subarray(copied)]);
}

/**
 * All strings or messages at a path of field numbers.
 * @throws FairleadError `upstream-failed` for malformed bytes on the way
 */
export function contentsAt(message: Buffer, path: readonly number[]): readonly Buffer[] {
  const [number, ...rest] = path;
  if (number === undefined) return [message];
  const contents: Buffer[] = [];
  for (const field of fieldsOf(message)) {
    if (field.number !== number || field.content === undefined) continue;
    for (const content of contentsAt(field.content, rest)) contents.push(content);
  }
  return contents;
}

function* fieldsOf(message: Buffer): Generator<Field> {
  for (let start = 0, end = 0; start < message.length; start = end) {
    const tag = readVarint(message, start);
    const number = Math.floor(tag.value / 8);
    if (number === 0) throw malformed();
    const value = readValue(message, tag.end, tag.value % 8);
    end = value.end;
    if (end > message.length) throw malformed();
    const content = value.start === undefined ? undefined : message.subarray(value.start, end);
    yield { number, start, end, content };
  }
}

/** Where a value ends by its wire type, and where it starts behind its length if it has one. */
function readValue(
  message: Buffer,
  at: number,
  type: number,
): { readonly start?: number; readonly end: number } {
  if (type === 0) return { end: readVarint(message, at).end };
  if (type === 1) return { end: at + 8 };
  if (type === 5) return { end: at + 4 };
  if (type !== 2) throw malformed();
  const { value, end: start } = readVarint(message, at);
  return { start, end: start + value };
}

function readVarint(message: Buffer, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let index = 0; index < 10; index += 1) {
    const byte = message[start + index];
    if (byte === undefined) break;
    value += (byte & 0x7f) * 128 ** index;
    if (byte < 0x80) return { value, end: start + index + 1 };
  }
  throw malformed();
}

function encodeVarint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
}

function malformed(): FairleadError {
  return new FairleadError("upstream-failed", "the API server's OpenAPI document in protobuf is malformed");
}
