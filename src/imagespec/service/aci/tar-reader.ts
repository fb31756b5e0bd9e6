import { FairleadError } from "../../../core/error.ts";
import { excerpt } from "../../../core/escape.ts";
import { blockBytes, parsePaxRecords, parseTarHeader, type TarHeader } from "./tar-header.ts";
import type { TarSource } from "./tar-source.ts";

/** An entry of a tar archive, with what extended headers say of it. */
export interface TarEntry extends TarHeader {
  /** PAX records beside those that stand in the header, such as extended attributes. */
  readonly records: ReadonlyMap<string, string>;
  /** Where its body begins. */
  readonly bodyOffset: number;
  /** Reads its body whole; only before the next entry is asked for. */
  readBody(): Promise<Buffer>;
}

const maxExtensionBytes = 1024 * 1024;
/** Read at once where only zeros should be. */
const paddingBytes = 64 * 1024;

/**
 * The entries of a tar archive (POSIX ustar and pax, GNU's long names), in their order; a body that is not read is
 * passed over.
 * @throws FairleadError `aci-invalid` for what is damaged, ends too early, has something after its end, or is sparse
 */
export async function* readTar(source: TarSource): AsyncGenerator<TarEntry, void> {
  let extensions = new Map<string, string>();
  for (;;) {
    const block = await source.read(blockBytes);
    if (block.length < blockBytes) throw invalid("the image archive ends too early");
    if (isZero(block)) break;
    const header = parseTarHeader(block);
    if (isExtension(header)) {
      await readExtension(header, source, extensions);
      continue;
    }
    const entry = withExtensions(header, extensions, source);
    extensions = new Map();
    yield entry;
    const left = entry.bodyOffset + paddedSize(entry.size) - source.offset;
    if (left > 0 && !(await source.skip(left))) throw invalid("the image archive ends too early");
  }
  if (extensions.size > 0) throw invalid("the image archive ends with an extended header");
  await checkEnd(source);
}

/** The bytes that a body takes, with what fills its last block. */
function paddedSize(size: number): number {
  return Math.ceil(size / blockBytes) * blockBytes;
}

function isExtension({ kind }: TarHeader): boolean {
  return kind === "pax" || kind === "paxGlobal" || kind === "gnuLongName" || kind === "gnuLongLink";
}

async function readExtension(
  { kind, size }: TarHeader,
  source: TarSource,
  extensions: Map<string, string>,
): Promise<void> {
  if (size > maxExtensionBytes) throw invalid("the image archive has an extended header that is too large");
  const padded = await source.read(paddedSize(size));
  if (padded.length < size) throw invalid("the image archive ends too early");
  const body = padded.subarray(0, size);
  if (kind === "gnuLongName") extensions.set("path", textOf(body));
  else if (kind === "gnuLongLink") extensions.set("linkpath", textOf(body));
  else if (kind === "pax") for (const [key, value] of parsePaxRecords(body)) extensions.set(key, value);
  // What git archive writes; anything else would change entries far away from it.
  else if ([...parsePaxRecords(body).keys()].some((key) => key !== "comment")) {
    throw invalid("the image archive has a global extended header");
  }
}

function textOf(body: Buffer): string {
  const end = body.indexOf(0);
  return body.toString("latin1", 0, end === -1 ? body.length : end);
}

const headerRecords: ReadonlySet<string> = new Set([
  "path",
  "linkpath",
  "size",
  "uid",
  "gid",
  "uname",
  "gname",
]);

function withExtensions(
  header: TarHeader,
  extensions: ReadonlyMap<string, string>,
  source: TarSource,
): TarEntry {
  const name = extensions.get("path") ?? header.name;
  const records = new Map([...extensions].filter(([key]) => !headerRecords.has(key)));
  if ([...records.keys()].some((key) => key.startsWith("GNU.sparse."))) {
    throw invalid(`the entry '${excerpt(name)}' of the image archive is sparse`);
  }
  const size = hasBody(header) ? readCount(extensions, "size", header.size) : 0;
  const bodyOffset = source.offset;
  return {
    ...header,
    name,
    linkName: extensions.get("linkpath") ?? header.linkName,
    uid: readCount(extensions, "uid", header.uid),
    gid: readCount(extensions, "gid", header.gid),
    userName: extensions.get("uname") ?? header.userName,
    groupName: extensions.get("gname") ?? header.groupName,
    size,
    records,
    bodyOffset,
    readBody: async () => {
      const body = await source.read(size);
      if (body.length < size) throw invalid("the image archive ends too early");
      return body;
    },
  };
}

/** Others may have a size, which then means something else. */
function hasBody({ kind }: TarHeader): boolean {
  return kind === "file";
}

function readCount(extensions: ReadonlyMap<string, string>, key: string, otherwise: number): number {
  const text = extensions.get(key);
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!/^\d{1,16}$/u.test(text) || !Number.isSafeInteger(value)) {
    throw invalid(`the image archive has an extended header whose ${key} is no number`);
  }
  return value;
}

async function checkEnd(source: TarSource): Promise<void> {
  for (;;) {
    const rest = await source.read(paddingBytes);
    if (rest.length === 0) return;
    if (!isZero(rest)) throw invalid("the image archive goes on after its end");
  }
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}

function invalid(message: string): FairleadError {
  return new FairleadError("aci-invalid", message);
}
