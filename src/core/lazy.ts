/** A value that is made when it is first asked for, and once: tables that few runs need cost no start-up. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
