import { objectKey, type ObjectMeta } from "../../objects/object-meta.ts";
import type { AutomationObjects } from "../objects/objects.ts";
import type { AutomationState } from "../state/automation-state.ts";
import type { StatusKind } from "../state/object-status.ts";
import { requestAnnotation } from "./request.ts";

/**
 * Objects as a cluster would have them: those that were asked for, by a webhook for one, carry the annotation that
 * says so.
 * @throws FairleadError `state-invalid`
 */
export function withRequests(objects: AutomationObjects, state: AutomationState): AutomationObjects {
  const annotate = <Value extends { readonly meta: ObjectMeta }>(
    kind: StatusKind,
    values: ReadonlyMap<string, Value>,
  ): ReadonlyMap<string, Value> =>
    new Map(
      Array.from(values.values(), (value) => {
        const { meta } = value;
        const requestedAt = state.request(kind, meta);
        const annotations = { ...meta.annotations, [requestAnnotation]: requestedAt ?? "" };
        return [
          objectKey(meta),
          requestedAt === undefined ? value : { ...value, meta: { ...meta, annotations } },
        ];
      }),
    );
  return {
    ...objects,
    imageRepositories: annotate("ImageRepository", objects.imageRepositories),
    imagePolicies: annotate("ImagePolicy", objects.imagePolicies),
    imageUpdateAutomations: annotate("ImageUpdateAutomation", objects.imageUpdateAutomations),
  };
}
