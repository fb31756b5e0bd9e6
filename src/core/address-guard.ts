import { lookup as systemLookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { FairleadError } from "./error.ts";
import { embeddedIpv4 } from "./embedded-ipv4.ts";

export interface AddressGuardOptions {
  /** Addresses, networks such as `169.254.0.0/16`, and names that may be reached although they are refused. */
  readonly allowAddresses?: readonly string[];
  /** Whether this machine itself may be reached; default: false. */
  readonly allowLoopback?: boolean;
}

/** Keeps requests from places that only the machine itself should reach (server-side request forgery). */
export interface AddressGuard {
  /** Checks a host as a URL spells it. @throws FairleadError `address-refused` */
  checkHost(hostname: string): void;
  /** Finds addresses for `net.connect`, so that what is checked is what is connected to. */
  readonly lookup: LookupFunction;
}

/** Link-local, unspecified, multicast and reserved networks, and where clouds give their metadata. */
const refusedNetworks = [
  "0.0.0.0/8",
  "100.100.100.200/32",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "192.0.0.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "::/128",
  "fd00:ec2::254/128",
  "fd20:ce::254/128",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8",
];
const loopbackNetworks = ["127.0.0.0/8", "::1/128"];
const refusedNames: ReadonlySet<string> = new Set([
  "instance-data",
  "instance-data.ec2.internal",
  "metadata",
  "metadata.azure.internal",
  "metadata.goog",
  "metadata.google.internal",
]);

/**
 * A guard that refuses link-local addresses, those of cloud metadata, multicast and, by default, loopback. Private
 * networks are let through: that is where the services of a cluster are.
 * @throws FairleadError `config-invalid` for an allowed address that is neither address, network nor name
 */
export function createAddressGuard(options: AddressGuardOptions = {}): AddressGuard {
  const refused = networks([...refusedNetworks, ...(options.allowLoopback === true ? [] : loopbackNetworks)]);
  const entries = (options.allowAddresses ?? []).map((entry) => entry.trim().toLowerCase());
  const allowed = networks(entries.filter((entry) => isNetwork(entry)));
  const allowedNames = new Set(entries.filter((entry) => !isNetwork(entry)).map(parseName));

  const isRefused = (address: string): boolean => {
    if (contains(allowed, address)) return false;
    const embedded = embeddedIpv4(address);
    return embedded === undefined ? contains(refused, address) : isRefused(embedded);
  };
  const checkHost = (hostname: string): void => {
    const host = bareHost(hostname);
    if (allowedNames.has(host)) return;
    if (isIP(host) === 0 ? refusedNames.has(host) : isRefused(host)) throw refusal(host);
  };
  const lookup: LookupFunction = (hostname, lookupOptions, callback) => {
    systemLookup(hostname, { ...lookupOptions, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const usable = allowedNames.has(bareHost(hostname))
        ? found
        : found.filter(({ address }) => !isRefused(address));
      const [first] = usable;
      if (first === undefined) callback(refusal(hostname), []);
      else if (lookupOptions.all === true) callback(null, usable);
      else callback(null, first.address, first.family);
    });
  };
  return { checkHost, lookup };
}

function refusal(host: string): FairleadError {
  return new FairleadError(
    "address-refused",
    `${host} is an address that must not be reached unless it is allowed`,
    {
      hint: "loopback, link-local and metadata addresses are refused unless they are allowed by name",
    },
  );
}

function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/u, "$1")
    .replace(/%.*$/u, "")
    .replace(/\.$/u, "");
}

function isNetwork(entry: string): boolean {
  return isIP(entry.split("/", 1)[0] ?? "") !== 0;
}

function parseName(entry: string): string {
  if (/^[a-z0-9_](?:[a-z0-9_.-]{0,252})$/u.test(entry)) return bareHost(entry);
  throw new FairleadError("config-invalid", "an allowed address is neither an address, a network nor a name");
}

function networks(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    const length = bits === undefined ? (family === "ipv6" ? 128 : 32) : Number(bits);
    if (!Number.isInteger(length) || length < 0 || length > (family === "ipv6" ? 128 : 32)) {
      throw new FairleadError("config-invalid", "an allowed network has no length");
    }
    list.addSubnet(address, length, family);
  }
  return list;
}

function contains(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? "ipv6" : "ipv4");
}
