import { toInt64 } from "../go/cast.ts";
import { bytesOfItem, type GoContext } from "../go/context.ts";
import { deepEqual } from "../go/deep-equal.ts";
import { define, defineVariadic, parameters, type FunctionTable } from "../go/function.ts";
import { goTypes, type GoType } from "../go/type.ts";
import {
  GoBytes,
  GoError,
  GoSlice,
  isTrue,
  listOf,
  nilSlice,
  type GoFunction,
  type GoValue,
} from "../go/value.ts";
import { DistinctItems } from "./distinct-items.ts";
import { handOn } from "./hand-on.ts";
import { itemsOf } from "./list-items.ts";
import { sequenceFunctions } from "./sequence-functions.ts";

const { any, int, value } = parameters;

const first = onItems("find first", (items, context) => handOn(items[0] ?? null, context));
const last = onItems("find last", (items, context) => handOn(items.at(-1) ?? null, context));
const rest = onItems("find rest", (items) => (items.length === 0 ? nilSlice() : listOf(items.slice(1))));
const initial = onItems("find initial", (items) =>
  items.length === 0 ? nilSlice() : listOf(items.slice(0, -1)),
);
const reverse = onItems("find reverse", (items) => listOf(items.toReversed()));
const compact = onItems("compact", (items) => listOf(items.filter(isTrue)));
const uniq = onItems("find uniq", (items, context) => listOf(withoutRepetitions(items, context)));

const list = defineVariadic([], value, ([items], { budget }) => {
  budget.spendItem();
  budget.spendCopies(items.length);
  return listOf(items);
});

const append = define([any, value], ([given, item], context) =>
  listOf([...itemsOf(given, context, (kind) => `Cannot push on type ${kind}`), item]),
);

const prepend = define([any, value], ([given, item], context) =>
  listOf([item, ...itemsOf(given, context, (kind) => `Cannot prepend on type ${kind}`)]),
);

const without = defineVariadic([any], value, ([given, unwanted], context) => {
  const items = itemsOf(given, context, (kind) => `Cannot find without on type ${kind}`);
  const omitted = new DistinctItems(context.budget, unwanted);
  return listOf(items.filter((item) => !omitted.has(item)));
});

const has = define([any, any], ([item, given], context) => {
  if (given === null) return false;
  const items = itemsOf(given, context, (kind) => `Cannot find has on type ${kind}`);
  return items.some((other) => deepEqual(item, other, context.budget));
});

const slice = defineVariadic([any], any, ([given, indices], context) => {
  const items = itemsOf(given, context, (kind) => `list should be type of slice or array but ${kind}`);
  if (items.length === 0) return null;
  const [from, to] = indices;
  const start = from === undefined ? 0 : Number(toInt64(from));
  const end = to === undefined ? items.length : Number(toInt64(to));
  if (start < 0 || end < start || end > items.length) {
    throw new GoError("reflect.Value.Slice: slice index out of bounds");
  }
  if (given instanceof GoBytes) return new GoBytes(given.text.slice(start, end));
  return new GoSlice(items.slice(start, end), given instanceof GoSlice ? given.type : undefined);
});

const chunk = define([int, any], ([size, given], context) =>
  chunksOf(
    itemsOf(given, context, (kind) => `Cannot chunk type ${kind}`),
    Number(size.value),
    context,
  ),
);

/** Sprig's functions on lists; each `must` variant differs only in how Go raises the same error. */
export const listFunctions: FunctionTable = {
  ...sequenceFunctions,
  list,
  tuple: list,
  first,
  mustFirst: first,
  last,
  mustLast: last,
  rest,
  mustRest: rest,
  initial,
  mustInitial: initial,
  append,
  mustAppend: append,
  push: append,
  mustPush: append,
  prepend,
  mustPrepend: prepend,
  reverse,
  mustReverse: reverse,
  compact,
  mustCompact: compact,
  uniq,
  mustUniq: uniq,
  without,
  mustWithout: without,
  has,
  mustHas: has,
  slice,
  mustSlice: slice,
  chunk,
  mustChunk: chunk,
  concat: defineVariadic([], any, ([lists], context) => {
    const items: GoValue[] = [];
    for (const given of lists) {
      const more = itemsOf(given, context, (kind) => `Cannot concat type ${kind} as list`);
      for (const item of more) items.push(item);
    }
    return items.length === 0 ? nilSlice() : listOf(items);
  }),
};

/** A function of one list. @param verb as in the error: `Cannot find first on type string` */
function onItems(
  verb: string,
  operation: (items: readonly GoValue[], context: GoContext) => GoValue,
): GoFunction {
  return define([any], ([given], context) =>
    operation(
      itemsOf(given, context, (kind) => `Cannot ${verb} on type ${kind}`),
      context,
    ),
  );
}

function withoutRepetitions(items: readonly GoValue[], { budget }: GoContext): GoValue[] {
  const seen = new DistinctItems(budget);
  return items.filter((item) => {
    const isNew = !seen.has(item);
    if (isNew) seen.add(item);
    return isNew;
  });
}

const chunkType: GoType = { name: "[][]interface {}", kind: "slice", element: goTypes.anySlice };

/** Go counts the chunks in floats, which tells how it fails, and sometimes does not, with a size below 1. */
function chunksOf(items: readonly GoValue[], size: number, { budget }: GoContext): GoSlice {
  const count = Math.floor((items.length - 1) / size) + 1;
  const failure = new GoError("runtime error: makeslice: len out of range");
  if (!Number.isFinite(count) || count < 0) throw failure;
  const lastLength = items.length % size === 0 ? size : items.length % size;
  if (count > 0 && lastLength < 0) throw failure;
  budget.spendBytes(bytesOfItem * count);
  const chunks = Array.from({ length: count }, (_, index) =>
    listOf(items.slice(index * size, index === count - 1 ? index * size + lastLength : (index + 1) * size)),
  );
  return new GoSlice(chunks, chunkType);
}
