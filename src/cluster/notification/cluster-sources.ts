import { steadyClock } from "../../core/clock.ts";
import { FairleadError } from "../../core/error.ts";
import type { Labels } from "../../objects/label-selector.ts";
import type { ObjectReference } from "../../notification/event.ts";
import type { SourceObject } from "../../notification/objects/notification-objects.ts";
import type { SourceReader, SourceSelection } from "../../notification/objects/notification-snapshot.ts";
import type { ApiObject, ResourceType } from "../api/api-object.ts";
import type { ObjectApi } from "../api/object-api.ts";
import { apiVersionOf } from "../api/resource-types.ts";
import { ShortMemory } from "./short-memory.ts";
import { sourceType } from "./source-type.ts";

/** Of a storm of events about one object, not each asks for its labels. */
const maxLabelAgeMs = 1_000;
const timeoutMs = 10_000;
const pageSize = 500;
const maxSelected = 10_000;
const labelPattern = /^[\w./-]*$/u;

/** What tells that an object is not there to be seen, however often it is asked for. */
const unknown: ReadonlySet<string> = new Set(["object-missing", "object-invalid", "access-denied"]);

/** The objects of a cluster that events are about and that Receivers trigger; their metadata alone is kept. */
export class ClusterSources implements SourceReader {
  readonly #api: Pick<ObjectApi, "get" | "list">;
  readonly #labels: ShortMemory<Labels | undefined>;

  constructor(api: Pick<ObjectApi, "get" | "list">, nowMs: () => number = () => steadyClock.nowMs()) {
    this.#api = api;
    this.#labels = new ShortMemory({ maxAgeMs: maxLabelAgeMs, nowMs });
  }

  /** The labels that an object has now; undefined where it cannot be seen. @throws FairleadError what the API throws else */
  async labelsOf({ apiVersion, kind, namespace, name }: ObjectReference): Promise<Labels | undefined> {
    const key = JSON.stringify([apiVersion, kind, namespace, name]);
    return this.#labels.get(key, async () => {
      try {
        const type = sourceType(kind, apiVersion);
        const { metadata } = await this.#api.get(type, { namespace, name }, { timeoutMs });
        return metadata.labels ?? {};
      } catch (error) {
        if (error instanceof FairleadError && !error.retryable && unknown.has(error.code)) return undefined;
        throw error;
      }
    });
  }

  /** @throws FairleadError what the API throws; `object-invalid`, `limit-exceeded` for more than 10,000 objects */
  async select(selection: SourceSelection): Promise<readonly SourceObject[]> {
    const { kind, apiVersion, namespace, name } = selection;
    const type = sourceType(kind, apiVersion);
    if (name !== "*") {
      return [sourceObject(selection, type, await this.#api.get(type, { namespace, name }, { timeoutMs }))];
    }
    const labelSelector = selectorOf(selection);
    const found: SourceObject[] = [];
    let continueToken: string | undefined;
    do {
      const query = { namespace, labelSelector, limit: pageSize, continueToken, timeoutMs };
      const page = await this.#api.list(type, query);
      found.push(...page.items.map((item) => sourceObject(selection, type, item)));
      ({ continueToken } = page);
      if (found.length > maxSelected) {
        throw new FairleadError("limit-exceeded", `more than ${maxSelected} ${type.resource} are selected`);
      }
    } while (continueToken !== undefined);
    return found;
  }
}

function sourceObject(
  { kind, namespace }: SourceSelection,
  type: ResourceType,
  { metadata }: ApiObject,
): SourceObject {
  const { name, uid, labels = {}, annotations = {}, generation = 0 } = metadata;
  const meta = { namespace, name, uid, labels, annotations, generation, where: {} };
  return { kind, apiVersion: apiVersionOf(type), meta };
}

function selectorOf({ matchLabels = {} }: SourceSelection): string {
  const labels = Object.entries(matchLabels);
  if (labels.length === 0 || !labels.flat().every((text) => labelPattern.test(text))) {
    throw new FairleadError("object-invalid", "matchLabels must be labels where the name is *");
  }
  return labels.map(([key, value]) => `${key}=${value}`).join(",");
}
