import type { Dispatcher } from "undici";
import { FairleadError } from "../../core/error.ts";
import { isObject, tryParseJsonObject } from "../../registry/json-body.ts";
import type { RequestOptions } from "../../registry/registry-api.ts";
import { pause, withCall } from "../../registry/transport/call.ts";
import { malformed } from "./api-failure.ts";
import type { ApiList, ApiObject, ObjectName, ResourceType, WatchEvent } from "./api-object.ts";
import { ApiTransport, type ApiTransportOptions } from "./api-transport.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { collectionPath, objectPath, type Query, queryText } from "./resource-path.ts";
import { asApiObject } from "./watch-frames.ts";
import { type WatchOptions, watchCollection } from "./watch-stream.ts";

export interface ApiClientOptions extends ApiTransportOptions {
  /** Of a call with its retries; default: 30,000. */
  readonly timeoutMs?: number;
  /** The most that one answer may hold; default: 64 MiB. */
  readonly maxResponseBytes?: number;
  /** The most that one event of a watch may hold; default: 8 MiB. */
  readonly maxEventBytes?: number;
}

export interface ListOptions extends RequestOptions {
  /** Default: all. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** How many objects a page has; default: all are on one. */
  readonly limit?: number | undefined;
  /** Of the page before. */
  readonly continueToken?: string | undefined;
}

