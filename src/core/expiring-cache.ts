/** Something that is good for a while. */
export interface Expiring<Value> {
  readonly value: Value;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
}

/** Keeps what others gave for a while, such as tokens, so that not every use asks for it; in memory. */
export interface ExpiringCache<Value> {
  /** The value of a key while it is good; else what `make` gives, once for all who ask at a time. */
  get(key: string, make: () => Promise<Expiring<Value>>): Promise<Value>;
}

const maxValues = 1_000;

/**
 * A cache without values. Failures are not kept.
 * @param nowMs milliseconds since 1970
 * @param marginMs the last part of a value's life, in which it is not given any more, as its use takes time
 */
export function createExpiringCache<Value>(nowMs: () => number, marginMs: number): ExpiringCache<Value> {
  const values = new Map<string, Promise<Expiring<Value>>>();
  const ask = (key: string, make: () => Promise<Expiring<Value>>): Promise<Expiring<Value>> => {
    if (values.size >= maxValues) values.clear();
    const made = make();
    values.set(key, made);
    made.catch(() => {
      if (values.get(key) === made) values.delete(key);
    });
    return made;
  };
  return {
    get: async (key, make) => {
      const known = values.get(key);
      const kept = await known;
      if (kept !== undefined && kept.expiresAtMs - marginMs > nowMs()) return kept.value;
      // Another who waited for the same value may have asked for the next one.
      const current = values.get(key);
      const next = current === undefined || current === known ? ask(key, make) : current;
      return (await next).value;
    },
  };
}
