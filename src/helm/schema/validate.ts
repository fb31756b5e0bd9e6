import type { RenderBudget } from "../go/context.ts";
import { describeValue } from "./describe.ts";
import { Evaluation } from "./evaluation.ts";
import { referenceTo, topFailures, type Failure } from "./failure.ts";
import { equalsJson, isJsonList, isJsonObject, jsonTypeOf, type JsonType, type JsonValue } from "./json.ts";
import type { AllowedValues, SchemaNode } from "./schema-node.ts";
import { checkList } from "./validate-list.ts";
import { checkObject } from "./validate-object.ts";
import { checkNumber, checkText } from "./validate-scalar.ts";

/**
 * Why a value does not meet a schema, in the order of jsonschema/v6 (validator.go); empty where it does.
 * @throws FairleadError `limit-exceeded`
 */
export function validateJson(schema: SchemaNode, value: JsonValue, budget: RenderBudget): readonly Failure[] {
  const failure = evaluate(new Evaluation(schema, value, { budget, evaluate }));
  return failure === undefined ? [] : topFailures(failure);
}

/** What a schema on a value takes, about, with what is noted of it. */
const stepsPerSchema = 20;

function evaluate(evaluation: Evaluation): Failure | undefined {
  const { schema, budget } = evaluation;
  budget.spendSteps(stepsPerSchema);
  if (schema.always === true) return undefined;
  const isDecided = schema.always === false ? failAlways(evaluation) : checkWhole(evaluation);
  if (isDecided) return evaluation.outcome();
  if (schema.reference !== undefined) {
    checkReference(evaluation, schema.reference, "$ref");
    if (schema.draft < 2019) return evaluation.outcome();
  }
  checkByType(evaluation);
  if (schema.draft >= 2019) checkDynamicReferences(evaluation);
  checkCombinations(evaluation);
  if (schema.draft >= 2019) checkUnevaluated(evaluation);
  return evaluation.outcome();
}

function failAlways(evaluation: Evaluation): true {
  evaluation.fail(() => "false schema");
  return true;
}

/** What must hold for anything else to be looked at; whether it does not. */
function checkWhole(evaluation: Evaluation): boolean {
  const { schema, value } = evaluation;
  const { types, constant, enumeration, format } = schema;
  checkCycle(evaluation);
  if (evaluation.hasFailed) return true;
  if (types !== undefined && !hasType(value, types)) {
    evaluation.fail(() => `got ${jsonTypeOf(value)}, want ${types.join(" or ")}`);
  } else if (constant !== undefined && !isAllowed(value, constant)) {
    const { shown } = constant;
    evaluation.fail(() => (shown === undefined ? "'const' failed" : `value must be ${shown[0] ?? ""}`));
  } else if (enumeration !== undefined && !isAllowed(value, enumeration)) {
    evaluation.fail(() => describeEnumeration(enumeration));
  } else if (format !== undefined && typeof value === "string") {
    const problem = format.problemOf(value);
    if (problem !== undefined) {
      evaluation.fail(() => `${describeValue(value)} is not valid ${format.name}: ${problem}`);
    }
  }
  return evaluation.hasFailed;
}

/** A schema that comes to itself again without going into the value would never end. */
function checkCycle(evaluation: Evaluation): void {
  const { schema, path, parent } = evaluation;
  for (let above = parent; above !== undefined && above.path === path; above = above.parent) {
    if (above.schema !== schema) continue;
    const first = keywordsTo(evaluation);
    const second = keywordsTo(above);
    evaluation.fail(
      () =>
        `both ${first} and ${second} resolve to ${JSON.stringify(schema.location)} causing reference cycle`,
    );
    return;
  }
}

function keywordsTo(evaluation: Evaluation): string {
  const { parent, referenceKeyword, schema } = evaluation;
  if (parent === undefined) return "";
  const own =
    referenceKeyword === "" ? schema.location.slice(parent.schema.location.length) : `/${referenceKeyword}`;
  return keywordsTo(parent) + own;
}

function hasType(value: JsonValue, types: readonly JsonType[]): boolean {
  return types.includes(jsonTypeOf(value)) || (types.includes("integer") && Number.isInteger(value));
}

function isAllowed(value: JsonValue, { values }: AllowedValues): boolean {
  return values.some((allowed) => equalsJson(value, allowed));
}

function describeEnumeration({ shown }: AllowedValues): string {
  if (shown === undefined) return "'enum' failed";
  return shown.length === 1 ? `value must be ${shown[0] ?? ""}` : `value must be one of ${shown.join(", ")}`;
}

