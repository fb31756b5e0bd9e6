import { bytesOfItem, type GoContext } from "../go/context.ts";
import { define, defineVariadic, knowingOrigins, parameters, type FunctionTable } from "../go/function.ts";
import { plainText, trackedFrom } from "../go/text.ts";
import { goTypes } from "../go/type.ts";
import {
  GoError,
  GoMap,
  listOf,
  stringsOf,
  untracked,
  typeOf,
  type GoFunction,
  type GoValue,
} from "../go/value.ts";
import { deepCopy } from "./deep-copy.ts";
import { handOn, insteadOfMissing } from "./hand-on.ts";
import { mergeMaps, type MergePreference } from "./merge-maps.ts";
import { stringValue } from "./string-value.ts";

const { any, map, string, value } = parameters;

const copy = define([any], ([given], context) => {
  if (given === null) throw new GoError("reflect: call of reflect.Value.Type on zero Value");
  return deepCopy(given, context);
});

/**
 * Sprig's functions on maps. Go visits a map in random order, so that `keys` and `values` give another order each
 * time; here it is always that of the sorted keys.
 */
export const dictFunctions: FunctionTable = {
  dict: defineVariadic([], value, ([pairs], context) => {
    context.budget.spendItem();
    context.budget.spendBytes((bytesOfItem * pairs.length) / 2);
    const entries = new Map<string, GoValue>();
    for (let index = 0; index < pairs.length; index += 2) {
      entries.set(
        plainText(stringValue(pairs[index] ?? null, context)),
        pairs[index + 1] ?? (index + 1 < pairs.length ? null : ""),
      );
    }
    return new GoMap(entries);
  }),
  get: define([map, string], ([given, key], context) => {
    const found = given.entries.get(key);
    return found === undefined ? insteadOfMissing("", given, key, context) : handOn(found, context);
  }),
  set: define([map, string, value], ([given, key, item], { budget }) => {
    if (given.isNil) throw new GoError("assignment to entry in nil map");
    budget.spendItem();
    given.entries.set(key, item);
    return given;
  }),
  unset: define([map, string], ([given, key]) => {
    given.entries.delete(key);
    return given;
  }),
  hasKey: knowingOrigins(
    define([map, string], ([given, key], { tracking }) => {
      const has = given.entries.has(key);
      if (!tracking || given.origin === undefined) return has;
      const path = [...given.origin.path, key];
      return trackedFrom(has, { origins: [{ kind: "value", path }], exact: false });
    }),
  ),
  pluck: defineVariadic([string], map, ([key, maps]) =>
    listOf(maps.map(({ entries }) => entries.get(key)).filter((item) => item !== undefined)),
  ),
  keys: defineVariadic([], map, ([maps], context) => {
    spendEntries(maps, context);
    return stringsOf(maps.flatMap((given) => given.sortedKeys()));
  }),
  values: define([map], ([given], context) => {
    spendEntries([given], context);
    return listOf(given.sortedKeys().map((key) => given.entries.get(key) ?? null));
  }),
  pick: defineVariadic([map], string, ([given, keys], context) => {
    spendEntries([given], context);
    const wanted = new Set(keys);
    return new GoMap([...given.entries].filter(([key]) => wanted.has(key)));
  }),
  omit: defineVariadic([map], string, ([given, keys], context) => {
    spendEntries([given], context);
    const unwanted = new Set(keys);
    return new GoMap([...given.entries].filter(([key]) => !unwanted.has(key)));
  }),
  merge: lenient(merging("target")),
  mustMerge: merging("target"),
  mergeOverwrite: lenient(merging("source")),
  mustMergeOverwrite: merging("source"),
  deepCopy: copy,
  mustDeepCopy: copy,
  dig: defineVariadic([], value, ([path], context) => dig(path, context)),
};

/** Called before entries are sorted or copied. @throws FairleadError `limit-exceeded` */
function spendEntries(maps: readonly GoMap[], { budget }: GoContext): void {
  for (const { entries } of maps) {
    budget.spendSteps(entries.size);
    budget.spendBytes(bytesOfItem * entries.size);
  }
}

/** Merges the other maps into the first, from the left, and gives that. */
function merging(preference: MergePreference): GoFunction {
  return defineVariadic([map], map, ([first, sources], context) => {
    let target = first;
    for (const source of sources) {
      if (target.isNil && !source.isNil) target = new GoMap();
      mergeMaps(target, source, preference, context);
    }
    return target;
  });
}

/** Sprig keeps the errors of these from templates: the result is an empty text. */
function lenient(merge: GoFunction): GoFunction {
  return {
    ...merge,
    call: (args, context) => {
      try {
        return merge.call(args, context);
      } catch (error) {
        if (error instanceof GoError) return "";
        throw error;
      }
    },
  };
}

/** What a path of keys leads to: keys, then the value for a missing one, then the map. */
function dig(args: readonly GoValue[], context: GoContext): GoValue {
  if (args.length < 3) throw new GoError("dig needs at least three arguments");
  const fallback = args.at(-2) ?? null;
  let current = assertMap(args.at(-1) ?? null);
  const keys = args.slice(0, -2).map(assertString);
  const lastKey = keys.pop() ?? "";
  for (const key of keys) {
    const step = current.entries.get(key);
    if (step === undefined) return insteadOfMissing(fallback, current, key, context);
    current = assertMap(step);
  }
  const found = current.entries.get(lastKey);
  return found === undefined ? insteadOfMissing(fallback, current, lastKey, context) : handOn(found, context);
}

function assertMap(value: GoValue): GoMap {
  const plain = untracked(value);
  if (plain instanceof GoMap && plain.type.name === goTypes.anyMap.name) return plain;
  throw new GoError(conversionError(plain, goTypes.anyMap.name));
}

function assertString(value: GoValue): string {
  const plain = untracked(value);
  if (typeof plain === "string") return plain;
  throw new GoError(conversionError(plain, goTypes.string.name));
}

function conversionError(value: GoValue, wanted: string): string {
  return `interface conversion: interface {} is ${typeOf(value)?.name ?? "nil"}, not ${wanted}`;
}
