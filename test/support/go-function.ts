import { RenderBudget, type GoContext } from "../../src/helm/go/context.ts";
import type { FunctionTable } from "../../src/helm/go/function.ts";
import { createSeededRandom } from "../../src/helm/go/random.ts";
import { plainText, trackedFrom } from "../../src/helm/go/text.ts";
import { fromBytes, toBytes } from "../../src/helm/go/utf8.ts";
import {
  GoError,
  GoInteger,
  GoMap,
  GoSlice,
  intOf,
  listOf,
  Tracked,
  untracked,
  type GoValue,
  type Text,
} from "../../src/helm/go/value.ts";

/** What a row of a table gives a function: a number is a Go int. */
export type RowArgument = GoValue | readonly RowArgument[];

/** What a row wants of a function. */
export type RowResult =
  | null
  | boolean
  | number
  | string
  | readonly RowResult[]
  | { readonly [key: string]: RowResult };

/** Calls a function of a table with the values of a row; texts are given and come back decoded. */
export function callRow(table: FunctionTable, name: string, args: readonly RowArgument[]): RowResult {
  try {
    return toRow(callFunction(table, name, args.map(fromRow)));
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    return { error: fromBytes(error.message) };
  }
}

/** Calls a function of a table as a template does. */
export function callFunction(
  table: FunctionTable,
  name: string,
  args: readonly GoValue[],
  { budget = new RenderBudget(), tracking = false }: Partial<GoContext> = {},
): GoValue {
  const random = createSeededRandom("test");
  const called = table[name];
  if (called === undefined) throw new Error(`there is no function ${name}`);
  return called.call(args, { budget, random, now: 0, tracking });
}

/** A text that comes from a value of the given name, byte for byte. */
export function valueText(text: string, name: string): Tracked<string> {
  const source = { origins: [{ kind: "value", path: [name] }], exact: true } as const;
  return trackedFrom(toBytes(text), source) as Tracked<string>;
}

/** The spans of a text: `[a+2:tag]` stands for what is in the value `a` from 2 on, `[~a:tag]` for made of `a`. */
export function spelledSpans(value: GoValue): string {
  const text = value as Text;
  const plain = plainText(text);
  if (typeof text === "string") return plain;
  let spelled = "";
  let position = 0;
  for (const { start, end, source, offset } of text.spans) {
    const names = source.origins.map((origin) =>
      origin.kind === "value" ? origin.path.join(".") : origin.kind,
    );
    const place = source.exact ? `${names.join(",")}+${offset}` : `~${names.join(",")}`;
    spelled += `${plain.slice(position, start)}[${place}:${plain.slice(start, end)}]`;
    position = end;
  }
  return fromBytes(spelled + plain.slice(position));
}

function fromRow(value: RowArgument): GoValue {
  if (typeof value === "string") return toBytes(value);
  if (typeof value === "number") return intOf(value);
  return Array.isArray(value) ? listOf(value.map(fromRow)) : (value as GoValue);
}

function toRow(value: GoValue): RowResult {
  const plain = untracked(value);
  if (typeof plain === "string") return fromBytes(plain);
  if (plain instanceof GoInteger) return Number(plain.value);
  if (plain instanceof GoSlice) return plain.isNil ? null : plain.items.map(toRow);
  if (plain instanceof GoMap) {
    return Object.fromEntries([...plain.entries].map(([key, item]) => [key, toRow(item)]));
  }
  return plain as RowResult;
}
