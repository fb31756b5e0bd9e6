import { describeCount, quoteList, quoteSingle } from "./describe.ts";
import type { Evaluation } from "./evaluation.ts";
import { topFailures } from "./failure.ts";
import type { JsonObject, JsonValue } from "./json.ts";

/**
 * Checks what a schema says of objects. Where the Go package goes through a map, the order here is that of the
 * names, so that messages are the same each time.
 */
export function checkObject(evaluation: Evaluation, object: JsonObject): void {
  const { schema } = evaluation;
  const keys = Object.keys(object).sort();
  checkSize(evaluation, keys.length);
  const missing = schema.required === undefined ? [] : missingOf(object, schema.required);
  if (missing.length > 0) {
    evaluation.fail(
      () => `missing ${missing.length === 1 ? "property" : "properties"} ${quoteList(missing)}`,
    );
  }
  if (schema.dependencies !== undefined) checkDependencies(evaluation, object);
  const additional = keys.filter((key) => checkProperty(evaluation, key, object[key] ?? null) === "refused");
  if (additional.length > 0) {
    evaluation.fail(() => `additional properties ${quoteList(additional)} not allowed`);
  }
  if (schema.propertyNames !== undefined) {
    for (const key of keys) {
      const failure = evaluation.checkApart(schema.propertyNames, key);
      if (failure !== undefined) {
        evaluation.fail(() => `invalid propertyName ${quoteSingle(key)}`, topFailures(failure));
      }
    }
  }
  for (const [key, dependent] of schema.dependentSchemas ?? []) {
    if (Object.hasOwn(object, key)) evaluation.add(evaluation.checkSame(dependent));
  }
  for (const [key, required] of schema.dependentRequired ?? []) {
    if (Object.hasOwn(object, key)) requireFor(evaluation, object, key, required);
  }
}

function checkSize(evaluation: Evaluation, size: number): void {
  const { minProperties, maxProperties } = evaluation.schema;
  if (minProperties !== undefined && size < minProperties) {
    evaluation.fail(() => `minProperties: got ${describeCount(size)}, want ${describeCount(minProperties)}`);
  }
  if (maxProperties !== undefined && size > maxProperties) {
    evaluation.fail(() => `maxProperties: got ${describeCount(size)}, want ${describeCount(maxProperties)}`);
  }
}

function checkDependencies(evaluation: Evaluation, object: JsonObject): void {
  for (const [key, dependency] of evaluation.schema.dependencies ?? []) {
    if (!Object.hasOwn(object, key)) continue;
    if ("location" in dependency) evaluation.add(evaluation.checkSame(dependency));
    else requireFor(evaluation, object, key, dependency);
  }
}

function requireFor(
  evaluation: Evaluation,
  object: JsonObject,
  key: string,
  required: readonly string[],
): void {
  const missing = missingOf(object, required);
  if (missing.length === 0) return;
  evaluation.fail(() => `properties ${quoteList(missing)} required, if ${quoteSingle(key)} exists`);
}

function missingOf(object: JsonObject, required: readonly string[]): string[] {
  return required.filter((key) => !Object.hasOwn(object, key));
}

function checkProperty(evaluation: Evaluation, key: string, value: JsonValue): "refused" | undefined {
  const { properties, patternProperties, additionalProperties } = evaluation.schema;
  let isEvaluated = false;
  const own = properties?.get(key);
  if (own !== undefined) {
    isEvaluated = true;
    evaluation.add(evaluation.checkPart(own, value, key));
  }
  for (const [pattern, schema] of patternProperties ?? []) {
    if (!pattern.matches(key, evaluation.budget)) continue;
    isEvaluated = true;
    evaluation.add(evaluation.checkPart(schema, value, key));
  }
  if (!isEvaluated && additionalProperties === undefined) return undefined;
  evaluation.properties?.delete(key);
  if (isEvaluated || additionalProperties === true) return undefined;
  if (additionalProperties === false) return "refused";
  if (additionalProperties !== undefined) {
    evaluation.add(evaluation.checkPart(additionalProperties, value, key));
  }
  return undefined;
}
