import { randomUUID } from "node:crypto";
import type { Clock } from "../../core/clock.ts";
import type { ApiObject, ObjectMetadata } from "../api/api-object.ts";
import { apiVersionOf } from "../api/resource-types.ts";
import type { JsonObject } from "../conditions/status-patch.ts";
import { type DeclaredObject, isSecret } from "./declared-object.ts";
import type { FolderKind } from "./folder-kinds.ts";
import type { ObjectState } from "./folder-state.ts";
import {
  applyChanges,
  defined,
  diffMetadata,
  type MetadataChanges,
  type OpenMetadata,
} from "./metadata-changes.ts";

/** An object as it is served. */
export interface LiveObject extends ApiObject {
  readonly status?: JsonObject;
}

/** An object with what is known of it. */
export interface Held {
  readonly object: LiveObject;
  /** Its last manifest, where this process saw one. */
  readonly declared: DeclaredObject | undefined;
  /** It lives in memory alone. */
  readonly isTransient?: boolean;
}

/** What an object is without its manifest. */
type Identity = Pick<ObjectState, "uid" | "creationTimestamp" | "deletionTimestamp" | "generation">;

/** The identity of a new object; those of the core group have no generation. */
export function newIdentity({ type: { group } }: FolderKind, clock: Clock): Identity {
  const generation = group === "" ? undefined : 1;
  return {
    uid: randomUUID(),
    creationTimestamp: timestamp(clock),
    deletionTimestamp: undefined,
    generation,
  };
}

/**
 * An object that has a manifest from now on.
 * @param known what an earlier process knew of it
 */
export function appear(
  kind: FolderKind,
  declared: DeclaredObject,
  known: ObjectState | undefined,
  identity: Identity,
): Held {
  const { changes, status = kind.defaultStatus } = known ?? { changes: {}, status: declared.status };
  const isChanged = known?.digest !== undefined && known.digest !== declared.digest;
  const same = known === undefined ? identity : grown(known, isChanged);
  return { object: liveObject(kind, declared, same, changes, status), declared };
}

/** An object whose manifest has changed. What others have made of it stays, unless the manifest changed it too. */
export function redeclare(kind: FolderKind, before: Held, declared: DeclaredObject): Held {
  const { status, metadata } = before.object;
  const { uid, creationTimestamp = "", deletionTimestamp, generation } = metadata;
  const identity = { uid, creationTimestamp, deletionTimestamp, generation };
  const isChanged = before.declared?.digest !== declared.digest;
  return {
    object: liveObject(kind, declared, grown(identity, isChanged), changesOf(before), status),
    declared,
  };
}

/** An object that is deleted when its finalizers are gone. */
export function markDeleted(object: LiveObject, clock: Clock): LiveObject {
  const { metadata } = object;
  if (metadata.deletionTimestamp !== undefined) return object;
  const { generation } = metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      deletionTimestamp: timestamp(clock),
      ...(generation === undefined ? {} : { generation: generation + 1 }),
    },
  };
}

/** An object at a version. */
export function withVersion(object: LiveObject, version: number | string): LiveObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
}

/** The object that a manifest and the changes of others make, without its version. */
function liveObject(
  { type }: FolderKind,
  declared: DeclaredObject,
  identity: Identity,
  changes: MetadataChanges,
  status: JsonObject | undefined,
): LiveObject {
  const { meta, kind, namespace, finalizers, content } = declared;
  return {
    apiVersion: apiVersionOf(type),
    kind,
    metadata: liveMetadata(
      { name: meta.name, namespace },
      identity,
      applyChanges({ ...meta, finalizers }, changes),
    ),
    ...content,
    ...(status === undefined ? {} : { status }),
  };
}

function grown({ generation, ...identity }: Identity, isChanged: boolean): Identity {
  return { ...identity, generation: generation === undefined ? undefined : generation + Number(isChanged) };
}

function timestamp(clock: Clock): string {
  return `${new Date(clock.nowMs()).toISOString().slice(0, 19)}Z`;
}

/** An object whose manifest went while nobody looked: what it said is not known any more. */
export function orphan(
  kind: string,
  { type }: FolderKind,
  name: Pick<ObjectMetadata, "name"> & { readonly namespace: string | undefined },
  state: ObjectState,
): LiveObject {
  const { labels, finalizers, status, changes } = state;
  const changed = applyChanges({}, changes);
  return {
    apiVersion: apiVersionOf(type),
    kind,
    metadata: liveMetadata(name, state, { ...changed, ...defined({ labels, finalizers }) }),
    ...(status === undefined ? {} : { status }),
  };
}

/** What is to be kept of an object. */
export function stateOf({ object, declared }: Held, kind: FolderKind): ObjectState {
  const { uid, creationTimestamp = "", deletionTimestamp, generation, labels, finalizers } = object.metadata;
  return {
    file: declared?.meta.where.file,
    uid,
    creationTimestamp,
    deletionTimestamp,
    generation,
    digest: isSecret(kind) ? undefined : declared?.digest,
    labels,
    finalizers,
    changes: changesOf({ object, declared }),
    status: object.status,
  };
}

/** What others than the manifest have made of an object's metadata. */
function changesOf({ object, declared }: Held): MetadataChanges {
  const manifest = declared === undefined ? {} : { ...declared.meta, finalizers: declared.finalizers };
  return diffMetadata(manifest, object.metadata);
}

function liveMetadata(
  { name, namespace }: { readonly name: string; readonly namespace: string | undefined },
  { uid, creationTimestamp, deletionTimestamp, generation }: Identity,
  open: OpenMetadata,
): ObjectMetadata {
  const known = defined({ namespace, generation, deletionTimestamp });
  return { name, uid, resourceVersion: "", creationTimestamp, ...known, ...open };
}
