import { afterAll, beforeAll } from "vitest";
import { FairleadError } from "../../src/core/error.ts";
import type { Credentials, RegistryClient } from "../../src/registry/registry-api.ts";
import { createRegistryClient, type RegistryClientOptions } from "../../src/registry/registry-client.ts";
import { type Answer, type FaultyRegistry, json, startFaultyRegistry } from "./faulty-registry.ts";

/** A repository of the faulty registry. */
export interface TestRepository {
  /** Without a tag. */
  readonly image: string;
  /** `/v2/<name>`. */
  readonly path: string;
}

/** A faulty registry that runs for the tests of a file. */
export interface RegistryCase {
  registry(): FaultyRegistry;
  /** Another repository each time. */
  repository(): TestRepository;
  /** How many requests the registry saw whose path begins like this. */
  requestsTo(path: string): number;
}

/** Starts a faulty registry before the tests of a file, and stops it after them. */
export function useFaultyRegistry(): RegistryCase {
  let registry: FaultyRegistry;
  let count = 0;
  beforeAll(async () => {
    registry = await startFaultyRegistry();
  });
  afterAll(() => registry.stop());
  return {
    registry: () => registry,
    repository: () => {
      count += 1;
      return { image: `${registry.host}/test/r${count}`, path: `/v2/test/r${count}` };
    },
    requestsTo: (path) => registry.seen.filter((request) => request.path.startsWith(path)).length,
  };
}

/** A client that does not wait long between its attempts. */
export function quickClient(options: RegistryClientOptions = {}): RegistryClient {
  return createRegistryClient({ retry: { baseDelayMs: 1, maxDelayMs: 2 }, ...options });
}

/** A {@link quickClient} with the same credentials for everything. */
export function clientWith(credentials: Credentials): RegistryClient {
  return quickClient({ keychain: { find: () => Promise.resolve(credentials) } });
}

/** The error that work ends with. @throws Error when it ends otherwise */
export async function failureFrom(work: Promise<unknown>): Promise<FairleadError> {
  const outcome = await work.catch((error: unknown) => error);
  if (outcome instanceof FairleadError) return outcome;
  throw new Error("it did not fail with a FairleadError", { cause: outcome });
}

/** A page of tags. */
export function tagsOf(...tags: readonly unknown[]): Answer {
  return json(200, { name: "x", tags });
}
