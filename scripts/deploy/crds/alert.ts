import { objectSelection, status } from "./common-schemas.ts";
import { ageColumn, type CustomResource, readyColumns } from "./custom-resource-definition.ts";
import { flag, list, localReference, object, text, textMap, texts } from "./schema.ts";

export const alert: CustomResource = {
  group: "notification.toolkit.fluxcd.io",
  version: "v1beta3",
  kind: "Alert",
  plural: "alerts",
  columns: [ageColumn, ...readyColumns],
  description: "Which events go to which Provider.",
  spec: object(
    "Which events are forwarded, and what is added to them.",
    {
      providerRef: localReference("The Provider that events go to."),
      eventSources: list(
        "The objects whose events count.",
        object("Objects of a kind.", objectSelection, { required: ["kind", "name"] }),
      ),
      eventSeverity: text("info takes all events, error those of errors alone.", {
        enum: ["info", "error"],
        default: "info",
      }),
      inclusionList: texts("Expressions, one of which has to match the message where there are some."),
      exclusionList: texts("Expressions, none of which may match the message."),
      eventMetadata: textMap("Metadata that is added to events."),
      summary: text("A summary that is added to events; deprecated for eventMetadata.summary.", {
        maxLength: 255,
      }),
      suspend: flag("Whether forwarding is suspended."),
    },
    { required: ["eventSources", "providerRef"] },
  ),
  status: status(),
};