function checkByType(evaluation: Evaluation): void {
  const { value } = evaluation;
  if (isJsonObject(value)) checkObject(evaluation, value);
  else if (isJsonList(value)) checkList(evaluation, value);
  else if (typeof value === "string") checkText(evaluation, value);
  else if (typeof value === "number") checkNumber(evaluation, value);
}

function checkReference(evaluation: Evaluation, target: SchemaNode, keyword: string): void {
  const failure = evaluation.checkSame(target, keyword);
  if (failure !== undefined) evaluation.add(referenceTo(evaluation.path, topFailures(failure)));
}

function checkDynamicReferences(evaluation: Evaluation): void {
  const { recursiveReference, dynamicReference } = evaluation.schema;
  if (recursiveReference !== undefined) {
    const target = recursiveReference.isRecursiveAnchor
      ? outermost(evaluation, recursiveReference, ({ schema }) =>
          schema.resource?.isRecursiveAnchor === true ? schema : undefined,
        )
      : recursiveReference;
    checkReference(evaluation, target, "$recursiveRef");
  }
  if (dynamicReference !== undefined) {
    const { target, anchor } = dynamicReference;
    const found =
      anchor !== "" && target.dynamicAnchor === anchor
        ? outermost(evaluation, target, ({ schema }) => schema.resource?.dynamicAnchors?.get(anchor))
        : target;
    checkReference(evaluation, found, "$dynamicRef");
  }
}

function outermost(
  evaluation: Evaluation,
  fallback: SchemaNode,
  find: (evaluation: Evaluation) => SchemaNode | undefined,
): SchemaNode {
  let found = fallback;
  for (let current: Evaluation | undefined = evaluation; current !== undefined; current = current.parent) {
    found = find(current) ?? found;
  }
  return found;
}

function checkCombinations(evaluation: Evaluation): void {
  const { not, allOf, anyOf, oneOf, condition, consequence, alternative } = evaluation.schema;
  if (not !== undefined && evaluation.checkSame(not) === undefined) evaluation.fail(() => "'not' failed");
  if (allOf !== undefined) {
    const failures = allOf.map((schema) => evaluation.checkSame(schema)).filter((one) => one !== undefined);
    if (failures.length > 0) evaluation.fail(() => "'allOf' failed", failures);
  }
  if (anyOf !== undefined && anyOf.length > 0) checkAnyOf(evaluation, anyOf);
  if (oneOf !== undefined && oneOf.length > 0) checkOneOf(evaluation, oneOf);
  if (condition === undefined) return;
  const next = evaluation.checkSame(condition) === undefined ? consequence : alternative;
  if (next !== undefined) evaluation.add(evaluation.checkSame(next));
}

function checkAnyOf(evaluation: Evaluation, schemas: readonly SchemaNode[]): void {
  const failures: Failure[] = [];
  for (const schema of schemas) {
    const failure = evaluation.checkSame(schema);
    if (failure !== undefined) failures.push(failure);
    // What else matches only matters to who asks what is unevaluated.
    else if (!evaluation.asksForUnevaluated) return;
  }
  if (failures.length === schemas.length) evaluation.fail(() => "'anyOf' failed", failures);
}

function checkOneOf(evaluation: Evaluation, schemas: readonly SchemaNode[]): void {
  const failures: Failure[] = [];
  let matched: number | undefined;
  for (const [index, schema] of schemas.entries()) {
    const failure = evaluation.checkSame(schema);
    if (failure !== undefined) {
      failures.push(failure);
      continue;
    }
    if (matched !== undefined) {
      const subschemas = `${matched}, ${index}`;
      evaluation.fail(() => `'oneOf' failed, subschemas ${subschemas} matched`);
      return;
    }
    matched = index;
  }
  if (matched === undefined) evaluation.fail(() => "'oneOf' failed, none matched", failures);
}

function checkUnevaluated(evaluation: Evaluation): void {
  const { schema, value, properties, items } = evaluation;
  const { unevaluatedProperties, unevaluatedItems } = schema;
  if (unevaluatedProperties !== undefined && properties !== undefined && isJsonObject(value)) {
    for (const key of [...properties].sort()) {
      evaluation.add(evaluation.checkPart(unevaluatedProperties, value[key] ?? null, key));
    }
    properties.clear();
  }
  if (unevaluatedItems !== undefined && items !== undefined && isJsonList(value)) {
    for (const index of items) {
      evaluation.add(evaluation.checkPart(unevaluatedItems, value[index] ?? null, String(index)));
    }
    items.clear();
  }
}
