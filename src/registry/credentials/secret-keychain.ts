import type { ImageReference } from "../../reference/reference.ts";
import { FairleadError, type Where } from "../../core/error.ts";
import type { Credentials, Keychain } from "../registry-api.ts";
import { tryReadAuthEntry } from "./auth-entry.ts";
import { parseDockerConfig, parseJsonObject } from "./docker-config.ts";
import { createKeyring } from "./keyring.ts";

/** A Kubernetes Secret, as far as it can hold credentials of registries. */
export interface PullSecret {
  readonly meta: { readonly namespace?: string | undefined; readonly name: string };
  readonly type: string;
  readonly data: Readonly<Record<string, Uint8Array>>;
}

/** A keychain that also tells what else would fit, as after a change of a password. */
export interface SecretKeychain extends Keychain {
  /** Every fitting credential, the most specific first. */
  findAll(repository: ImageReference): readonly Credentials[];
}

type Entries = Iterable<readonly [string, unknown]>;

const readers: ReadonlyMap<string, { readonly key: string; read(text: string, where: Where): Entries }> =
  new Map([
    [
      "kubernetes.io/dockerconfigjson",
      { key: ".dockerconfigjson", read: (text, where) => parseDockerConfig(text, where).auths },
    ],
    [
      "kubernetes.io/dockercfg",
      { key: ".dockercfg", read: (text, where) => Object.entries(parseJsonObject(text, where)) },
    ],
  ]);

/**
 * A keychain over pull secrets, all of them together as one: the longest match wins wherever it stands, as kubelet
 * has it (see {@link createKeyring}). Secrets of other types and without the key of their type hold nothing.
 * @throws FairleadError `credentials-invalid` for a Secret that cannot be read; its text is not repeated
 */
export function createSecretKeychain(secrets: readonly PullSecret[]): SecretKeychain {
  const keyring = createKeyring(secrets.flatMap((secret) => entriesOf(secret)));
  const findAll = (repository: ImageReference): readonly Credentials[] => keyring.find(repository);
  return { findAll, find: async (repository) => Promise.resolve(findAll(repository)[0]) };
}

function entriesOf({ meta, type, data }: PullSecret): [string, Credentials][] {
  const reader = readers.get(type);
  const bytes = reader === undefined ? undefined : data[reader.key];
  if (reader === undefined || bytes === undefined || bytes.length === 0) return [];
  const name = meta.namespace === undefined ? meta.name : `${meta.namespace}/${meta.name}`;
  const where = { file: `Secret ${name}` };
  return [...reader.read(decode(bytes, where), where)].flatMap(([key, entry]) => {
    const credentials = tryReadAuthEntry(entry, where);
    return credentials === undefined ? [] : [[key, credentials]];
  });
}

function decode(bytes: Uint8Array, where: Where): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new FairleadError("credentials-invalid", "the Secret is not UTF-8 text", { where });
  }
}
