import { FairleadError, messageOf } from "../../core/error.ts";
import { RenderBudget } from "../../helm/go/context.ts";
import type { FunctionTable } from "../../helm/go/function.ts";
import { createSystemRandom } from "../../helm/go/random.ts";
import { plainText } from "../../helm/go/text.ts";
import { goTypes, type GoType } from "../../helm/go/type.ts";
import { fromBytes, toBytes } from "../../helm/go/utf8.ts";
import { GoError, GoMap, GoStruct } from "../../helm/go/value.ts";
import { templateFunctionsOf } from "../../helm/render/template-functions.ts";
import { TemplateExecError } from "../../helm/template/exec-error.ts";
import { TemplateParseError } from "../../helm/template/template-error.ts";
import { TemplateSet } from "../../helm/template/template-set.ts";
import type { NotificationEvent, ObjectReference } from "../event.ts";
import type { Alert } from "../objects/alert.ts";

/** The annotation of an Alert that holds a Go template for the text of its notifications. */
const templateAnnotation = "notification.fairlead.dev/template";

const name = "template";
const limits = { maxBytes: 1024 * 1024, maxSteps: 500_000 };

/** Functions that give something else each time, that ask the machine, or that take long for their keys. */
const leftOut =
  /^(?:now|ago|rand.*|uuidv4|env|expandenv|getHostByName|gen[A-Z].*|buildCustomCert|derivePassword|bcrypt|htpasswd|(?:en|de)cryptAES|shuffle)$/u;

export interface MessageSubject {
  readonly event: NotificationEvent;
  /** As RFC-0008 combines it. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly alert: Pick<Alert, "meta">;
}

/**
 * The text of a notification by its Alert's own Go template, with Sprig's and Helm's functions.
 * @returns undefined where the Alert has no template, or it gives nothing
 * @throws FairleadError `config-invalid`, `limit-exceeded`
 */
export function renderMessage({ event, metadata, alert }: MessageSubject): string | undefined {
  const template = alert.meta.annotations[templateAnnotation];
  if (template === undefined || template.trim() === "") return undefined;
  const context = {
    budget: new RenderBudget(limits),
    random: createSystemRandom(),
    now: Date.parse(event.timestamp),
    tracking: false,
  };
  try {
    const set = new TemplateSet(functions(), context);
    set.parse({ name, text: toBytes(template) });
    const text = fromBytes(plainText(set.execute(name, messageData({ event, metadata, alert })))).trim();
    return text === "" ? undefined : text;
  } catch (cause) {
    const isOfTemplate =
      cause instanceof TemplateParseError || cause instanceof TemplateExecError || cause instanceof GoError;
    if (!isOfTemplate && !(cause instanceof FairleadError)) throw cause;
    const problem = isOfTemplate ? fromBytes(messageOf(cause)) : messageOf(cause);
    const code = cause instanceof FairleadError ? cause.code : "config-invalid";
    throw new FairleadError(code, `the annotation ${templateAnnotation}: ${problem}`, { cause });
  }
}

let table: FunctionTable | undefined;

function functions(): FunctionTable {
  table ??= Object.fromEntries(
    Object.entries(templateFunctionsOf("helm3")).filter(([key]) => !leftOut.test(key)),
  );
  return table;
}

const dataType: GoType = { name: "event.Notification", kind: "struct", named: true };
const referenceType: GoType = { name: "event.ObjectReference", kind: "struct", named: true };
const alertType: GoType = { name: "types.NamespacedName", kind: "struct", named: true };

/** What a template sees: the event by the names of Flux's Go struct, its metadata combined, and the Alert. */
function messageData({ event, metadata, alert }: MessageSubject): GoStruct {
  const texts = Object.entries(metadata).map(([key, value]) => [toBytes(key), toBytes(value)] as const);
  return new GoStruct(dataType, [
    ["InvolvedObject", referenceData(event.involvedObject)],
    ["Severity", event.severity],
    ["Timestamp", toBytes(event.timestamp)],
    ["Message", toBytes(event.message)],
    ["Reason", toBytes(event.reason)],
    ["Action", toBytes(event.action ?? "")],
    ["Metadata", new GoMap(texts, goTypes.stringMap)],
    ["ReportingController", toBytes(event.reportingController)],
    ["ReportingInstance", toBytes(event.reportingInstance ?? "")],
    [
      "Alert",
      new GoStruct(alertType, [
        ["Namespace", toBytes(alert.meta.namespace)],
        ["Name", toBytes(alert.meta.name)],
      ]),
    ],
  ]);
}

function referenceData({ apiVersion = "", kind, namespace, name, uid = "" }: ObjectReference): GoStruct {
  return new GoStruct(referenceType, [
    ["APIVersion", toBytes(apiVersion)],
    ["Kind", toBytes(kind)],
    ["Namespace", toBytes(namespace)],
    ["Name", toBytes(name)],
    ["UID", toBytes(uid)],
  ]);
}
