import { setTimeout as sleep } from "node:timers/promises";
import { FairleadError } from "../../../core/error.ts";
import type { FieldProblem } from "../../convert/field-problem.ts";
import type { Workload } from "../../convert/workloads.ts";
import { formatJson } from "../../json/format-json.ts";
import {
  cloneObject,
  equalJson,
  isJsonObject,
  memberAt,
  objectAt,
  type JsonObject,
  type JsonValue,
} from "../../json/value.ts";
import { type BodyBudget, withBody } from "../../../serving/request-body.ts";
import type { ApiRequest, ApiResponse, Upstream } from "../api-exchange.ts";
import { failureStatus } from "../failure-status.ts";
import { settleAppliedAffinity } from "./applied-affinity.ts";
import { duplicateKeyAnswer, duplicateWarnings } from "./duplicate-keys.ts";
import { invalidStatus } from "./invalid-status.ts";
import { discardBody, readLiveObject } from "./live-object.ts";
import { lowerTemplate } from "./lower-template.ts";
import { followFormats, formatsOf, keepRequirements, settleNodeAffinity } from "./node-affinity.ts";
import { lowerSchemalessPatch } from "./simulated-patch.ts";
import { lowerStrategicPatch } from "./strategic-patch.ts";
import { containersOf, readLiveContainers, templateAt } from "./template-images.ts";
import { movesContainer, touchesImageSpec } from "./patch-search.ts";
import { stripManagedFields, stripSpecs } from "./strip-specs.ts";
import { mayHoldImageSpec, parseBody, type WriteType, writeTypeOf } from "./write-body.ts";

/** How often a write is made anew for an object that changed meanwhile, and how long it rests at most before. */
const maxAttempts = 20;
const maxRestMs = 200;

/** Whether a body may have to be rewritten; all others go through as they are. */
export function isWriteOfWorkload(
  { info }: ApiRequest,
  workload: Workload | undefined,
): workload is Workload {
  const { verb, resource } = info;
  if (workload === undefined || !["create", "update", "patch"].includes(verb)) return false;
  const subresource = resource?.subresource;
  return verb === "create"
    ? subresource === undefined
    : [undefined, "status", "ephemeralcontainers", "resize"].includes(subresource);
}

/**
 * Sends a write upstream, its image specs turned into images and annotations; what holds none goes byte for byte.
 * @returns what upstream answers, in upstream's view
 * @throws FairleadError `limit-exceeded`, `timeout`, `aborted`, `upstream-unreachable`, `upstream-failed`
 */
export async function translateWrite(
  request: ApiRequest,
  workload: Workload,
  upstream: Upstream,
  budget: BodyBudget,
): Promise<ApiResponse> {
  const { body, headers } = request;
  const type = writeTypeOf(single(headers["content-type"]));
  if (type === undefined || body === undefined) return upstream.send(request);
  return withBody(body, single(headers["content-length"]), budget, async (bytes) => {
    const write = new Write(request, workload, upstream, { bytes, type });
    return mayHoldImageSpec(bytes, type) ? write.translate() : write.send(bytes);
  });
}

/** A body as the client sent it. */
interface WrittenBody {
  readonly bytes: Buffer;
  readonly type: WriteType;
}

class Write {
  readonly #request: ApiRequest;
  readonly #workload: Workload;
  readonly #upstream: Upstream;
  readonly #written: WrittenBody;
  #warnings: readonly string[] = [];

  constructor(request: ApiRequest, workload: Workload, upstream: Upstream, written: WrittenBody) {
    this.#request = request;
    this.#workload = workload;
    this.#upstream = upstream;
    this.#written = written;
  }

