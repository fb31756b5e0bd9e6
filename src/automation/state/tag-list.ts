import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Far more than any registry lists; what claims to hold more is no list of ours. */
const maxBytes = 1024 * 1024 * 1024;

/** Tags as bytes for the state file. @param tags without line ends, as the grammar of tags has it */
export function encodeTags(tags: readonly string[]): Uint8Array {
  // The lowest level: it halves the file twice and takes a few milliseconds for 100,000 tags.
  return deflateRawSync(Buffer.from(tags.join("\n"), "latin1"), { level: 1 });
}

/** The tags that {@link encodeTags} wrote. @throws Error where the bytes are none of it */
export function decodeTags(bytes: Uint8Array): readonly string[] {
  const text = inflateRawSync(bytes, { maxOutputLength: maxBytes }).toString("latin1");
  return text === "" ? [] : text.split("\n");
}

/**
 * Tags from the end of the alphabet, byte by byte, as Flux's database has them: of tags that a policy finds equal, it
 * takes the first.
 */
export function sortTags(tags: Iterable<string>): readonly string[] {
  // Tags are ASCII, where the order of units is that of bytes.
  return [...tags].sort().reverse();
}

/** The checksum of a list of tags: Adler-32 over its JSON, as Flux's status has it. */
export function tagChecksum(tags: readonly string[]): string {
  const bytes = Buffer.from(JSON.stringify(tags), "latin1");
  let low = 1;
  let high = 0;
  for (let start = 0; start < bytes.length; start += 5552) {
    const end = Math.min(start + 5552, bytes.length);
    for (let index = start; index < end; index++) {
      low += bytes[index] ?? 0;
      high += low;
    }
    low %= 65_521;
    high %= 65_521;
  }
  return String(high * 65_536 + low);
}
