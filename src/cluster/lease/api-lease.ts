import { FairleadError } from "../../core/error.ts";
import type { ApiClient } from "../api/api-client.ts";
import type { ApiObject, ResourceType } from "../api/api-object.ts";
import type { LeasePort, LeaseRecord, StoredLease } from "./lease.ts";

/** The spec of a Lease as the API server gives it; anybody may have written it. */
interface LeaseObject extends ApiObject {
  readonly spec?: {
    readonly holderIdentity?: string | null;
    readonly leaseDurationSeconds?: number | null;
    readonly acquireTime?: string | null;
    readonly renewTime?: string | null;
    readonly leaseTransitions?: number | null;
  };
}

const leases: ResourceType = {
  group: "coordination.k8s.io",
  version: "v1",
  resource: "leases",
  namespaced: true,
};

/** A Lease at the API server. It takes the verbs `get`, `create` and `patch` on `leases`. */
export function apiLease(
  client: Pick<ApiClient, "get" | "create" | "patch">,
  name: { readonly namespace: string; readonly name: string },
): LeasePort {
  return {
    get: async (signal) =>
      unless("object-missing", async () => stored(await client.get<LeaseObject>(leases, name, { signal }))),
    create: async (record, signal) => {
      const lease = {
        apiVersion: "coordination.k8s.io/v1",
        kind: "Lease",
        metadata: name,
        spec: specOf(record),
      };
      return unless("object-conflict", async () =>
        stored(await client.create<LeaseObject>(leases, lease, { signal })),
      );
    },
    update: async (record, resourceVersion, signal) => {
      const body = { metadata: { resourceVersion }, spec: specOf(record) };
      const patch = async (): Promise<StoredLease> =>
        stored(await client.patch<LeaseObject>(leases, name, { type: "merge", body }, { signal }));
      return unless("object-missing", async () => unless("object-conflict", patch));
    },
  };
}

async function unless<Result>(
  code: "object-missing" | "object-conflict",
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FairleadError && error.code === code) return undefined;
    throw error;
  }
}

function stored({ metadata, spec }: LeaseObject): StoredLease {
  return {
    record: {
      holderIdentity: spec?.holderIdentity ?? "",
      leaseDurationSeconds: spec?.leaseDurationSeconds ?? 0,
      acquireTime: timeOf(spec?.acquireTime),
      renewTime: timeOf(spec?.renewTime),
      leaseTransitions: spec?.leaseTransitions ?? 0,
    },
    resourceVersion: metadata.resourceVersion,
  };
}

/** Of one that is not there, or is none, 1970. */
function timeOf(text: string | null | undefined): Date {
  const timeMs = Date.parse(text ?? "");
  return new Date(Number.isNaN(timeMs) ? 0 : timeMs);
}

function specOf({ acquireTime, renewTime, ...rest }: LeaseRecord): object {
  return { ...rest, acquireTime: formatTime(acquireTime), renewTime: formatTime(renewTime) };
}

/** A MicroTime has six decimals. */
function formatTime(time: Date): string {
  return time.toISOString().replace("Z", "000Z");
}
