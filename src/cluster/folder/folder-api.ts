import { type Clock, steadyClock } from "../../core/clock.ts";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { FairleadError, messageOf } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import { scanFiles } from "../../objects/file-scan.ts";
import { FileWatcher } from "../../objects/file-watcher.ts";
import { isObject } from "../../registry/json-body.ts";
import type { RequestOptions } from "../../registry/registry-api.ts";
import type { DeleteOptions, ListOptions, Patch, WriteOptions } from "../api/api-client.ts";
import type { ApiList, ApiObject, ObjectName, ResourceType, WatchEvent } from "../api/api-object.ts";
import type { ObjectApi } from "../api/object-api.ts";
import { collectionPath, objectPath } from "../api/resource-path.ts";
import { apiVersionOf } from "../api/resource-types.ts";
import type { WatchOptions } from "../api/watch-stream.ts";
import { DeclaredFiles, type DeclaredObjects } from "./declared-files.ts";
import { declaredKinds } from "./declared-object.ts";
import { type FolderKind, folderKinds } from "./folder-kinds.ts";
import { FolderObjects } from "./folder-objects.ts";
import { openFolderState } from "./folder-state.ts";
import type { Held } from "./live-object.ts";
import { patchObject } from "./patched-object.ts";
import { createSelection } from "./selection.ts";
import type { ServedKind } from "./served-kind.ts";

export interface FolderApiOptions {
  /** Files and folders. */
  readonly paths: readonly string[];
  /** Where what is made of objects is kept over restarts; undefined: in memory. */
  readonly stateFile?: string | undefined;
  /** How often files are looked at, besides what the system tells of changes. */
  readonly pollMs: number;
  /** How long files that have changed are left alone before they are read; default: 200. */
  readonly settleMs?: number;
  /** Told of all that is wrong with files and objects, at first and when that changes; those that are well are served. */
  readonly onDiagnostics: (diagnostics: readonly Diagnostic[]) => void;
  readonly log: Logger;
  readonly clock?: Clock;
  /** The kinds of objects by their names; default: {@link folderKinds}. */
  readonly kinds?: ReadonlyMap<string, FolderKind>;
}

const maxEvents = 1_000;

/**
 * Serves the objects of files and folders of manifests as an API server does, from its start to
 * {@link FolderApi.close}. Files are read again when they change, and never written.
 * @throws FairleadError `input-unreadable`, `limit-exceeded` as findManifestFiles; `state-invalid`
 */
export async function openFolderApi(options: FolderApiOptions): Promise<FolderApi> {
  const {
    paths,
    stateFile,
    pollMs,
    settleMs,
    onDiagnostics,
    log,
    clock = steadyClock,
    kinds = folderKinds,
  } = options;
  const files = new DeclaredFiles(declaredKinds(kinds));
  const scan = await scanFiles(paths);
  const declared = await files.load(scan);
  const objects = new FolderObjects(kinds, await openFolderState(stateFile), clock);
  let told = "[]";
  const take = (taken: DeclaredObjects): void => {
    objects.declare(taken);
    const text = JSON.stringify(taken.diagnostics);
    if (text !== told) onDiagnostics(taken.diagnostics);
    told = text;
  };
  try {
    take(declared);
  } catch (error) {
    objects.close();
    throw error;
  }
  const onChange = async (changed: typeof scan): Promise<void> => take(await files.load(changed));
  const onFailure = (error: unknown): void => {
    log.error("the files cannot be loaded; the objects stay as they are", {
      file: error instanceof FairleadError ? error.where.file : undefined,
      error: messageOf(error),
    });
  };
  const watcher = FileWatcher.start(scan, { paths, pollMs, settleMs, log, onChange, onFailure });
  return new FolderApi(objects, watcher);
}

/** The objects of a folder of manifests, as an API server has them. See {@link openFolderApi}. */
export class FolderApi implements ObjectApi {
  readonly #objects: FolderObjects;
  readonly #watcher: FileWatcher;
  readonly #kinds: ReadonlyMap<string, ServedKind>;

