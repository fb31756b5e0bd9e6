import { FairleadError } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { matchesSelector } from "../../objects/label-selector.ts";
import { tryParseLabelSelector } from "../../objects/parse-label-selector.ts";
import { isObject } from "../../registry/json-body.ts";
import type { ApiObject, ResourceType } from "../api/api-object.ts";

/** Which objects of a kind are asked for. */
export interface SelectionOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** Whether an object is selected. */
export type Selection = (object: ApiObject) => boolean;

/**
 * What a list or a watch asks for, as Kubernetes reads it: labels by equality and by sets; fields are `metadata.name`
 * and `metadata.namespace`, and those of Events that tell what they are about.
 * @throws FairleadError `object-invalid` for a selector that is none
 */
export function createSelection(type: ResourceType, options: SelectionOptions): Selection {
  const namespace = type.namespaced ? options.namespace : undefined;
  const matchExpressions = tryParseLabelSelector(options.labelSelector ?? "");
  if (matchExpressions === undefined) throw invalid("label", options.labelSelector ?? "");
  const selector = { matchLabels: {}, matchExpressions };
  const fields = parseFieldSelector(type, options.fieldSelector ?? "");
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) &&
    matchesSelector(object.metadata.labels ?? {}, selector) &&
    fields.every(({ path, value, isEqual }) => (fieldAt(object, path) === value) === isEqual);
}

interface FieldTerm {
  readonly path: readonly string[];
  readonly value: string;
  readonly isEqual: boolean;
}

const eventField = /^(?:involvedObject\.[A-Za-z]+|reason|type)$/u;

function parseFieldSelector(type: ResourceType, text: string): readonly FieldTerm[] {
  if (text.trim() === "") return [];
  return text.split(",").map((term) => {
    const groups = /^\s*(?<field>[A-Za-z.]+)(?<sign>==?|!=)(?<value>[^=!]*?)\s*$/u.exec(term)?.groups;
    const { field = "", sign, value = "" } = groups ?? {};
    const isKnown =
      field === "metadata.name" ||
      (field === "metadata.namespace" && type.namespaced) ||
      (type.group === "" && type.resource === "events" && eventField.test(field));
    if (!isKnown) throw invalid("field", text);
    return { path: field.split("."), value, isEqual: sign !== "!=" };
  });
}

function fieldAt(object: ApiObject, path: readonly string[]): string {
  let value: unknown = object;
  for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof value === "string" ? value : "";
}

function invalid(kind: "label" | "field", text: string): FairleadError {
  return new FairleadError("object-invalid", `${excerpt(JSON.stringify(text))} is no ${kind} selector`);
}
