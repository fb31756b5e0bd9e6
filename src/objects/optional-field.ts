/** An object with one field, or without fields where the value is undefined or an empty text. */
export function optionalField<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [Name in Key]?: Value } {
  return (value === undefined || value === "" ? {} : { [key]: value }) as { readonly [Name in Key]?: Value };
}
