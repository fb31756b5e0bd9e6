import type { ExpiringToken, TokenCache } from "./provider.ts";

/** A token is not used in the last part of its life, which a delivery may take. */
const marginMs = 60_000;
const maxTokens = 1_000;

/** A cache for tokens, in memory. */
export function createTokenCache(now: () => number): TokenCache {
  const tokens = new Map<string, Promise<ExpiringToken>>();
  const ask = (key: string, make: () => Promise<ExpiringToken>): Promise<ExpiringToken> => {
    if (tokens.size >= maxTokens) tokens.clear();
    const made = make();
    tokens.set(key, made);
    made.catch(() => {
      if (tokens.get(key) === made) tokens.delete(key);
    });
    return made;
  };
  return {
    get: async (key, make) => {
      const known = tokens.get(key);
      const token = await known;
      if (token !== undefined && token.expiresAtMs - marginMs > now()) return token.token;
      // Another who waited for the same token may have asked for the next one.
      const current = tokens.get(key);
      const next = current === undefined || current === known ? ask(key, make) : current;
      return (await next).token;
    },
  };
}
