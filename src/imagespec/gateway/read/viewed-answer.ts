import { type Workload, workloadOfResource } from "../../convert/workloads.ts";
import type { ApiRequest } from "../api-exchange.ts";
import type { JsonLayout } from "./json-view.ts";

/** What the answer to a request is made of. */
export interface ViewedAnswer {
  readonly workload: Workload;
  readonly layout: JsonLayout;
}

/** Those that answer with the object itself. */
const objectSubresources: ReadonlySet<string> = new Set(["ephemeralcontainers", "resize", "status"]);

const layouts: ReadonlyMap<string, JsonLayout> = new Map([
  ["get", "objects"],
  ["create", "objects"],
  ["update", "objects"],
  ["patch", "objects"],
  ["delete", "objects"],
  ["list", "list"],
  ["deletecollection", "list"],
  ["watch", "events"],
]);

/** What a request is answered with; undefined where the answer holds no containers. */
export function viewedAnswer({ info, method }: ApiRequest): ViewedAnswer | undefined {
  const { resource, verb } = info;
  const layout = layouts.get(verb);
  if (resource === undefined || layout === undefined || method === "HEAD") return undefined;
  const workload = workloadOfResource(resource.group, resource.resource);
  if (workload === undefined) return undefined;
  const isObject = resource.subresource === undefined || objectSubresources.has(resource.subresource);
  return isObject ? { workload, layout } : undefined;
}
