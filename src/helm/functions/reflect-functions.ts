import { deepEqual } from "../go/deep-equal.ts";
import { define, parameters, type FunctionTable } from "../go/function.ts";
import { typeOf, type GoValue } from "../go/value.ts";

const { any, string } = parameters;

/** Sprig's questions about Go types. */
export const reflectFunctions: FunctionTable = {
  typeOf: define([any], ([value]) => typeName(value)),
  typeIs: define([string, any], ([name, value]) => typeName(value) === name),
  typeIsLike: define([string, any], ([name, value]) => {
    const actual = typeName(value);
    return actual === name || actual === `*${name}`;
  }),
  kindOf: define([any], ([value]) => kindOf(value)),
  kindIs: define([string, any], ([name, value]) => kindOf(value) === name),
  deepEqual: define([any, any], ([left, right], { budget }) => deepEqual(left, right, budget)),
};

/** As `%T` prints it. */
function typeName(value: GoValue): string {
  return typeOf(value)?.name ?? "<nil>";
}

function kindOf(value: GoValue): string {
  return typeOf(value)?.kind ?? "invalid";
}
