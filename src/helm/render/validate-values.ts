import { FairleadError } from "../../core/error.ts";
import { isYamlMap, type YamlMap } from "../../yaml/value.ts";
import type { Chart, ChartInstance } from "../chart/chart.ts";
import { decodeText } from "../chart/text.ts";
import type { RenderBudget } from "../go/context.ts";
import { Schema, validateSchema } from "../schema/validate-schema.ts";

interface Problem {
  readonly text: string;
  readonly hint: string | undefined;
}

/**
 * Checks the values against values.schema.json of the chart and of each subchart (pkg/chartutil/jsonschema.go).
 * @param values what `resolveDependencies` gives as `renderValues`
 * @throws FairleadError `render-failed` with all that does not fit, chart by chart; `limit-exceeded`
 */
export function checkValues(root: ChartInstance, values: YamlMap, budget: RenderBudget): void {
  const problems = problemsOf(root, values, budget);
  if (problems.length === 0) return;
  const text = problems.map((problem) => problem.text).join("");
  throw new FairleadError(
    "render-failed",
    `values don't meet the specifications of the schema(s) in the following chart(s):\n${text}`,
    { hint: problems.find(({ hint }) => hint !== undefined)?.hint },
  );
}

/** The schemas of charts, by the bytes of their files: a chart is rendered again and again. */
const schemas = new WeakMap<Uint8Array, Schema>();

function schemaOf({ schema, location }: Chart): Schema | undefined {
  if (schema === undefined) return undefined;
  const known = schemas.get(schema);
  if (known !== undefined) return known;
  const made = new Schema(decodeText(schema, `${location}/values.schema.json`, "chart-invalid"));
  schemas.set(schema, made);
  return made;
}

function problemsOf(instance: ChartInstance, values: YamlMap, budget: RenderBudget): Problem[] {
  const { chart, name, children } = instance;
  const schema = schemaOf(chart);
  const own = schema === undefined ? undefined : validateSchema(values, schema, budget);
  const below = children
    .filter(({ enabled }) => enabled)
    .flatMap((child) => {
      const childValues = Object.hasOwn(values, child.name) ? values[child.name] : undefined;
      return isYamlMap(childValues) ? problemsOf(child, childValues, budget) : [];
    });
  return own === undefined ? below : [{ text: `${name}:\n${own.message}`, hint: own.hint }, ...below];
}
