import { segment, unusable } from "./request.ts";

/** Where a repository is: its host's origin, and the parts of its path. */
export interface GitAddress {
  readonly origin: string;
  readonly path: readonly string[];
}

const hint = "it is https://<host>/<owner>/<repository>, ssh:// or git@<host>:<owner>/<repository>";

/**
 * Takes the address of a repository apart, as one clones it: an address of SSH leads to the same host by https.
 * @throws FairleadError `delivery-failed`, without the address, which may hold a password
 */
export function parseGitAddress(address: string): GitAddress {
  const text = address.trim();
  const scp = /^(?:[\w.~-]+@)?(?<host>[A-Za-z0-9._-]+):(?<path>[^/].*)$/u.exec(text)?.groups;
  const url = URL.parse(
    scp === undefined || text.includes("://") ? text : `ssh://${scp["host"] ?? ""}/${scp["path"] ?? ""}`,
  );
  if (
    url === null ||
    !["https:", "http:", "ssh:", "git+ssh:"].includes(url.protocol) ||
    url.hostname === ""
  ) {
    throw unusable("the address of the provider is no repository", hint);
  }
  const path = url.pathname
    .replace(/^\/+/u, "")
    .replace(/\/+$/u, "")
    .replace(/\.git$/u, "")
    .split("/")
    .map(decode);
  if (path.some((part) => part === "" || part === "." || part === "..")) {
    throw unusable("the address of the provider is no repository", hint);
  }
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  // The port of SSH is none of the web's.
  return { origin: isWeb ? url.origin : `https://${url.hostname}`, path };
}

/** The owner and the name of a repository, for paths. @throws FairleadError `delivery-failed` for other paths */
export function ownerAndName({ path }: GitAddress): string {
  if (path.length !== 2) throw unusable("the address of the provider is no repository", hint);
  return path.map(segment).join("/");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
