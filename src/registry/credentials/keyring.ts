import { dockerHub } from "../../reference/registry-host.ts";
import type { Credentials } from "../registry-api.ts";

/** Credentials under keys such as `quay.io/team` or `https://*.example.com:5000`. */
export interface Keyring {
  /** Every fitting credential, the most specific key first, those of one key in the order of the entries. */
  find(repository: Repository): readonly Credentials[];
}

interface Repository {
  readonly registry: string;
  readonly path: string;
}

/** A host, of which each label may hold `*`, with a port, and the beginning of a path. */
interface Place {
  readonly text: string;
  readonly labels: readonly string[];
  readonly port: string;
  readonly path: string;
}

/** The host under which kubelet looks for Docker Hub where no key fits. */
const defaultRegistry = "index.docker.io";

/**
 * Puts credentials in order and finds them as kubelet does (k8s.io/kubernetes, pkg/credentialprovider/keyring.go):
 * a key fits by its port, by each label of its host and by the beginning of its path; later in the alphabet goes
 * first, so that a longer path goes before a shorter one, and a host before a pattern. A key that is no URL counts
 * for nothing.
 */
export function createKeyring(entries: Iterable<readonly [string, Credentials]>): Keyring {
  const places = new Map<string, { readonly place: Place; readonly credentials: Credentials[] }>();
  for (const [key, credentials] of entries) {
    const place = tryReadKey(key);
    if (place === undefined) continue;
    const known = places.get(place.text);
    if (known === undefined) places.set(place.text, { place, credentials: [credentials] });
    else known.credentials.push(credentials);
  }
  const index = [...places.values()].toSorted((left, right) => (left.place.text < right.place.text ? 1 : -1));
  return {
    find: (repository) => {
      const target = readPlace(repository.registry, `/${repository.path}`);
      const found = index.filter(({ place }) => fits(place, target));
      if (found.length > 0) return found.flatMap(({ credentials }) => credentials);
      return repository.registry === dockerHub ? (places.get(defaultRegistry)?.credentials ?? []) : [];
    },
  };
}

const keyPattern = /^(?:https?:\/\/)?(?:[^/?#]*@)?(?<host>[^/?#@\s]*)(?<path>[^?#]*)/u;

function tryReadKey(key: string): Place | undefined {
  const { host = "", path = "" } = keyPattern.exec(key)?.groups ?? {};
  if (!/^(?:[^:[\]]*|\[[^[\]]*\])(?::\d*)?$/u.test(host)) return undefined;
  const prefix = path.replace(/^\/v[12](?=\/)/u, "");
  return readPlace(host, prefix === "/" ? "" : prefix);
}

function readPlace(host: string, path: string): Place {
  const name = host.replace(/:\d*$/u, "");
  return { text: host + path, labels: name.split("."), port: host.slice(name.length + 1), path };
}

function fits(place: Place, target: Place): boolean {
  return (
    place.port === target.port &&
    place.labels.length === target.labels.length &&
    target.path.startsWith(place.path) &&
    place.labels.every((label, index) => fitsLabel(label, target.labels[index] ?? ""))
  );
}

/** Whether a label is what a pattern says, in which `*` stands for any text. */
function fitsLabel(pattern: string, label: string): boolean {
  const [head = "", ...parts] = pattern.split("*");
  const tail = parts.pop();
  if (tail === undefined) return pattern === label;
  if (!label.startsWith(head) || !label.endsWith(tail)) return false;
  let from = head.length;
  const end = label.length - tail.length;
  for (const part of parts) {
    const at = label.indexOf(part, from);
    if (at === -1 || at + part.length > end) return false;
    from = at + part.length;
  }
  return from <= end;
}
