import { isJsonList, isJsonObject, type JsonValue } from "./json.ts";
import { groupOf, type Failure, type InstancePath } from "./failure.ts";
import type { SchemaNode } from "./schema-node.ts";

/** What no keyword of a schema has looked at yet, where `unevaluatedProperties` or `unevaluatedItems` asks. */
interface Unevaluated {
  properties: Set<string> | undefined;
  items: Set<number> | undefined;
}

/** Checks a schema on a value; gives why it is not valid. */
export type Evaluate = (evaluation: Evaluation) => Failure | undefined;

/** One schema on one value, with the schemas on the way to it. */
export class Evaluation {
  readonly schema: SchemaNode;
  readonly value: JsonValue;
  readonly path: InstancePath | undefined;
  readonly parent: Evaluation | undefined;
  /** The keyword by which a schema was referred to. */
  readonly referenceKeyword: string;
  readonly unevaluated: Unevaluated;
  readonly failures: Failure[] = [];
  readonly #evaluate: Evaluate;

  constructor(
    schema: SchemaNode,
    value: JsonValue,
    evaluate: Evaluate,
    options: {
      readonly path?: InstancePath | undefined;
      readonly parent?: Evaluation | undefined;
      readonly referenceKeyword?: string;
      /** Whether the caller asks what is unevaluated. */
      readonly isAsked?: boolean;
    } = {},
  ) {
    this.schema = schema;
    this.value = value;
    this.path = options.path;
    this.parent = options.parent;
    this.referenceKeyword = options.referenceKeyword ?? "";
    this.unevaluated = startUnevaluated(schema, value, options.isAsked === true);
    this.#evaluate = evaluate;
  }

  get asksForUnevaluated(): boolean {
    const { properties, items } = this.unevaluated;
    return (properties?.size ?? 0) + (items?.size ?? 0) > 0;
  }

  add(failure: Failure | undefined): void {
    if (failure !== undefined) this.failures.push(failure);
  }

  /** Adds a failure of this schema itself. */
  fail(describe: () => string, causes: readonly Failure[] = []): void {
    this.failures.push({ path: this.path, describe, causes });
  }

  /** All failures as one; undefined where there is none. */
  outcome(): Failure | undefined {
    return this.failures.length > 1 ? groupOf(this.path, this.failures) : this.failures[0];
  }

  /** Another schema on the same value. */
  checkSame(schema: SchemaNode, referenceKeyword = ""): Failure | undefined {
    const evaluation = new Evaluation(schema, this.value, this.#evaluate, {
      path: this.path,
      parent: this,
      referenceKeyword,
      isAsked: this.asksForUnevaluated,
    });
    const failure = this.#evaluate(evaluation);
    if (failure === undefined) this.#merge(evaluation.unevaluated);
    return failure;
  }

  /** A schema on a part of the value. */
  checkPart(schema: SchemaNode, value: JsonValue, step: string): Failure | undefined {
    const path = { parent: this.path, step };
    return this.#evaluate(new Evaluation(schema, value, this.#evaluate, { path, parent: this }));
  }

  /** A schema on a value that has no place in the document, such as a name. */
  checkApart(schema: SchemaNode, value: JsonValue): Failure | undefined {
    return this.#evaluate(new Evaluation(schema, value, this.#evaluate));
  }

  /** What the other schema has looked at counts as looked at here. */
  #merge(other: Unevaluated): void {
    for (const key of this.unevaluated.properties ?? []) {
      if (other.properties?.has(key) !== true) this.unevaluated.properties?.delete(key);
    }
    for (const index of this.unevaluated.items ?? []) {
      if (other.items?.has(index) !== true) this.unevaluated.items?.delete(index);
    }
  }
}

function startUnevaluated(schema: SchemaNode, value: JsonValue, isAsked: boolean): Unevaluated {
  const none: Unevaluated = { properties: undefined, items: undefined };
  if (isJsonObject(value)) {
    const asks = isAsked || schema.unevaluatedProperties !== undefined;
    if (!asks || schema.additionalProperties !== undefined) return none;
    return { ...none, properties: new Set(Object.keys(value)) };
  }
  if (!isJsonList(value)) return none;
  const first = schema.firstItems?.length ?? 0;
  const asks = isAsked || schema.unevaluatedItems !== undefined;
  if (!asks || schema.otherItems !== undefined || first >= value.length) return none;
  return {
    ...none,
    items: new Set(Array.from({ length: value.length - first }, (_, index) => first + index)),
  };
}
