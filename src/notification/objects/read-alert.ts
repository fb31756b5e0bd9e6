import { excerpt } from "../../core/escape.ts";
import type { FieldReader } from "../../objects/field-reader.ts";
import type { ObjectMeta } from "../../objects/object-meta.ts";
import { optionalField } from "../../objects/optional-field.ts";
import { readLocalReference } from "../../objects/read-meta.ts";
import { tryCompilePattern } from "../alert/message-pattern.ts";
import type { Alert, AlertSpec } from "./alert.ts";
import { readObjectSelection } from "./read-object-selection.ts";

const maxSummaryLength = 255;

/** Reads an Alert of v1beta3, or of v1, which has no summary. */
export function readAlert(fields: FieldReader, meta: ObjectMeta): Alert {
  const apiVersion = fields.text("apiVersion") ?? "";
  const spec = fields.requiredMap("spec");
  const providerRef = readLocalReference(spec, "providerRef");
  if (providerRef === undefined) spec.problem("providerRef", "is required");
  const alert: Alert = {
    kind: "Alert",
    apiVersion,
    meta,
    spec: {
      providerRef: providerRef ?? { name: "" },
      eventSources: readEventSources(spec),
      eventSeverity: spec.choice("eventSeverity", ["info", "error"], "info"),
      inclusionList: readPatterns(spec, "inclusionList"),
      exclusionList: readPatterns(spec, "exclusionList"),
      eventMetadata: spec.textMap("eventMetadata"),
      ...optionalField("summary", readSummary(spec, apiVersion)),
      suspend: spec.boolean("suspend"),
    },
  };
  spec.warnOfOthers();
  return alert;
}

function readEventSources(spec: FieldReader): AlertSpec["eventSources"] {
  if (!spec.has("eventSources")) spec.problem("eventSources", "is required");
  return spec.maps("eventSources").map((source) => {
    const selection = readObjectSelection(source);
    source.warnOfOthers();
    return selection;
  });
}

/** A pattern that is none is passed over when events are matched, as Flux does it. */
function readPatterns(spec: FieldReader, key: "inclusionList" | "exclusionList"): readonly string[] {
  const patterns = spec.texts(key);
  for (const [index, pattern] of patterns.entries()) {
    const compiled = tryCompilePattern(pattern);
    if ("matches" in compiled) continue;
    spec.problems.push({
      path: ["spec", key, index],
      message: `spec.${key}[${index}] is no regular expression and counts for nothing: ${excerpt(compiled.problem)}`,
      hint: "expressions are those of RE2, without look-around and back-references",
      isWarning: true,
    });
  }
  return patterns;
}

function readSummary(spec: FieldReader, apiVersion: string): string | undefined {
  const summary = spec.text("summary", { maxLength: maxSummaryLength });
  if (summary === undefined || !apiVersion.endsWith("/v1")) return summary;
  spec.problem("summary", "is no field of Alert v1", "use spec.eventMetadata.summary");
  return undefined;
}