export interface WriteOptions extends RequestOptions {
  /** Who owns the fields that are written; needed to apply. */
  readonly fieldManager?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

/** A change to an object; with a resource version in a merge, the object must not have changed since. */
export type Patch =
  | { readonly type: "merge"; readonly body: object }
  | { readonly type: "json"; readonly body: readonly object[] }
  /** Server-side apply; `force` takes fields from other managers. */
  | { readonly type: "apply"; readonly body: object; readonly force?: boolean };

export interface DeleteOptions extends RequestOptions {
  /** Another object of the same name is left alone. */
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan" | undefined;
}

const patchTypes = {
  merge: "application/merge-patch+json",
  json: "application/json-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

const defaults = { timeoutMs: 30_000, maxResponseBytes: 64 * 1024 * 1024, maxEventBytes: 8 * 1024 * 1024 };
const maxAttempts = 10;

interface Sent {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: Query;
  readonly contentType?: string;
  readonly body?: unknown;
}

/**
 * A client of the Kubernetes API for objects of any kind. What a busy server asks to send again is sent again within
 * the time of the call. Every call may throw a FairleadError:
 * `access-denied`, `object-missing`, `object-conflict`, `object-invalid`, `version-expired` as the API server says;
 * `upstream-unreachable`, `upstream-failed`, `limit-exceeded`, `credentials-invalid`, `timeout`, `aborted`.
 */
export class ApiClient {
  readonly #transport: ApiTransport;
  readonly #options: typeof defaults;

  constructor(access: ClusterAccess, options: ApiClientOptions = {}) {
    this.#transport = new ApiTransport(access, options);
    this.#options = { ...defaults, ...options };
  }

  /** One object. */
  async get<Item extends ApiObject>(
    type: ResourceType,
    name: ObjectName,
    options: RequestOptions = {},
  ): Promise<Item> {
    return this.#object({ method: "GET", path: objectPath(type, name) }, options);
  }

  /** One page of the objects of a kind; each has its kind and version, which the API server leaves out in some. */
  async list<Item extends ApiObject>(type: ResourceType, options: ListOptions = {}): Promise<ApiList<Item>> {
    const path = collectionPath(type, options.namespace);
    const { labelSelector, fieldSelector, limit, continueToken } = options;
    const query = { labelSelector, fieldSelector, limit, continue: continueToken };
    const { items, metadata, apiVersion, kind } = await this.#call({ method: "GET", path, query }, options);
    const subject = `GET ${path}`;
    const version = isObject(metadata) ? metadata["resourceVersion"] : undefined;
    if (!Array.isArray(items) || !isObject(metadata) || typeof version !== "string" || version === "") {
      throw malformed(subject, "what is no list");
    }
    const told = { apiVersion, kind: typeof kind === "string" ? kind.replace(/List$/u, "") : undefined };
    const next = metadata["continue"];
    return {
      items: items.map((item: unknown) => withKind(asApiObject(item, subject), told) as Item),
      resourceVersion: version,
      continueToken: typeof next === "string" && next !== "" ? next : undefined,
    };
  }

  /** Creates an object; one of its name that is there is an `object-conflict`. */
  async create<Item extends ApiObject>(
    type: ResourceType,
    object: { readonly metadata: { readonly namespace?: string } },
    options: WriteOptions = {},
  ): Promise<Item> {
    const path = collectionPath(type, type.namespaced ? (object.metadata.namespace ?? "") : undefined);
    const query = writeQuery(options);
    return this.#object(
      { method: "POST", path, query, contentType: "application/json", body: object },
      options,
    );
  }

  /** Creates what a subresource of an object stands for, such as the `token` of a ServiceAccount. */
  async createSubresource<Item extends ApiObject>(
    type: ResourceType,
    name: ObjectName,
    subresource: string,
    object: object,
    options: RequestOptions = {},
  ): Promise<Item> {
    const path = objectPath(type, name, subresource);
    return this.#object({ method: "POST", path, contentType: "application/json", body: object }, options);
  }

  /** Changes an object, or a subresource of it; to apply makes it where it is not there. */
  async patch<Item extends ApiObject>(
    type: ResourceType,
    name: ObjectName,
    patch: Patch,
    options: WriteOptions & { readonly subresource?: string } = {},
  ): Promise<Item> {
    const force = patch.type === "apply" ? patch.force : undefined;
    return this.#object(
      {
        method: "PATCH",
        path: objectPath(type, name, options.subresource),
        query: { ...writeQuery(options), force },
        contentType: patchTypes[patch.type],
        body: patch.body,
      },
      options,
    );
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

  /** Deletes an object, or marks it for those whose finalizers it has. */
  async delete(type: ResourceType, name: ObjectName, options: DeleteOptions = {}): Promise<void> {
    const { uid, resourceVersion, propagationPolicy } = options;
    const body = {
      apiVersion: "v1",
      kind: "DeleteOptions",
      propagationPolicy,
      preconditions: { uid, resourceVersion },
    };
    const path = objectPath(type, name);
    await this.#call({ method: "DELETE", path, contentType: "application/json", body }, options);
  }

  /**
   * What happens to the objects of a kind, until the server ends it, which it does after `timeoutSeconds`. It is never
   * begun again by itself.
   * @throws FairleadError also `version-expired` where the server no longer knows the version to begin from, and
   *   `timeout` where it was silent for longer than it may be
   */
  watch<Item extends ApiObject>(type: ResourceType, options: WatchOptions): AsyncIterable<WatchEvent<Item>> {
    return watchCollection(
      this.#transport,
      collectionPath(type, options.namespace),
      options,
      this.#options.maxEventBytes,
    );
  }

  /** Ends all that runs. */
  async close(): Promise<void> {
    await this.#transport.close();
  }

  async #object<Item extends ApiObject>(sent: Sent, options: RequestOptions): Promise<Item> {
    return asApiObject(await this.#call(sent, options), `${sent.method} ${sent.path}`) as Item;
  }

  async #call(sent: Sent, options: RequestOptions): Promise<Readonly<Record<string, unknown>>> {
    const { signal, timeoutMs = this.#options.timeoutMs } = options;
    const request = {
      subject: `${sent.method} ${sent.path}`,
      method: sent.method satisfies Dispatcher.HttpMethod,
      target: sent.path + queryText(sent.query ?? {}),
      contentType: sent.contentType,
      body: sent.body === undefined ? undefined : JSON.stringify(sent.body),
    };
    return withCall(request.subject, { signal, timeoutMs }, async (call) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const bytes = await this.#transport.read(request, call.signal, this.#options.maxResponseBytes);
          const answer = tryParseJsonObject(bytes);
          if (answer === undefined) throw malformed(request.subject, "what is no JSON object");
          return answer;
        } catch (error) {
          const waitMs = waitBeforeRetry(error, sent.method, attempt);
          if (waitMs === undefined || performance.now() + waitMs > call.endsAtMs) throw error;
          await pause(waitMs, call);
        }
      }
    });
  }
}

function withKind(item: ApiObject, told: object): ApiObject {
  return item.kind === undefined ? Object.assign(item, told) : item;
}

/** Undefined where it is not to be sent again. */
function waitBeforeRetry(error: unknown, method: string, attempt: number): number | undefined {
  if (!(error instanceof FairleadError) || attempt === maxAttempts) return undefined;
  // A kept connection may have ended in this moment, and only a read may be sent twice.
  if (error.code === "upstream-unreachable" && method === "GET" && attempt === 1) return 0;
  return error.retryAfterMs;
}

function writeQuery({ fieldManager, dryRun }: WriteOptions): Query {
  return { fieldManager, dryRun: dryRun === true ? "All" : undefined };
}
