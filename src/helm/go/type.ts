/** Go's reflect.Kind, by the name it prints. */
export type GoKind =
  | "bool"
  | "int"
  | "int8"
  | "int16"
  | "int32"
  | "int64"
  | "uint"
  | "uint8"
  | "uint16"
  | "uint32"
  | "uint64"
  | "float64"
  | "complex128"
  | "string"
  | "slice"
  | "map"
  | "struct"
  | "ptr"
  | "interface"
  | "func";

/** A Go type as reflection shows it to templates. */
export interface GoType {
  /** As `%T` prints it: `map[string]interface {}`. */
  readonly name: string;
  readonly kind: GoKind;
  /** Of slices and maps; maps have string keys. */
  readonly element?: GoType;
  /** True for types with a name of their own, such as `chartutil.Values`. */
  readonly named?: true;
}

const any: GoType = { name: "interface {}", kind: "interface" };
const string: GoType = { name: "string", kind: "string" };
const int: GoType = { name: "int", kind: "int" };
const uint8: GoType = { name: "uint8", kind: "uint8" };

type CommonType =
  | "any"
  | "bool"
  | "int"
  | "int32"
  | "int64"
  | "uint"
  | "uint8"
  | "uint32"
  | "uint64"
  | "float64"
  | "complex128"
  | "string"
  | "bytes"
  | "anySlice"
  | "stringSlice"
  | "intSlice"
  | "anyMap"
  | "stringMap"
  | "duration";

/** The types that functions and values have most. */
export const goTypes: Readonly<Record<CommonType, GoType>> = {
  any,
  bool: { name: "bool", kind: "bool" },
  int,
  int32: { name: "int32", kind: "int32" },
  int64: { name: "int64", kind: "int64" },
  uint: { name: "uint", kind: "uint" },
  uint8,
  uint32: { name: "uint32", kind: "uint32" },
  uint64: { name: "uint64", kind: "uint64" },
  float64: { name: "float64", kind: "float64" },
  complex128: { name: "complex128", kind: "complex128" },
  string,
  bytes: { name: "[]uint8", kind: "slice", element: uint8 },
  anySlice: { name: "[]interface {}", kind: "slice", element: any },
  stringSlice: { name: "[]string", kind: "slice", element: string },
  intSlice: { name: "[]int", kind: "slice", element: int },
  anyMap: { name: "map[string]interface {}", kind: "map", element: any },
  stringMap: { name: "map[string]string", kind: "map", element: string },
  duration: { name: "time.Duration", kind: "int64", named: true },
};

/** Whether a value of one type may be given where the other is asked for (Go's AssignableTo, for these types). */
export function isAssignable(from: GoType, to: GoType): boolean {
  if (to.kind === "interface" || from === to || from.name === to.name) return true;
  if (from.named === true && to.named === true) return false;
  if (from.named !== true && to.named !== true) return false;
  return (
    (from.kind === "map" || from.kind === "slice") &&
    from.kind === to.kind &&
    from.element?.name === to.element?.name
  );
}