  constructor(objects: FolderObjects, watcher: FileWatcher) {
    this.#objects = objects;
    this.#watcher = watcher;
    this.#kinds = new Map(
      Array.from(objects.kinds, (served) => [collectionPath(served.kind.type, undefined), served]),
    );
  }

  /** One object. @throws FairleadError `object-missing`, `object-invalid`, `aborted` */
  async get<Item extends ApiObject>(
    type: ResourceType,
    name: ObjectName,
    { signal }: RequestOptions = {},
  ): Promise<Item> {
    return answer(signal, () => this.#find(type, name).held.object as ApiObject as Item);
  }

  /** All objects of a kind, on one page. @throws FairleadError `object-missing` for a kind that is not served, `object-invalid` for a selector, `aborted` */
  async list<Item extends ApiObject>(type: ResourceType, options: ListOptions = {}): Promise<ApiList<Item>> {
    return answer(options.signal, () => ({
      items: this.#served(type).list(createSelection(type, options)) as readonly Item[],
      resourceVersion: String(this.#objects.version),
      continueToken: undefined,
    }));
  }

  /** What happens to the objects of a kind. @throws FairleadError `version-expired`, `object-invalid`, `object-missing`, `aborted` */
  watch<Item extends ApiObject>(type: ResourceType, options: WatchOptions): AsyncIterable<WatchEvent<Item>> {
    return this.#watch(type, options) as AsyncIterable<WatchEvent<Item>>;
  }

  /**
   * Creates an Event, which is kept in memory, and goes when there are too many.
   * @throws FairleadError `object-conflict`, `object-invalid`; `access-denied` for other kinds, which are created by
   *   writing files
   */
  async create<Item extends ApiObject>(
    type: ResourceType,
    object: { readonly metadata: { readonly namespace?: string } },
    { signal, dryRun }: WriteOptions = {},
  ): Promise<Item> {
    return answer(signal, () => {
      const served = this.#served(type);
      if (!isEvents(type)) {
        throw new FairleadError("access-denied", `${type.resource} of a folder are created by writing files`);
      }
      const { metadata, ...content } = JSON.parse(JSON.stringify(object)) as ApiObject;
      if (!isObject(metadata) || typeof metadata.name !== "string") {
        throw new FairleadError("object-invalid", "the object has no name");
      }
      const subject = objectPath(type, metadata);
      if (served.find(metadata.namespace, metadata.name) !== undefined) {
        throw new FairleadError("object-conflict", `${subject} is there already`, { retryable: true });
      }
      const whole = { ...content, apiVersion: apiVersionOf(type), kind: served.name, metadata };
      return (dryRun === true ? whole : this.#objects.create(served, whole, maxEvents)) as Item;
    });
  }

  /**
   * Changes the labels, annotations and finalizers of an object, or anything in an Event.
   * @throws FairleadError `object-missing`, `object-conflict`, `object-invalid` for what is in the object's file,
   *   `limit-exceeded`, `state-invalid`, `aborted`
   */
  async patch<Item extends ApiObject>(
    type: ResourceType,
    name: ObjectName,
    patch: Patch,
    { signal, dryRun, subresource }: WriteOptions & { readonly subresource?: string } = {},
  ): Promise<Item> {
    return answer(signal, () => {
      const { served, held } = this.#find(type, name, subresource);
      const isOpen = held.declared === undefined && isEvents(type);
      const object = patchObject(held.object, patch, { subresource, isOpen });
      return (dryRun === true ? object : this.#objects.replace(served, held, object)) as ApiObject as Item;
    });
  }

  /** {@link patch} of the status. */
  async patchStatus<Item extends ApiObject>(
    type: ResourceType,
    name: ObjectName,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<Item> {
    return this.patch(type, name, patch, { ...options, subresource: "status" });
  }

  /**
   * Deletes an object, or marks it for those whose finalizers it has. It comes back when its file is written anew.
   * @throws FairleadError `object-missing`, `object-conflict`, `state-invalid`, `aborted`
   */
  async delete(
    type: ResourceType,
    name: ObjectName,
    { signal, uid, resourceVersion }: DeleteOptions = {},
  ): Promise<void> {
    return answer(signal, () => {
      const { served, held } = this.#find(type, name);
      const { metadata } = held.object;
      if (
        (uid ?? metadata.uid) !== metadata.uid ||
        (resourceVersion ?? metadata.resourceVersion) !== metadata.resourceVersion
      ) {
        throw new FairleadError("object-conflict", `${objectPath(type, name)} has changed since`, {
          retryable: true,
        });
      }
      this.#objects.delete(served, held);
    });
  }

  /** Looks at the files no more, and ends all watches. */
  async close(): Promise<void> {
    await this.#watcher.stop();
    this.#objects.close();
  }

  async *#watch(type: ResourceType, options: WatchOptions): AsyncGenerator<WatchEvent<ApiObject>> {
    const { resourceVersion, timeoutSeconds, signal } = options;
    const subject = `the watch of ${collectionPath(type, options.namespace)}`;
    if (!/^\d{1,15}$/u.test(resourceVersion)) {
      throw new FairleadError("object-invalid", `${subject} begins at what is no version`);
    }
    const selects = createSelection(type, options);
    const watch = {
      subject,
      selects,
      version: Number(resourceVersion),
      timeoutMs: timeoutSeconds * 1_000,
      signal,
    };
    yield* this.#served(type).watch(watch, () => this.#objects.version);
  }

  #served(type: ResourceType): ServedKind {
    const served = this.#kinds.get(collectionPath(type, undefined));
    if (served !== undefined) return served;
    throw new FairleadError("object-missing", `there are no ${type.resource} in a folder`);
  }

  #find(
    type: ResourceType,
    name: ObjectName,
    subresource = "",
  ): { readonly served: ServedKind; readonly held: Held } {
    const subject = objectPath(type, name, subresource);
    const served = this.#served(type);
    const held = served.find(type.namespaced ? name.namespace : undefined, name.name);
    if (held === undefined || (subresource !== "" && subresource !== "status")) {
      throw new FairleadError("object-missing", `there is no ${subject}`);
    }
    return { served, held };
  }
}

/** Does what takes no time, unless it is not wanted any more. */
async function answer<Result>(signal: AbortSignal | undefined, work: () => Result): Promise<Result> {
  if (signal?.aborted === true) throw new FairleadError("aborted", "the call was stopped");
  return Promise.resolve(work());
}

function isEvents({ group, resource }: ResourceType): boolean {
  return group === "" && resource === "events";
}
