import { requestAnnotation } from "../../automation/run/request.ts";
import type { Trigger } from "../../notification/receivers/handle-webhook.ts";
import type { ObjectApi } from "../api/object-api.ts";
import { sourceType } from "./source-type.ts";

const timeoutMs = 10_000;

/** Has objects of a cluster looked at anew, as `flux reconcile` does: by the annotation that their controllers watch. */
export function createClusterTrigger(api: Pick<ObjectApi, "patch">): Trigger {
  return async ({ apiVersion, kind, namespace, name, requestedAt }) => {
    const body = { metadata: { annotations: { [requestAnnotation]: requestedAt } } };
    const patch = { type: "merge", body } as const;
    await api.patch(sourceType(kind, apiVersion), { namespace, name }, patch, {
      fieldManager: "fairlead",
      timeoutMs,
    });
  };
}
