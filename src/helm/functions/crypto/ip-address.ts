import { isIPv4, isIPv6 } from "node:net";

/** The 4 or 16 bytes of an address, or undefined (net.ParseIP); an IPv4 address in IPv6 has 4 bytes. */
export function tryParseIp(text: string): Uint8Array | undefined {
  if (isIPv4(text)) return Uint8Array.from(text.split("."), Number);
  if (!isIPv6(text) || text.includes("%")) return undefined;
  const [head = "", tail] = withoutDots(text).split("::");
  const before = groupsOf(head);
  const after = groupsOf(tail ?? "");
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<number>(missing).fill(0), ...after];
  const bytes = Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped ? bytes.subarray(12) : bytes;
}

/** The dotted end of an address as two groups like the others. */
function withoutDots(text: string): string {
  const start = text.lastIndexOf(":") + 1;
  const dotted = text.slice(start);
  if (!dotted.includes(".")) return text;
  const [first = 0, second = 0, third = 0, fourth = 0] = dotted.split(".").map(Number);
  return `${text.slice(0, start)}${(first * 256 + second).toString(16)}:${(third * 256 + fourth).toString(16)}`;
}

function groupsOf(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}
