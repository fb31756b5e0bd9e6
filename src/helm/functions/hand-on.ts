import type { GoContext } from "../go/context.ts";
import { isScalar, passingOver } from "../go/passed-over.ts";
import { trackedFrom } from "../go/text.ts";
import { fromBytes } from "../go/utf8.ts";
import { Tracked, type GoMap, type GoValue } from "../go/value.ts";

/**
 * One of the arguments, or a part of one, as the result: where it is not tracked, it comes from nothing else
 * among the arguments either, which a caller would take for granted of a plain result.
 */
export function handOn(value: GoValue, { tracking }: GoContext): GoValue {
  const isPlain = tracking && isScalar(value) && !(value instanceof Tracked);
  return isPlain ? new Tracked(value, []) : value;
}

/** What a function gives for a key that a map of the values does not have: setting it would change the result. */
export function insteadOfMissing(value: GoValue, map: GoMap, key: string, context: GoContext): GoValue {
  if (!context.tracking || map.origin === undefined) return handOn(value, context);
  const path = [...map.origin.path, fromBytes(key)];
  const missing = trackedFrom(null, { origins: [{ kind: "value", path }], exact: false });
  return passingOver(handOn(value, context), [missing]);
}
