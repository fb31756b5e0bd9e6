import type { Keychain } from "../registry-api.ts";

/** A keychain that asks others in their order, and takes what the first of them finds. */
export function joinKeychains(...keychains: readonly Keychain[]): Keychain {
  return {
    find: async (repository) => {
      for (const keychain of keychains) {
        const credentials = await keychain.find(repository);
        if (credentials !== undefined) return credentials;
      }
      return undefined;
    },
  };
}
