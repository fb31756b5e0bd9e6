import { FairleadError } from "../../core/error.ts";
import type { ObjectName, ResourceType } from "./api-object.ts";

/**
 * The path of a kind's collection: of one namespace, or of all.
 * @throws FairleadError `object-invalid` for a namespace that can be none
 */
export function collectionPath(
  { group, version, resource, namespaced }: ResourceType,
  namespace: string | undefined,
): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const isLimited = namespaced && namespace !== undefined;
  return `${root}${isLimited ? `/namespaces/${segment(namespace)}` : ""}/${resource}`;
}

/**
 * The path of one object, or of a subresource of it.
 * @throws FairleadError `object-invalid` for names that can be none
 */
export function objectPath(type: ResourceType, { namespace, name }: ObjectName, subresource = ""): string {
  if (type.namespaced && namespace === undefined) {
    throw new FairleadError("object-invalid", `${type.resource} are in namespaces, and none is named`);
  }
  const path = `${collectionPath(type, namespace)}/${segment(name)}`;
  return subresource === "" ? path : `${path}/${subresource}`;
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Parameters as a query with its question mark; those that are undefined are left out. */
export function queryText(parameters: Query): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.append(name, String(value));
  }
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/** Names come from objects that users write: none may lead to another path. */
function segment(name: string): string {
  if (/^\.{0,2}$|[/%]/u.test(name)) {
    throw new FairleadError("object-invalid", `${JSON.stringify(name)} is no name of an object`);
  }
  return encodeURIComponent(name);
}
