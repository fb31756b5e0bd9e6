import type { RenderBudget } from "../go/context.ts";
import { isJsonList, isJsonObject, type JsonValue } from "./json.ts";
import { groupOf, type Failure, type InstancePath } from "./failure.ts";
import type { SchemaNode } from "./schema-node.ts";

/** What checks schemas on values. */
export interface Evaluator {
  readonly budget: RenderBudget;
  /** Gives why a value is not valid. @throws FairleadError `limit-exceeded` */
  evaluate(evaluation: Evaluation): Failure | undefined;
}

/** One schema on one value, with the schemas on the way to it. */
export class Evaluation {
  readonly schema: SchemaNode;
  readonly value: JsonValue;
  readonly path: InstancePath | undefined;
  readonly parent: Evaluation | undefined;
  /** The keyword by which the schema was referred to. */
  readonly referenceKeyword: string;
  /** What no keyword has looked at yet, where `unevaluatedProperties` or `unevaluatedItems` asks. */
  readonly properties: Set<string> | undefined;
  readonly items: Set<number> | undefined;
  readonly #evaluator: Evaluator;
  #failures: Failure[] | undefined;

  /** @param isAsked whether the caller asks what is unevaluated */
  constructor(
    schema: SchemaNode,
    value: JsonValue,
    evaluator: Evaluator,
    path?: InstancePath,
    parent?: Evaluation,
    referenceKeyword: string = "",
    isAsked: boolean = false,
  ) {
    this.schema = schema;
    this.value = value;
    this.path = path;
    this.parent = parent;
    this.referenceKeyword = referenceKeyword;
    const { unevaluatedProperties, unevaluatedItems } = schema;
    if (isAsked || unevaluatedProperties !== undefined) this.properties = startProperties(schema, value);
    if (isAsked || unevaluatedItems !== undefined) this.items = startItems(schema, value);
    this.#evaluator = evaluator;
  }

  get budget(): RenderBudget {
    return this.#evaluator.budget;
  }

  get asksForUnevaluated(): boolean {
    return (this.properties?.size ?? 0) + (this.items?.size ?? 0) > 0;
  }

  get hasFailed(): boolean {
    return this.#failures !== undefined;
  }

  add(failure: Failure | undefined): void {
    if (failure === undefined) return;
    if (this.#failures === undefined) this.#failures = [failure];
    else this.#failures.push(failure);
  }

  /** Adds a failure of this schema itself. */
  fail(describe: () => string, causes: readonly Failure[] = []): void {
    this.add({ path: this.path, describe, causes });
  }

  /** All failures as one; undefined where there is none. */
  outcome(): Failure | undefined {
    const failures = this.#failures;
    if (failures === undefined) return undefined;
    return failures.length > 1 ? groupOf(this.path, failures) : failures[0];
  }

  /** Another schema on the same value. */
  checkSame(schema: SchemaNode, referenceKeyword: string = ""): Failure | undefined {
    const { value, path, asksForUnevaluated } = this;
    const evaluation = new Evaluation(
      schema,
      value,
      this.#evaluator,
      path,
      this,
      referenceKeyword,
      asksForUnevaluated,
    );
    const failure = this.#evaluator.evaluate(evaluation);
    if (failure === undefined && asksForUnevaluated) this.#merge(evaluation);
    return failure;
  }

  /** A schema on a part of the value. */
  checkPart(schema: SchemaNode, value: JsonValue, step: string): Failure | undefined {
    const path = { parent: this.path, step };
    return this.#evaluator.evaluate(new Evaluation(schema, value, this.#evaluator, path, this));
  }

  /** A schema on a value that has no place in the document, such as a name. */
  checkApart(schema: SchemaNode, value: JsonValue): Failure | undefined {
    return this.#evaluator.evaluate(new Evaluation(schema, value, this.#evaluator));
  }

  /** What the other schema has looked at counts as looked at here. */
  #merge(other: Evaluation): void {
    for (const key of this.properties ?? []) {
      if (other.properties?.has(key) !== true) this.properties?.delete(key);
    }
    for (const index of this.items ?? []) {
      if (other.items?.has(index) !== true) this.items?.delete(index);
    }
  }
}

function startProperties(schema: SchemaNode, value: JsonValue): Set<string> | undefined {
  if (!isJsonObject(value) || schema.additionalProperties !== undefined) return undefined;
  return new Set(Object.keys(value));
}

function startItems(schema: SchemaNode, value: JsonValue): Set<number> | undefined {
  if (!isJsonList(value) || schema.otherItems !== undefined) return undefined;
  const indexes = new Set(value.keys());
  for (let index = 0; index < (schema.firstItems?.length ?? 0); index++) indexes.delete(index);
  return indexes;
}
