import { createExpiringCache } from "../../core/expiring-cache.ts";
import type { TokenCache } from "./provider.ts";

/** A token is not used in the last part of its life, which a delivery may take. */
const marginMs = 60_000;

/** A cache for tokens, in memory. */
export function createTokenCache(now: () => number): TokenCache {
  return createExpiringCache(now, marginMs);
}
