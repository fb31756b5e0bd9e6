import { FairleadError } from "../core/error.ts";
import { excerpt } from "../core/escape.ts";
import { registryHostPattern } from "./grammar.ts";

/** Docker Hub, the registry of a reference that names none. */
export const dockerHub = "docker.io";

/** Hosts that serve Docker Hub: the old index, the website's and the API's. */
const dockerHubAliases: ReadonlySet<string> = new Set([
  dockerHub,
  "index.docker.io",
  "registry.hub.docker.com",
  "registry-1.docker.io",
]);

/** Far beyond a domain name (253 characters) with a port. */
const maxHostLength = 320;

export interface RegistryHost {
  /** As written: a domain name, an IPv4 address, or an IPv6 address in brackets. */
  readonly host: string;
  /** 1 to 65535. */
  readonly port?: number;
}

/**
 * Takes `host[:port]` apart, or gives undefined where it is no domain name, address or port.
 * A bare name such as `mirror` is a host here; see {@link isRegistryComponent} for references.
 */
export function tryParseRegistryHost(text: string): RegistryHost | undefined {
  if (text.length > maxHostLength) return undefined;
  const groups = registryHostPattern.exec(text)?.groups;
  const host = groups?.["host"];
  if (host === undefined || (host.startsWith("[") && !URL.canParse(`http://${host}`))) return undefined;
  const port = groups?.["port"];
  if (port === undefined) return { host };
  const number = Number(port);
  return number >= 1 && number <= 65_535 ? { host, port: number } : undefined;
}

/**
 * Takes `host[:port]` apart.
 * @throws FairleadError `input-invalid` where {@link tryParseRegistryHost} gives undefined.
 */
export function parseRegistryHost(text: string): RegistryHost {
  const parsed = tryParseRegistryHost(text);
  if (parsed === undefined) {
    throw new FairleadError("input-invalid", `Invalid registry '${excerpt(text)}': ${explainHost(text)}`, {
      hint: registryHint(text),
    });
  }
  return parsed;
}

/**
 * Checks a source registry as a user names it and gives its {@link registryIdentity}.
 * @throws FairleadError `input-invalid`; its message is document 002's (§6.1.1).
 */
export function parseSourceRegistry(text: string): string {
  if (tryParseRegistryHost(text) === undefined) {
    throw new FairleadError(
      "input-invalid",
      `Invalid source registry '${excerpt(withoutUser(text))}': ${explainHost(text)}`,
      { hint: registryHint(text) },
    );
  }
  return registryIdentity(text);
}

/**
 * Whether the first of a reference's several components is a registry and not part of a Docker Hub path:
 * it is `localhost`, has a dot, a port or a capital letter (distribution/reference, splitDockerDomain).
 */
export function isRegistryComponent(component: string): boolean {
  return component === "localhost" || /[.:]/u.test(component) || component.toLowerCase() !== component;
}

/** `host[:port]` without its port; the brackets of an IPv6 address stay. */
export function hostWithoutPort(registry: string): string {
  return registry.replace(/:[0-9]*$/u, "");
}

/** Whether a host (without port) is one of Docker Hub's, in any case of letters. */
export function isDockerHubHost(host: string): boolean {
  return dockerHubAliases.has(host.toLowerCase());
}

/** A `host[:port]` in lower case, with each of Docker Hub's hosts as `docker.io`; the port stays. */
export function normaliseRegistryHost(registry: string): string {
  const host = hostWithoutPort(registry);
  const port = registry.slice(host.length);
  return (isDockerHubHost(host) ? dockerHub : host.toLowerCase()) + port;
}

/** What registries are compared by: the normalised host without its port (document 002, §11). */
export function registryIdentity(registry: string): string {
  return normaliseRegistryHost(hostWithoutPort(registry));
}

/** What stands before an `@` may be a password. */
function withoutUser(text: string): string {
  return text.replace(/^.*@/su, "…@");
}

function explainHost(text: string): string {
  if (text === "") return "is empty";
  if (/[^a-zA-Z0-9.:[\]-]/u.test(text)) return "contains illegal characters";
  if (text.length > maxHostLength) return "is too long";
  return "is not a host with an optional port";
}

function registryHint(text: string): string {
  if (text.includes("://")) return "Leave the scheme out: a registry is host[:port].";
  if (text.includes("/")) return "Leave the path out: a registry is host[:port].";
  return "A registry is host[:port], such as quay.io, localhost:5000 or [::1]:5000.";
}
