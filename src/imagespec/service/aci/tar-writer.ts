import { encodePaxRecords, encodeTarHeader, fitsOctal, blockBytes, type TarHeader } from "./tar-header.ts";

const nameBytes = 100;
const ownerNameBytes = 31;

/** What ends an archive. */
export const tarEnd: Buffer = Buffer.alloc(2 * blockBytes);

/** The header of an entry with the PAX records that it needs before it; its body follows, padded. */
export function encodeTarEntry(header: TarHeader, records: ReadonlyMap<string, string>): Buffer {
  const { name, linkName, uid, gid, size, modified, userName, groupName } = header;
  const needed: readonly (readonly [key: string, value: string, fits: boolean])[] = [
    ["path", name, name.length <= nameBytes],
    ["linkpath", linkName, linkName.length <= nameBytes],
    ["uid", String(uid), fitsOctal(uid, 8)],
    ["gid", String(gid), fitsOctal(gid, 8)],
    ["uname", userName, userName.length <= ownerNameBytes],
    ["gname", groupName, groupName.length <= ownerNameBytes],
    ["size", String(size), fitsOctal(size, 12)],
    ["mtime", String(modified), fitsOctal(modified, 12) || records.has("mtime")],
  ];
  const all = new Map(needed.flatMap(([key, value, fits]) => (fits ? [] : [[key, value] as const])));
  for (const [key, value] of records) all.set(key, value);
  if (all.size === 0) return encodeTarHeader(header);
  const body = encodePaxRecords(new Map([...all].toSorted(([left], [right]) => (left < right ? -1 : 1))));
  const pax = { ...header, name: "PaxHeaders/entry", kind: "pax" as const, linkName: "", size: body.length };
  return Buffer.concat([encodeTarHeader(pax), body, padding(body.length), encodeTarHeader(header)]);
}

/** What fills the last block of a body. */
export function padding(size: number): Buffer {
  return Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);
}
