import { describeCount } from "./describe.ts";
import type { Evaluation } from "./evaluation.ts";
import type { Failure } from "./failure.ts";
import { equalsJson, isJsonList, isJsonObject, type JsonValue } from "./json.ts";

/** Checks what a schema says of lists. */
export function checkList(evaluation: Evaluation, list: readonly JsonValue[]): void {
  const { minItems, maxItems, uniqueItems } = evaluation.schema;
  const size = list.length;
  if (minItems !== undefined && size < minItems) {
    evaluation.fail(() => `minItems: got ${describeCount(size)}, want ${describeCount(minItems)}`);
  }
  if (maxItems !== undefined && size > maxItems) {
    evaluation.fail(() => `maxItems: got ${describeCount(size)}, want ${describeCount(maxItems)}`);
  }
  if (uniqueItems) {
    const duplicate = findDuplicate(list);
    if (duplicate !== undefined) {
      const [first, second] = duplicate.map(describeCount);
      evaluation.fail(() => `items at ${first ?? ""} and ${second ?? ""} are equal`);
    }
  }
  checkItems(evaluation, list);
  checkContains(evaluation, list);
}

/** The first item that stands there again, with the place where it does. */
function findDuplicate(list: readonly JsonValue[]): [number, number] | undefined {
  const seen = new Map<string, number[]>();
  for (const [index, item] of list.entries()) {
    // Only items of one such key can be equal.
    const key = isJsonList(item) || isJsonObject(item) ? shapeOf(item) : `${typeof item} ${String(item)}`;
    const candidates = seen.get(key) ?? [];
    const equal = candidates.find((candidate) => equalsJson(item, list[candidate] ?? null));
    if (equal !== undefined) return [equal, index];
    seen.set(key, [...candidates, index]);
  }
  return undefined;
}

function shapeOf(value: JsonValue): string {
  if (isJsonList(value)) return `[${value.map(shapeOf).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${shapeOf(value[key] ?? null)}`)
    .join(",")}}`;
}

function checkItems(evaluation: Evaluation, list: readonly JsonValue[]): void {
  const { firstItems = [], otherItems } = evaluation.schema;
  for (const [index, schema] of firstItems.slice(0, list.length).entries()) {
    evaluation.add(evaluation.checkPart(schema, list[index] ?? null, String(index)));
  }
  const others = list.length - firstItems.length;
  if (otherItems === undefined || otherItems === true || others <= 0) return;
  if (otherItems === false) {
    evaluation.fail(() => `last ${describeCount(others)} additionalItem(s) not allowed`);
    return;
  }
  for (let index = firstItems.length; index < list.length; index++) {
    evaluation.add(evaluation.checkPart(otherItems, list[index] ?? null, String(index)));
  }
}

function checkContains(evaluation: Evaluation, list: readonly JsonValue[]): void {
  const { contains, minContains, maxContains, draft } = evaluation.schema;
  if (contains === undefined) return;
  const failures: Failure[] = [];
  const matched: number[] = [];
  for (const [index, item] of list.entries()) {
    const failure = evaluation.checkPart(contains, item, String(index));
    if (failure !== undefined) failures.push(failure);
    else {
      matched.push(index);
      if (draft >= 2020) evaluation.items?.delete(index);
    }
  }
  if (minContains !== undefined) {
    if (matched.length < minContains) {
      evaluation.fail(() => describeTooFew(matched, minContains), failures);
    }
  } else if (matched.length === 0) {
    evaluation.fail(() => "no items match contains schema", failures);
  }
  if (maxContains !== undefined && matched.length > maxContains) {
    evaluation.fail(
      () =>
        `max ${describeCount(maxContains)} items required to match contains schema, ` +
        `but matched ${describeCount(matched.length)} items at ${matched.join(" ")}`,
    );
  }
}

function describeTooFew(matched: readonly number[], least: number): string {
  const wanted = `min ${describeCount(least)} items required to match contains schema, but`;
  if (matched.length === 0) return `${wanted} none matched`;
  return `${wanted} matched ${describeCount(matched.length)} items at ${matched.join(" ")}`;
}
