import { FairleadError } from "../../../core/error.ts";
import { excerpt } from "../../../core/escape.ts";

/** What an entry of a tar archive makes; `pax` and `gnu` entries tell of the one that follows. */
export type TarKind =
  | "file"
  | "hardLink"
  | "symbolicLink"
  | "characterDevice"
  | "blockDevice"
  | "folder"
  | "fifo"
  | "pax"
  | "paxGlobal"
  | "gnuLongName"
  | "gnuLongLink";

/** The header of a tar entry. Texts hold one byte a character, as names need not be UTF-8. */
export interface TarHeader {
  readonly name: string;
  readonly kind: TarKind;
  readonly linkName: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly userName: string;
  readonly groupName: string;
  /** Of the body that follows. */
  readonly size: number;
  /** Seconds since 1970. */
  readonly modified: number;
  readonly deviceMajor: number;
  readonly deviceMinor: number;
}

/** The unit of a tar archive: headers are one block, bodies are filled up to whole ones. */
export const blockBytes = 512;

const kinds: Readonly<Record<string, TarKind>> = {
  "\0": "file",
  "0": "file",
  "1": "hardLink",
  "2": "symbolicLink",
  "3": "characterDevice",
  "4": "blockDevice",
  "5": "folder",
  "6": "fifo",
  "7": "file",
  x: "pax",
  g: "paxGlobal",
  L: "gnuLongName",
  K: "gnuLongLink",
};

/** Reads one block as a header. @throws FairleadError `aci-invalid` */
export function parseTarHeader(block: Buffer): TarHeader {
  const checksum = readNumber(block, 148, 8);
  if (checksum !== checksumOf(block)) throw damaged("a header's checksum is wrong");
  const flag = String.fromCharCode(block[156] ?? 0);
  const isUstar = block.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isUstar ? readText(block, 345, 155) : "";
  const name = readText(block, 0, 100);
  const kind = Object.hasOwn(kinds, flag) ? kinds[flag] : undefined;
  if (kind === undefined) {
    throw damaged(`the entry '${excerpt(name)}' is of a kind that images do not have`);
  }
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    // Before ustar, a folder was a file whose name ends so.
    kind: kind === "file" && name.endsWith("/") ? "folder" : kind,
    linkName: readText(block, 157, 100),
    mode: readNumber(block, 100, 8) & 0o7777,
    uid: readNumber(block, 108, 8),
    gid: readNumber(block, 116, 8),
    userName: readText(block, 265, 32),
    groupName: readText(block, 297, 32),
    size: readNumber(block, 124, 12),
    modified: readNumber(block, 136, 12),
    deviceMajor: readNumber(block, 329, 8),
    deviceMinor: readNumber(block, 337, 8),
  };
}

/** The records of a PAX header's body (POSIX pax, "pax Extended Header"). @throws FairleadError `aci-invalid` */
export function parsePaxRecords(body: Buffer): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (let start = 0; start < body.length;) {
    const space = body.indexOf(0x20, start);
    const digits = body.toString("latin1", start, Math.max(start, Math.min(space, start + 8)));
    const end = start + Number(digits);
    const equals = body.indexOf(0x3d, space);
    const isRecord =
      /^[1-9]\d*$/u.test(digits) &&
      end <= body.length &&
      body[end - 1] === 0x0a &&
      equals > space + 1 &&
      equals < end;
    if (!isRecord) throw damaged("an extended header is damaged");
    records.set(body.toString("latin1", space + 1, equals), body.toString("latin1", equals + 1, end - 1));
    start = end;
  }
  return records;
}

/** A header as one ustar block; what does not fit into a field is left to PAX records. */
export function encodeTarHeader(header: TarHeader): Buffer {
  const block = Buffer.alloc(blockBytes);
  const flag = Object.keys(kinds).find((key) => key !== "\0" && kinds[key] === header.kind) ?? "0";
  block.write(header.name.slice(0, 100), 0, "latin1");
  writeNumber(block, header.mode, 100, 8);
  writeNumber(block, header.uid, 108, 8);
  writeNumber(block, header.gid, 116, 8);
  writeNumber(block, header.size, 124, 12);
  writeNumber(block, header.modified, 136, 12);
  block.write(flag, 156, "latin1");
  block.write(header.linkName.slice(0, 100), 157, "latin1");
  block.write("ustar\u000000", 257, "latin1");
  block.write(header.userName.slice(0, 31), 265, "latin1");
  block.write(header.groupName.slice(0, 31), 297, "latin1");
  writeNumber(block, header.deviceMajor, 329, 8);
  writeNumber(block, header.deviceMinor, 337, 8);
  block.write(`${checksumOf(block).toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}

/** The body of a PAX header. */
export function encodePaxRecords(records: ReadonlyMap<string, string>): Buffer {
  const lines = [...records].map(([key, value]) => {
    const rest = ` ${key}=${value}\n`;
    let length = rest.length + String(rest.length).length;
    if (String(length).length > String(rest.length).length) length = rest.length + String(length).length;
    return `${length}${rest}`;
  });
  return Buffer.from(lines.join(""), "latin1");
}

/** Whether a number has room in a field of so many bytes, in octal digits. */
export function fitsOctal(value: number, bytes: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < 8 ** (bytes - 1);
}

function writeNumber(block: Buffer, value: number, offset: number, bytes: number): void {
  const written = fitsOctal(value, bytes) ? value : 0;
  block.write(`${written.toString(8).padStart(bytes - 1, "0")}\0`, offset, "latin1");
}

function readText(block: Buffer, offset: number, bytes: number): string {
  const end = block.subarray(offset, offset + bytes).indexOf(0);
  return block.toString("latin1", offset, offset + (end === -1 ? bytes : end));
}

function readNumber(block: Buffer, offset: number, bytes: number): number {
  const first = block[offset] ?? 0;
  if (first >= 0x80) {
    // GNU's numbers beyond octal: the lowest six bytes hold all that a JavaScript number can.
    const high = block.subarray(offset + 1, offset + Math.max(1, bytes - 6));
    if (first !== 0x80 || high.some((byte) => byte !== 0))
      throw damaged("a header holds a number out of range");
    const low = Math.min(6, bytes - 1);
    return block.readUIntBE(offset + bytes - low, low);
  }
  const text = block
    .toString("latin1", offset, offset + bytes)
    .replace(/[\0 ]+$/u, "")
    .trimStart();
  if (!/^[0-7]*$/u.test(text)) throw damaged("a header holds something else than a number");
  return text === "" ? 0 : Number.parseInt(text, 8);
}

function checksumOf(block: Buffer): number {
  let sum = 8 * 0x20;
  for (let index = 0; index < blockBytes; index += 1) {
    if (index < 148 || index >= 156) sum += block[index] ?? 0;
  }
  return sum;
}

function damaged(reason: string): FairleadError {
  return new FairleadError("aci-invalid", `the image archive is damaged: ${reason}`);
}