  /** Sends a body upstream. */
  async send(body: Uint8Array): Promise<ApiResponse> {
    const { method, target, headers, signal } = this.#request;
    const sized = { ...headers, "content-length": String(body.length) };
    const answer = await this.#upstream.send({ method, target, headers: sized, body, signal });
    if (this.#warnings.length === 0) return answer;
    const warning = [answer.headers["warning"] ?? [], this.#warnings].flat();
    return { ...answer, headers: { ...answer.headers, warning } };
  }

  async translate(): Promise<ApiResponse> {
    const { bytes, type } = this.#written;
    let value: JsonValue;
    let duplicates: readonly string[];
    try {
      ({ value, duplicates } = parseBody(bytes, type));
    } catch (error) {
      // What is malformed is for the API server to refuse, in its own words; what is too deep does not get there.
      if (error instanceof FairleadError && error.code === "limit-exceeded") {
        return failureStatus(400, error.message);
      }
      return this.send(bytes);
    }
    const before = formatJson(value);
    const answer = await this.#translateValue(value);
    if (answer !== undefined) return answer;
    const after = formatJson(value);
    if (after === before) return this.send(bytes);
    return this.#refuseDuplicates(duplicates) ?? this.send(Buffer.from(after));
  }

  /** Changes the body; gives the answer where it is known already. */
  async #translateValue(value: JsonValue): Promise<ApiResponse | undefined> {
    const { info } = this.#request;
    const { patch } = this.#written.type;
    if (patch !== undefined && patch !== "apply" && !touchesImageSpec(value, patch)) {
      // Where its spec cannot follow a container, its image does.
      return patch === "json" && movesContainer(value)
        ? this.#patch(value, { isRefusable: false })
        : undefined;
    }
    if (patch === "json") return this.#patch(value);
    if (!isJsonObject(value)) return undefined;
    if (info.resource?.subresource === "status") {
      stripSpecs(value, this.#workload);
      return undefined;
    }
    if (patch === "merge" || patch === "strategic") return this.#patch(value);
    stripManagedFields(value);
    if (patch === "apply") return this.#apply(value);
    return info.verb === "create" ? this.#create(value) : this.#update(value);
  }

  #create(object: JsonObject): ApiResponse | undefined {
    const template = templateAt(object, this.#workload.templatePath);
    if (template === undefined) return undefined;
    const hadSpecs = containersOf(template).some(({ json }) => json.has("imageSpec"));
    const problems = this.#lower(template, new Map(), { allowsBoth: wasRead(object) });
    if (hadSpecs) settleNodeAffinity(template, formatsOf(template));
    return this.#refuse(problems, nameOf(object));
  }

  async #apply(object: JsonObject): Promise<ApiResponse | undefined> {
    const { templatePath } = this.#workload;
    const template = templateAt(object, templatePath);
    if (!containersOf(template).some(({ json }) => json.has("imageSpec"))) return undefined;
    const { object: live, answer } = await readLiveObject(this.#request, this.#upstream);
    if (answer !== undefined) discardBody(answer);
    if (live === undefined || template === undefined) return this.#create(object);
    const liveTemplate = templateAt(live, templatePath);
    // What was read has both, as with an update.
    const problems = this.#lower(template, readLiveContainers(liveTemplate), { allowsBoth: true });
    const { query } = this.#request.info;
    const isForced = query.get("force") === "true";
    settleAppliedAffinity(template, live, { manager: query.get("fieldManager"), isForced, templatePath });
    return this.#refuse(problems, nameOf(object));
  }

  async #update(object: JsonObject): Promise<ApiResponse | undefined> {
    const { templatePath } = this.#workload;
    const template = templateAt(object, templatePath);
    if (!containersOf(template).some(({ json }) => json.has("imageSpec"))) return undefined;
    const version = memberAt(object, ["metadata", "resourceVersion"]) ?? "";
    let refused: JsonValue | undefined;
    for (let attempt = 1; ; attempt++) {
      const { object: live, answer } = await readLiveObject(this.#request, this.#upstream);
      if (answer !== undefined && answer.status !== 404 && answer.status !== 403) return answer;
      if (answer !== undefined) discardBody(answer);
      const lowered = attempt === 1 && version !== "" ? object : cloneObject(object);
      const loweredTemplate = templateAt(lowered, templatePath);
      if (loweredTemplate === undefined) return undefined;
      const liveTemplate = templateAt(live, templatePath);
      const problems = this.#lower(loweredTemplate, readLiveContainers(liveTemplate), { allowsBoth: true });
      keepRequirements(loweredTemplate, liveTemplate);
      if (templatePath.length > 0) followFormats(loweredTemplate, liveTemplate);
      const invalid = this.#refuse(problems, nameOf(object));
      if (invalid !== undefined || lowered === object) return invalid;
      // Who names no version overwrites what is there: it has to be what was looked at.
      const liveVersion = memberAt(live, ["metadata", "resourceVersion"]);
      if (liveVersion !== undefined) objectAt(lowered, ["metadata"])?.set("resourceVersion", liveVersion);
      const sent = await this.send(Buffer.from(formatJson(lowered)));
      // Where the object has not changed since, the conflict is another one, and stays.
      if (sent.status !== 409 || liveVersion === refused || attempt === maxAttempts) return sent;
      refused = liveVersion;
      discardBody(sent);
      await this.#rest(attempt);
    }
  }

  async #patch(patch: JsonValue, { isRefusable } = { isRefusable: true }): Promise<ApiResponse | undefined> {
    const type = this.#written.type.patch;
    let refused: JsonValue | undefined;
    for (let attempt = 1; ; attempt++) {
      const { object, answer } = await readLiveObject(this.#request, this.#upstream);
      if (answer !== undefined) return answer;
      const lowered = this.#lowerPatch(type, patch, object);
      if ("status" in lowered) return isRefusable ? lowered : undefined;
      const version = memberAt(object, ["metadata", "resourceVersion"]);
      const own = memberAt(isJsonObject(patch) ? patch : undefined, ["metadata", "resourceVersion"]);
      const sent = await this.send(Buffer.from(formatJson(lowered.patch)));
      const isOurGuard = (own === undefined || own === version) && version !== refused;
      if (sent.status !== 409 || !isOurGuard || attempt === maxAttempts) return sent;
      refused = version;
      discardBody(sent);
      await this.#rest(attempt);
    }
  }

  /** Those who write the same object at a time do not meet again. */
  async #rest(attempt: number): Promise<void> {
    await sleep(Math.random() * Math.min(maxRestMs, 5 * 2 ** attempt));
    if (this.#request.signal.aborted) throw new FairleadError("aborted", "the client went away");
  }

  #lowerPatch(
    type: WriteType["patch"],
    patch: JsonValue,
    object: JsonObject,
  ): { readonly patch: JsonValue } | ApiResponse {
    try {
      if (type !== "strategic" || !isJsonObject(patch)) {
        const schemaless = type === "json" ? "json" : "merge";
        const lowered = lowerSchemalessPatch(
          schemaless,
          patch,
          object,
          this.#workload,
          this.#keepsAnnotations(),
        );
        return this.#refuse(lowered.problems, nameOf(object)) ?? { patch: lowered.patch };
      }
      const lowered = cloneObject(patch);
      const problems = lowerStrategicPatch(lowered, object, this.#workload, this.#keepsAnnotations());
      const metadata = equalJson(lowered, patch) ? undefined : objectAt(lowered, ["metadata"]);
      if (metadata?.has("resourceVersion") === false) {
        metadata.set("resourceVersion", memberAt(object, ["metadata", "resourceVersion"]) ?? null);
      }
      return this.#refuse(problems, nameOf(object)) ?? { patch: lowered };
    } catch (error) {
      if (!(error instanceof FairleadError)) throw error;
      const reason = "the server rejected our request due to an error in our request";
      return failureStatus(422, `${reason}: ${error.message}`);
    }
  }

  #lower(
    template: JsonObject,
    live: ReturnType<typeof readLiveContainers>,
    { allowsBoth }: { readonly allowsBoth: boolean },
  ): readonly FieldProblem[] {
    return lowerTemplate(template, {
      live,
      allowsBoth,
      missingIsRemoved: false,
      keepsAnnotations: this.#keepsAnnotations(),
      fieldPrefix: this.#workload.templatePath.map((key) => `${key}.`).join(""),
    });
  }

  /** The API server takes the ephemeral containers alone of what is sent to their subresource. */
  #keepsAnnotations(): boolean {
    return this.#request.info.resource?.subresource !== "ephemeralcontainers";
  }

  #refuse(problems: readonly FieldProblem[], name: string | undefined): ApiResponse | undefined {
    return problems.length === 0
      ? undefined
      : invalidStatus(this.#workload, name ?? this.#request.info.resource?.name, problems);
  }

  #refuseDuplicates(duplicates: readonly string[]): ApiResponse | undefined {
    if (duplicates.length === 0) return undefined;
    const mode = this.#request.info.query.get("fieldValidation") ?? "Warn";
    if (mode === "Strict") return duplicateKeyAnswer(duplicates);
    if (mode === "Warn") this.#warnings = duplicateWarnings(duplicates);
    return undefined;
  }
}

/** What was read has both members, as in a backup; where they agree it may be written again. */
function wasRead(object: JsonObject): boolean {
  return ["uid", "creationTimestamp"].some((key) => typeof memberAt(object, ["metadata", key]) === "string");
}

function nameOf(object: JsonObject): string | undefined {
  const name = memberAt(object, ["metadata", "name"]);
  return typeof name === "string" ? name : undefined;
}

function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" || value === undefined ? value : value[0];
}
