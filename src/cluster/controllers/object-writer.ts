import { FairleadError } from "../../core/error.ts";
import type { RequestOptions } from "../../registry/registry-api.ts";
import type { ResourceType } from "../api/api-object.ts";
import type { ObjectApi } from "../api/object-api.ts";
import { type JsonObject, statusPatch } from "../conditions/status-patch.ts";
import { fluxFinalizer, type StatusObject } from "./kind-reconciler.ts";

/** How often a write is made anew on what others have written. */
const maxConflicts = 10;
const fieldManager = "fairlead";

/** Writes what a controller knows into objects of a kind, through the changes of others. */
export class ObjectWriter {
  readonly #api: Pick<ObjectApi, "get" | "patch" | "patchStatus">;
  readonly #type: ResourceType;

  constructor(api: Pick<ObjectApi, "get" | "patch" | "patchStatus">, type: ResourceType) {
    this.#api = api;
    this.#type = type;
  }

  /**
   * Writes a status where it differs from that of the object.
   * @param statusOf the status that an object is to have; asked again for what others have made of it
   * @returns the object as it is then; undefined where it is gone, or another one has its name
   * @throws FairleadError what the API throws, `object-conflict` where others never cease to write
   */
  async writeStatus(
    object: StatusObject,
    statusOf: (object: StatusObject) => JsonObject,
    options: RequestOptions = {},
  ): Promise<StatusObject | undefined> {
    return this.#write(object, options, async (current) => {
      const patch = statusPatch(current.status ?? {}, statusOf(current));
      if (patch === undefined) return current;
      const body = { metadata: versionOf(current), status: patch };
      return this.#api.patchStatus(
        this.#type,
        current.metadata,
        { type: "merge", body },
        { ...options, fieldManager },
      );
    });
  }

  /** Adds Flux's finalizer, or takes it away. @returns as {@link writeStatus} @throws as it does */
  async setFinalizer(
    object: StatusObject,
    isSet: boolean,
    options: RequestOptions = {},
  ): Promise<StatusObject | undefined> {
    return this.#write(object, options, async (current) => {
      const { finalizers = [] } = current.metadata;
      if (finalizers.includes(fluxFinalizer) === isSet) return current;
      const others = finalizers.filter((finalizer) => finalizer !== fluxFinalizer);
      return this.#patch(current, { finalizers: isSet ? [...others, fluxFinalizer] : others }, options);
    });
  }

  /** Sets an annotation, or takes it away. @returns as {@link writeStatus} @throws as it does */
  async setAnnotation(
    object: StatusObject,
    name: string,
    value: string | undefined,
    options: RequestOptions = {},
  ): Promise<StatusObject | undefined> {
    return this.#write(object, options, async (current) => {
      if (current.metadata.annotations?.[name] === value) return current;
      return this.#patch(current, { annotations: { [name]: value ?? null } }, options);
    });
  }

  async #patch(current: StatusObject, changes: JsonObject, options: RequestOptions): Promise<StatusObject> {
    const patch = { type: "merge", body: { metadata: { ...versionOf(current), ...changes } } } as const;
    return this.#api.patch(this.#type, current.metadata, patch, { ...options, fieldManager });
  }

  async #write(
    object: StatusObject,
    options: RequestOptions,
    write: (current: StatusObject) => Promise<StatusObject>,
  ): Promise<StatusObject | undefined> {
    let current = object;
    for (let conflicts = 0; ; conflicts++) {
      try {
        return await write(current);
      } catch (error) {
        if (!(error instanceof FairleadError)) throw error;
        if (error.code === "object-missing") return undefined;
        if (error.code !== "object-conflict" || conflicts === maxConflicts) throw error;
      }
      const newer = await this.#tryGet(object, options);
      if (newer === undefined || newer.metadata.uid !== object.metadata.uid) return undefined;
      current = newer;
    }
  }

  async #tryGet({ metadata }: StatusObject, options: RequestOptions): Promise<StatusObject | undefined> {
    try {
      return await this.#api.get<StatusObject>(this.#type, metadata, options);
    } catch (error) {
      if (error instanceof FairleadError && error.code === "object-missing") return undefined;
      throw error;
    }
  }
}

/** A write that names them is refused where the object has changed since, or is another one. */
function versionOf({ metadata: { uid, resourceVersion } }: StatusObject): {
  readonly uid: string;
  readonly resourceVersion: string;
} {
  return { uid, resourceVersion };
}
