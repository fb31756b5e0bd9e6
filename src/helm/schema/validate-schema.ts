import { FairleadError } from "../../core/error.ts";
import { RenderBudget } from "../go/context.ts";
import { SchemaCompiler } from "./compiler.ts";
import { formatFailures, type Failure } from "./failure.ts";
import { parseJson, type JsonDocument, type JsonValue } from "./json.ts";
import { tryFlattenMetaschema } from "./metaschemas/flat-metaschema.ts";
import { SchemaError } from "./schema-error.ts";
import type { SchemaNode } from "./schema-node.ts";
import { validateJson } from "./validate.ts";

const address = "file:///values.schema.json";

/** What is wrong with values, as Helm prints it, and what can be done where the schema is to blame. */
export interface SchemaProblem {
  /** With a line end after each failure; without one where the schema cannot be used. */
  readonly message: string;
  readonly hint: string | undefined;
}

/** A schema that is ready for use, any number of times. */
export class Schema {
  readonly #text: string;
  #node: SchemaNode | undefined;

  /** @param text of values.schema.json */
  constructor(text: string) {
    this.#text = text;
  }

  /** What checks values; made when it is first asked for. @throws SchemaError */
  node(budget: RenderBudget): SchemaNode {
    this.#node ??= compileSchema(readJson(this.#text), budget);
    return this.#node;
  }
}

/**
 * Checks a value against a JSON schema of draft 4, 6, 7, 2019-09 or 2020-12, the last of which is meant where it
 * names none (github.com/santhosh-tekuri/jsonschema/v6, as Helm 3.22 and 4.3 use it). Nothing is fetched.
 * @param schema ready for use, or the text of values.schema.json
 * @param budget pays for what is compared; default: one of its own
 * @returns undefined where the value is valid
 * @throws FairleadError `limit-exceeded`
 */
export function validateSchema(
  value: JsonValue,
  schema: Schema | string,
  budget: RenderBudget = new RenderBudget(),
): SchemaProblem | undefined {
  try {
    return findProblem(value, typeof schema === "string" ? new Schema(schema) : schema, budget);
  } catch (error) {
    // Schemas are followed recursively: what the stack has no room for is a limit.
    if (!(error instanceof RangeError)) throw error;
    throw new FairleadError("limit-exceeded", "the schema or its references nest too deeply", {
      cause: error,
    });
  }
}

function findProblem(value: JsonValue, schema: Schema, budget: RenderBudget): SchemaProblem | undefined {
  let node: SchemaNode;
  try {
    node = schema.node(budget);
  } catch (error) {
    if (error instanceof SchemaError) return { message: error.message, hint: error.hint };
    throw error;
  }
  const failures = validateJson(node, value, budget);
  return failures.length === 0 ? undefined : { message: `${toLines(failures)}\n`, hint: undefined };
}

function readJson(text: string): JsonDocument {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new SchemaError(error.message);
    throw error;
  }
}

function compileSchema(document: JsonDocument, budget: RenderBudget): SchemaNode {
  const compiler = new SchemaCompiler({
    check: (schema, metaschema, location) => checkSchema(schema, metaschema, location, budget),
  });
  compiler.add(address, document);
  return compiler.compile(address);
}

function checkSchema(schema: JsonValue, metaschema: string, location: string, budget: RenderBudget): void {
  const flat = flatMetaschemaAt(metaschema);
  if (flat !== undefined && validateJson(flat, schema, budget).length === 0) return;
  const failures = validateJson(metaschemaAt(metaschema), schema, budget);
  if (failures.length === 0) return;
  throw new SchemaError(
    `${JSON.stringify(location)} is not valid against metaschema: ` +
      `jsonschema validation failed with '${metaschema}#'\n${toLines(failures)}`,
  );
}

const metaschemas = new Map<string, SchemaNode>();
const flatMetaschemas = new Map<string, SchemaNode | undefined>();

function metaschemaAt(metaschema: string): SchemaNode {
  const known = metaschemas.get(metaschema);
  if (known !== undefined) return known;
  const compiled = new SchemaCompiler({ assertFormat: true }).compile(metaschema);
  metaschemas.set(metaschema, compiled);
  return compiled;
}

function flatMetaschemaAt(metaschema: string): SchemaNode | undefined {
  if (!flatMetaschemas.has(metaschema)) flatMetaschemas.set(metaschema, tryCompileFlat(metaschema));
  return flatMetaschemas.get(metaschema);
}

function tryCompileFlat(metaschema: string): SchemaNode | undefined {
  const flat = tryFlattenMetaschema(metaschema);
  if (flat === undefined) return undefined;
  const compiler = new SchemaCompiler({ assertFormat: true });
  compiler.add(address, { value: flat, literals: new WeakMap() });
  return compiler.compile(address);
}

function toLines(failures: readonly Failure[]): string {
  return formatFailures(failures).join("\n");
}
