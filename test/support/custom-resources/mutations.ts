/** Values that a field may be given by mistake: of every type, and at the edges of lengths and words. */
const values: readonly unknown[] = [
  null,
  "",
  "x",
  "X y",
  "*",
  "1h",
  "1.5m30s",
  "90",
  "-1s",
  "5 m",
  "https://example.com",
  "ftp://example.com",
  "n".repeat(254),
  "n".repeat(2049),
  0,
  1.5,
  true,
  [],
  ["x"],
  [1],
  Array.from({ length: 26 }, (_item, at) => `x${at}`),
  {},
  { name: "x" },
  { name: "" },
  { x: "y" },
  { x: 1 },
];

/** A value of JSON with one field changed, and which. */
export interface Mutation {
  /** Such as `git.commit.author.email`. */
  readonly path: string;
  /** Undefined: it was taken away. */
  readonly value: unknown;
  readonly spec: unknown;
}

/** Each way to take a field away, or to give it another value; whole objects and lists are fields as well. */
export function mutationsOf(spec: unknown): readonly Mutation[] {
  return pathsOf(spec).flatMap((path) =>
    [undefined, ...values].map((value) => ({
      path: path.join("."),
      value,
      spec: changed(spec, path, value),
    })),
  );
}

function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  const children =
    typeof value === "object" && value !== null
      ? Object.entries(value as Record<string, unknown>).flatMap(([key, item]) =>
          pathsOf(item, [...path, key]),
        )
      : [];
  return path.length === 0 ? children : [path, ...children];
}

function changed(spec: unknown, [key = "", ...rest]: readonly string[], value: unknown): unknown {
  if (Array.isArray(spec)) {
    const at = Number(key);
    if (rest.length === 0 && value === undefined) return spec.toSpliced(at, 1);
    return spec.with(at, rest.length === 0 ? value : changed(spec[at], rest, value));
  }
  const { [key]: item, ...others } = spec as Record<string, unknown>;
  if (rest.length > 0) return { ...others, [key]: changed(item, rest, value) };
  return value === undefined ? others : { ...others, [key]: value };
}
