import { messageOf } from "../../src/core/error.ts";
import { RenderBudget } from "../../src/helm/go/context.ts";
import { formatGo } from "../../src/helm/go/format.ts";
import { defineVariadic, parameters, type FunctionTable } from "../../src/helm/go/function.ts";
import { createSeededRandom } from "../../src/helm/go/random.ts";
import { plainText, trackedFrom } from "../../src/helm/go/text.ts";
import { goTypes } from "../../src/helm/go/type.ts";
import { fromBytes, toBytes } from "../../src/helm/go/utf8.ts";
import { GoMap, listOf, type GoScalar, type GoValue, type Text } from "../../src/helm/go/value.ts";
import type { ValuePath } from "../../src/yaml/value-path.ts";
import { TemplateSet } from "../../src/helm/template/template-set.ts";

interface EvaluateOptions {
  readonly values?: object;
  readonly tracking?: boolean;
}

/** What templates of tests have beside the functions that are tested. */
const printing: FunctionTable = {
  printf: defineVariadic([parameters.text], parameters.value, ([format, args], context) =>
    formatGo(format, args, context),
  ),
};

/** What a template prints, with the values as its dot; where it fails, what Go says behind the place. */
export function evaluate(
  functions: FunctionTable,
  template: string,
  { values = {}, tracking = false }: EvaluateOptions = {},
): Text {
  const random = createSeededRandom("test");
  const context = { budget: new RenderBudget(), random, now: 0, tracking };
  const set = new TemplateSet({ ...printing, ...functions }, context);
  return set.executeTree(set.parse({ name: "t", text: toBytes(template) }), goValueOf(values, [], tracking));
}

/** Like {@link evaluate}, decoded; an error is its message without the place. */
export function printed(functions: FunctionTable, template: string, values: object = {}): string {
  try {
    return fromBytes(plainText(evaluate(functions, template, { values })));
  } catch (error) {
    return fromBytes(messageOf(error)).replace(/^template: .*?>: /u, "");
  }
}

/** Values as Helm gives them to templates: numbers are float64. */
function goValueOf(value: unknown, path: ValuePath, tracking: boolean): GoValue {
  if (Array.isArray(value)) {
    return listOf(value.map((item, index) => goValueOf(item, [...path, index], tracking)));
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, item]): [string, GoValue] => [
      toBytes(key),
      goValueOf(item, [...path, key], tracking),
    ]);
    return new GoMap(entries, goTypes.anyMap, tracking ? { kind: "value", path } : undefined);
  }
  const scalar = (typeof value === "string" ? toBytes(value) : value) as GoScalar;
  return tracking ? trackedFrom(scalar, { origins: [{ kind: "value", path }], exact: true }) : scalar;
}
