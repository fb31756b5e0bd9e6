import { FairleadError, messageOf } from "../../core/error.ts";
import { applyJsonPatch, applyMergePatch } from "../../imagespec/json/json-patch.ts";
import { equalJson, fromPlain, isJsonObject, toPlain } from "../../imagespec/json/value.ts";
import { isObject } from "../../registry/json-body.ts";
import type { Patch } from "../api/api-client.ts";
import type { ObjectMetadata } from "../api/api-object.ts";
import type { JsonObject } from "../conditions/status-patch.ts";
import type { LiveObject } from "./live-object.ts";

export interface PatchedPart {
  readonly subresource: string | undefined;
  /** Whether all may be changed, as no manifest says what is to be there. */
  readonly isOpen: boolean;
}

/**
 * Applies a patch to an object as the API server does for objects whose status is a subresource: a patch of the status
 * changes nothing else, and a patch of the object does not change the status.
 * @throws FairleadError `object-conflict` for another version than the object's, `object-invalid` for a patch
 *   that cannot be applied, or changes what the manifest alone may
 */
export function patchObject(object: LiveObject, patch: Patch, part: PatchedPart): LiveObject {
  if (patch.type === "apply") {
    throw invalid("apply patches need the owners of fields, which are not kept for the files of a folder");
  }
  const before = fromPlain(object);
  const patched = toPlain(patchedJson(before, patch));
  const metadata = isObject(patched) ? patched["metadata"] : undefined;
  if (!isObject(patched) || !isObject(metadata))
    throw invalid("the patch takes away what an object must have");
  failIfAnother(object, patched, metadata, part);
  return part.subresource === "status" ? withStatus(object, patched) : withMetadata(object, patched, part);
}

function patchedJson(before: ReturnType<typeof fromPlain>, patch: Patch): ReturnType<typeof fromPlain> {
  const body = fromPlain(patch.body);
  if (patch.type === "merge") return applyMergePatch(before, body);
  try {
    return applyJsonPatch(isJsonObject(before) ? before : new Map(), body);
  } catch (error) {
    throw invalid(`the patch cannot be applied: ${messageOf(error)}`, error);
  }
}

type Plain = Readonly<Record<string, unknown>>;

function failIfAnother(
  object: LiveObject,
  patched: Plain,
  metadata: Plain,
  { subresource }: PatchedPart,
): void {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  const { uid: askedUid = uid, resourceVersion: version = resourceVersion } = metadata;
  // Taking a version away asks for none.
  if (version !== resourceVersion && version !== "") {
    throw new FairleadError("object-conflict", "the object has changed since", { retryable: true });
  }
  if (
    metadata["name"] !== name ||
    metadata["namespace"] !== namespace ||
    patched["kind"] !== object.kind ||
    patched["apiVersion"] !== object.apiVersion ||
    (askedUid !== uid && subresource !== "status")
  ) {
    throw invalid("the patch makes another object of it");
  }
}

function withStatus({ status: _status, ...object }: LiveObject, { status }: Plain): LiveObject {
  if (status === undefined) return object;
  if (!isObject(status)) throw invalid("the status is no object");
  return { ...object, status: status as JsonObject };
}

function withMetadata(object: LiveObject, patched: Plain, { isOpen }: PatchedPart): LiveObject {
  const { status, metadata: old, ...content } = object;
  const { status: _status, metadata: _metadata, ...newContent } = patched;
  const metadata = openMetadata(old, patched["metadata"] as Plain);
  if (isOpen) return { ...newContent, metadata, ...(status === undefined ? {} : { status }) };
  if (!equalJson(fromPlain(newContent), fromPlain(content))) {
    throw invalid("the specification of an object is in its file, and is changed there");
  }
  return { ...object, metadata };
}

/** The rest of the metadata is the server's own. */
function openMetadata(old: ObjectMetadata, patched: Plain): ObjectMetadata {
  const { labels: _labels, annotations: _annotations, finalizers: _finalizers, ...own } = old;
  const labels = textsIn(patched, "labels");
  const annotations = textsIn(patched, "annotations");
  const finalizers = patched["finalizers"] ?? [];
  if (!Array.isArray(finalizers) || !finalizers.every((each) => typeof each === "string" && each !== "")) {
    throw invalid("the finalizers are no list of names");
  }
  const distinct: readonly string[] = finalizers;
  if (old.deletionTimestamp !== undefined && !distinct.every((each) => old.finalizers?.includes(each))) {
    throw invalid("an object that is being deleted takes no new finalizers");
  }
  return {
    ...own,
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(distinct.length === 0 ? {} : { finalizers: distinct }),
  };
}

function textsIn(metadata: Plain, part: string): Readonly<Record<string, string>> | undefined {
  const texts = metadata[part] ?? {};
  if (!isObject(texts) || !Object.values(texts).every((text) => typeof text === "string")) {
    throw invalid(`the ${part} are no map of texts`);
  }
  return Object.keys(texts).length === 0 ? undefined : (texts as Readonly<Record<string, string>>);
}

function invalid(message: string, cause?: unknown): FairleadError {
  return new FairleadError("object-invalid", message, { cause });
}
