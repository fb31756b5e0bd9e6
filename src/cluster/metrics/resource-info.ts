import type { Labels } from "../../serving/metric.ts";
import { resourceTypes, type WatchedKind } from "../api/resource-types.ts";
import type { StatusObject } from "../controllers/kind-reconciler.ts";
import { isObject } from "../../registry/json-body.ts";

/** Beside those of all kinds, by their paths. A Receiver's path is the secret of those who may call it. */
const ownLabels: Readonly<Record<string, readonly [label: string, ...path: readonly string[]]>> = {
  ImageRepository: ["image", "spec", "image"],
  ImagePolicy: ["source_name", "spec", "imageRepositoryRef", "name"],
  ImageUpdateAutomation: ["source_name", "spec", "sourceRef", "name"],
};

/**
 * The labels of `gotk_resource_info` for an object, as Flux's configuration of kube-state-metrics makes them; and the
 * reason of its Ready condition. A label is absent where the object does not say what it stands for.
 */
export function resourceLabels(kind: string, object: StatusObject): Labels {
  const { group, version } = resourceTypes[kind as WatchedKind] ?? { group: "", version: "" };
  const { name, namespace = "" } = object.metadata;
  const ready = object.status?.conditions?.find(({ type }) => type === "Ready");
  const [label, ...path] = ownLabels[kind] ?? [];
  const own = label === undefined ? undefined : valueAt(object, path);
  return {
    customresource_group: group,
    customresource_kind: kind,
    customresource_version: version,
    exported_namespace: namespace,
    name,
    ...(ready === undefined ? {} : { ready: ready.status, reason: ready.reason }),
    suspended: String(valueAt(object, ["spec", "suspend"]) === true),
    ...(label === undefined || typeof own !== "string" ? {} : { [label]: own }),
  };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const key of path) found = isObject(found) ? found[key] : undefined;
  return found;
}
