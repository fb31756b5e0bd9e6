import { RenderBudget } from "../go/context.ts";
import { createSystemRandom } from "../go/random.ts";
import { plainText } from "../go/text.ts";
import { fromBytes, toBytes } from "../go/utf8.ts";
import { TemplateSet } from "../template/template-set.ts";
import { executionFailure, parseFailure } from "./render-error.ts";
import { TemplateParseError } from "../template/template-error.ts";
import type { RenderOptions } from "./render-chart.ts";
import { templateFunctionsOf } from "./template-functions.ts";

const name = "name-template";

/**
 * A release's name made by a template without values, as of Helm's `--name-template` (pkg/action/install.go).
 * @throws FairleadError `render-failed`, `limit-exceeded`
 */
export function renderNameTemplate(
  template: string,
  {
    helm = "helm3",
    random = createSystemRandom(),
    now = Date.now(),
    limits,
  }: Pick<RenderOptions, "helm" | "random" | "now" | "limits">,
): string {
  const context = { budget: new RenderBudget(limits), random, now, tracking: false };
  const set = new TemplateSet(templateFunctionsOf(helm), context);
  try {
    set.parse({ name, text: toBytes(template) });
    return fromBytes(plainText(set.execute(name, null)));
  } catch (error) {
    if (error instanceof TemplateParseError) throw parseFailure(error);
    throw error instanceof Error ? executionFailure(error, helm) : error;
  }
}
