import { escapeLine } from "../../core/escape.ts";
import type {
  AlertExplanation,
  DeliveryExplanation,
  EventExplanation,
  MetadataExplanation,
} from "../../notification/explain/explain-event.ts";
import type { MaskedMessage } from "../../notification/explain/masked-message.ts";
import type { Colours } from "./terminal.ts";

/** What would become of an event, for people, safe to print. */
export function formatEventExplanation(explanation: EventExplanation, colours: Colours): string {
  const { object, severity, ignoredMetadata, alerts } = explanation;
  const titled = (title: string, text: string, details: readonly string[]): string[] => [
    `${colours.bold(title)}  ${escapeLine(text)}`,
    ...details.map((detail) => `  ${escapeLine(detail)}`),
  ];
  const lines = [
    ...titled("event", `${object.kind}/${object.namespace}/${object.name} (${severity})`, [
      ...(ignoredMetadata.length === 0 ? [] : [`metadata that is not sent: ${ignoredMetadata.join(", ")}`]),
      ...(alerts.length === 0 ? ["there are no Alerts"] : []),
    ]),
    ...alerts.flatMap((alert) => titled("alert", describeVerdict(alert), describeAlert(alert))),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function describeVerdict({ alert, isMatch, reason = "" }: AlertExplanation): string {
  return `${alert} ${isMatch ? "matches" : `does not match: ${reason}`}`;
}

function describeAlert({ warnings, delivery }: AlertExplanation): readonly string[] {
  return [
    ...warnings.map((warning) => `warning: ${warning}`),
    ...(delivery === undefined ? [] : describeDelivery(delivery)),
  ];
}

function describeDelivery(delivery: DeliveryExplanation): readonly string[] {
  const { provider, type, metadata, text, messages, problem } = delivery;
  return [
    ...metadata.map(describeMetadata),
    ...(text === undefined ? [] : ["text:", ...text.split("\n").map((line) => `  ${line}`)]),
    `provider ${provider} (${type})`,
    ...(problem === undefined ? [] : [`  problem: ${problem}`]),
    ...messages.flatMap(describeMessage),
  ];
}

function describeMetadata({ key, value, source, overridden }: MetadataExplanation): string {
  const lost = overridden.length === 0 ? "" : `, over ${overridden.join(", ")}`;
  return `${key} = ${value}  (${source}${lost})`;
}

function describeMessage({ method, target, headers, body }: MaskedMessage): readonly string[] {
  return [
    `  ${method} ${target}`,
    ...Object.entries(headers).map(([name, value]) => `    ${name}: ${value}`),
    ...(body === "" ? [] : body.split("\n").map((line) => `    ${line}`)),
  ];
}
