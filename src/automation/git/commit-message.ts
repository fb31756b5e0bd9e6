import { FairleadError, messageOf } from "../../core/error.ts";
import { RenderBudget } from "../../helm/go/context.ts";
import { define, type FunctionTable, parameters } from "../../helm/go/function.ts";
import { createSystemRandom } from "../../helm/go/random.ts";
import { plainText } from "../../helm/go/text.ts";
import { fromBytes, toBytes } from "../../helm/go/utf8.ts";
import { GoError } from "../../helm/go/value.ts";
import { templateFunctionsOf } from "../../helm/render/template-functions.ts";
import { TemplateExecError } from "../../helm/template/exec-error.ts";
import { TemplateParseError } from "../../helm/template/template-error.ts";
import { TemplateSet } from "../../helm/template/template-set.ts";
import { messageData, type MessageSubject } from "./message-data.ts";

const defaultMessage = "Update from image update automation";
const name = "commit message";
const limits = { maxBytes: 4 * 1024 * 1024, maxSteps: 5_000_000 };

/** What Helm adds to Sprig, and what gives something else each time (Sprig's HermeticTxtFuncMap). */
const leftOut: ReadonlySet<string> = new Set([
  "fromJsonArray",
  "fromToml",
  "fromYaml",
  "fromYamlArray",
  "toToml",
  "toYaml",
  "toYamlPretty",
  "date",
  "date_in_zone",
  "date_modify",
  "now",
  "htmlDate",
  "htmlDateInZone",
  "dateInZone",
  "dateModify",
  "randAlphaNum",
  "randAlpha",
  "randAscii",
  "randNumeric",
  "randBytes",
  "uuidv4",
  "env",
  "expandenv",
  "getHostByName",
]);

/**
 * The message of an automation's commit, by Go's text/template with Sprig and Flux's data.
 * @throws FairleadError `config-invalid`, as {@link RemovedTemplateFieldError} for a field of earlier versions;
 *   `limit-exceeded`
 */
export function renderCommitMessage(template: string | undefined, subject: MessageSubject): string {
  if (template === undefined || template === "") return defaultMessage;
  const context = {
    budget: new RenderBudget(limits),
    random: createSystemRandom(),
    now: 0,
    tracking: false,
  };
  const set = new TemplateSet(functions(), context);
  try {
    set.parse({ name, text: toBytes(template) });
    return fromBytes(plainText(set.execute(name, messageData(subject))));
  } catch (error) {
    const isOfTemplate =
      error instanceof TemplateParseError || error instanceof TemplateExecError || error instanceof GoError;
    if (!isOfTemplate) throw error;
    throw new FairleadError(
      "config-invalid",
      `the template of the commit message: ${fromBytes(messageOf(error))}`,
      {
        cause: error,
      },
    );
  }
}

let table: FunctionTable | undefined;

function functions(): FunctionTable {
  table ??= {
    ...Object.fromEntries(Object.entries(templateFunctionsOf("helm3")).filter(([key]) => !leftOut.has(key))),
    fromJson: sprigFromJson,
  };
  return table;
}

/** Sprig's own, which gives nil for what is no JSON, where Helm's gives a map with an error in it. */
const sprigFromJson = define([parameters.value], ([text], context) => {
  try {
    return templateFunctionsOf("helm3")["mustFromJson"]?.call([text], context) ?? null;
  } catch (error) {
    if (error instanceof GoError) return null;
    throw error;
  }
});
