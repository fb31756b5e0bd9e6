import { isIP } from "node:net";

/**
 * The IPv4 address that an IPv6 address carries: mapped (`::ffff:0:0/96`), compatible (`::/96`), behind a NAT64
 * (`64:ff9b::/96`) or 6to4 (`2002::/16`). Undefined where there is none.
 */
export function embeddedIpv4(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined;
  const groups = ipv6Groups(address);
  const [first = 0, second = 0, third = 0] = groups;
  if (first === 0x2002) return spell(second, third);
  const head = groups.slice(0, 6).map((group) => group.toString(16));
  const [seventh = 0, eighth = 0] = groups.slice(6);
  const isCompatible = head.join(":") === "0:0:0:0:0:0" && seventh !== 0;
  const carries = isCompatible || ["0:0:0:0:0:ffff", "64:ff9b:0:0:0:0"].includes(head.join(":"));
  return carries ? spell(seventh, eighth) : undefined;
}

function ipv6Groups(address: string): readonly number[] {
  // A URL spells every IPv6 address with groups of hexadecimal digits alone.
  const [front = "", back = ""] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const [before, after] = [groupsOf(front), groupsOf(back)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function groupsOf(text: string): readonly number[] {
  return text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
}

function spell(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
