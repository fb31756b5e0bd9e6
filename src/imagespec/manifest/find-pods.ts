import { isYamlMap } from "../../yaml/value.ts";
import { containerLists, type Workload, workloadOfKind } from "../convert/workloads.ts";
import { Place } from "./place.ts";
import type { WrittenDocument } from "./written-document.ts";

/** A pod or a pod template. */
export interface FoundPod {
  /** Has `metadata` and `spec`. */
  readonly place: Place;
  readonly containers: readonly Place[];
}

/** Lists within lists are followed no deeper. */
const maxListDepth = 8;

/** The pods and pod templates of a document: of a workload, or of those in a list. */
export function findPods({ value, root }: WrittenDocument): readonly FoundPod[] {
  return podsAt(new Place([], value, root, { offset: root.start }), undefined, 0);
}

/** @param listed what an item is whose list tells it, as that of the API's own lists does */
function podsAt(object: Place, listed: Workload | undefined, depth: number): readonly FoundPod[] {
  if (!isYamlMap(object.value)) return [];
  const { kind, apiVersion } = object.value;
  const isNamed = typeof kind === "string" && typeof apiVersion === "string";
  const workload = isNamed ? workloadOfKind(apiVersion, kind) : listed;
  if (workload !== undefined) return podOf(object, workload);
  if (!isNamed || !kind.endsWith("List") || depth >= maxListDepth) return [];
  const ofItems = workloadOfKind(apiVersion, kind.slice(0, -"List".length));
  if (ofItems === undefined && (kind !== "List" || apiVersion !== "v1")) return [];
  return object
    .child("items")
    .items()
    .flatMap((item) => podsAt(item, ofItems, depth + 1));
}

function podOf(object: Place, { templatePath }: Workload): readonly FoundPod[] {
  const place = templatePath.reduce((parent, key) => parent.child(key), object);
  const spec = place.child("spec");
  const containers = containerLists.flatMap((list) =>
    spec
      .child(list)
      .items()
      .filter((container) => isYamlMap(container.value)),
  );
  return containers.length === 0 ? [] : [{ place, containers }];
}
