import type { ImageSpec } from "../../../reference/image-spec.ts";
import type { FieldProblem } from "../../convert/field-problem.ts";
import { equalImageSpecs } from "../../convert/image-string.ts";
import { storedSpecKey, storeSpec, viewImageSpec } from "../../convert/stored-spec.ts";
import { containerLists, type Workload } from "../../convert/workloads.ts";
import { formatOf, type ImageFormat } from "../../convert/node-formats.ts";
import { parseJson } from "../../json/parse-json.ts";
import {
  fromPlain,
  isJsonArray,
  isJsonObject,
  memberAt,
  objectAt,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from "../../json/value.ts";
import { chooseImage } from "./choose-image.ts";
import { refuseEphemeral } from "./lower-template.ts";
import { areOurs, formatsDiffer, formatsOf, requiredNodes, requirementsFor } from "./node-affinity.ts";
import {
  type LiveContainer,
  readLiveContainers,
  specTree,
  storedSpecOf,
  templateAt,
} from "./template-images.ts";

/** `kubectl apply` keeps here what its user has written, the spec of an image among it. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

const directive = "$patch";
const retainKeys = "$retainKeys";

/**
 * Turns what a strategic merge patch says of `imageSpec` into what it says of images and annotations, given the
 * object as it is upstream. The patch is changed, and stays a patch: everything else in it means what it meant.
 * @returns what is wrong with it
 */
export function lowerStrategicPatch(
  patch: JsonObject,
  object: JsonObject,
  { templatePath }: Workload,
  keepsAnnotations: boolean,
): readonly FieldProblem[] {
  const template = templateAt(patch, templatePath);
  const spec = template?.get("spec");
  if (template === undefined || !isJsonObject(spec)) return [];
  const lowering = new StrategicLowering(patch, template, templateAt(object, templatePath), {
    templatePath,
    keepsAnnotations,
  });
  for (const list of containerLists) {
    const elements = spec.get(list);
    if (isJsonArray(elements)) lowering.lowerList(list, elements);
  }
  // A pod's affinity cannot be changed once it is there.
  if (templatePath.length > 0) lowering.settleAffinity(spec);
  return lowering.problems;
}

class StrategicLowering {
  readonly problems: FieldProblem[] = [];
  readonly #patch: JsonObject;
  readonly #template: JsonObject;
  readonly #liveTemplate: JsonObject | undefined;
  readonly #live: ReadonlyMap<string, LiveContainer>;
  readonly #templatePath: readonly string[];
  readonly #keepsAnnotations: boolean;
  /** The formats that the containers have once the patch is applied, by their keys. */
  readonly #formats: Map<string, ImageFormat>;

  constructor(
    patch: JsonObject,
    template: JsonObject,
    liveTemplate: JsonObject | undefined,
    options: { readonly templatePath: readonly string[]; readonly keepsAnnotations: boolean },
  ) {
    this.#patch = patch;
    this.#template = template;
    this.#liveTemplate = liveTemplate;
    this.#live = readLiveContainers(liveTemplate);
    this.#templatePath = options.templatePath;
    this.#keepsAnnotations = options.keepsAnnotations;
    this.#formats = new Map(
      Array.from(this.#live, ([key, { spec }]) => [key, spec === undefined ? "dockerImage" : formatOf(spec)]),
    );
  }

  lowerList(list: string, elements: JsonArray): void {
    const isReplaced = elements.some(
      (element) => isJsonObject(element) && element.get(directive) === "replace",
    );
    for (const key of isReplaced ? [...this.#formats.keys()] : []) {
      if (key.startsWith(`${list}/`)) this.#formats.delete(key);
    }
    for (const [index, element] of elements.entries()) {
      const name = isJsonObject(element) ? element.get("name") : undefined;
      if (!isJsonObject(element) || typeof name !== "string") continue;
      const key = `${list}/${name}`;
      if (element.get(directive) === "delete") {
        this.#formats.delete(key);
        this.#annotate(name, undefined);
        continue;
      }
      const live = isReplaced || element.get(directive) === "replace" ? undefined : this.#live.get(key);
      const field = [...this.#templatePath, "spec", `${list}[${index}]`].join(".");
      const image = element.get("image");
      if (element.has("imageSpec") || image === null) {
        this.#lowerContainer(element, { name, key, live, field });
      } else if (typeof image === "string") {
        this.#note(key, image, storedSpecOf(this.#liveTemplate, name));
      }
    }
  }

  #lowerContainer(
    element: JsonObject,
    at: {
      readonly name: string;
      readonly key: string;
      readonly live: LiveContainer | undefined;
      readonly field: string;
    },
  ): void {
    const { name, key, live, field } = at;
    const patched = element.get("imageSpec");
    element.delete("imageSpec");
    const image = element.get("image");
    const wanted = this.#wantedSpec(key, image, patched, live?.spec);
    if (wanted === undefined) {
      // The image goes and the spec, which is shown beside it, stays: so does what it stands for.
      if (patched === undefined && live?.spec !== undefined) element.delete("image");
      if (patched === null) this.#annotate(name, undefined);
      this.#note(key, typeof image === "string" ? image : (live?.image ?? ""), undefined);
      return;
    }
    const written = { image, imageSpec: wanted, live, allowsBoth: true, field };
    const chosen = chooseImage(written, this.problems);
    if (chosen === undefined) return;
    element.set("image", chosen.image);
    const stored = chosen.spec === undefined ? undefined : storeSpec(chosen.image, chosen.spec).stored;
    if (!this.#keepsAnnotations && chosen.spec?.aci !== undefined) {
      this.problems.push(refuseEphemeral(field, chosen.spec));
    }
    const present = storedSpecOf(this.#liveTemplate, name);
    // What tells the spec already stays as it is: another byte would make new pods.
    const isTold =
      chosen.spec !== undefined && equalImageSpecs(viewImageSpec(chosen.image, present), chosen.spec);
    if (!isTold) this.#annotate(name, stored);
    this.#note(key, chosen.image, isTold ? present : stored);
  }

  /** The whole spec that a container is to have; undefined where the patch leaves it, or takes it away. */
  #wantedSpec(
    key: string,
    image: JsonValue | undefined,
    patched: JsonValue | undefined,
    live: ImageSpec | undefined,
  ): JsonValue | undefined {
    // Where `kubectl apply` goes from an image to a spec, it believes that the parts derived from the image are
    // wanted, and tells what differs from them alone; what its user wrote is in its annotation.
    if (image === null) {
      const applied = this.#appliedSpec(key);
      if (applied !== undefined) return applied;
    }
    if (patched === undefined || patched === null) return undefined;
    return mergeSpec(live === undefined ? undefined : specTree(live), patched);
  }

  #appliedSpec(key: string): JsonObject | undefined {
    const text = memberAt(this.#patch, ["metadata", "annotations", lastApplied]);
    if (typeof text !== "string") return undefined;
    const [list = "", name] = key.split("/");
    const containers = memberAt(parseJson(text).value, [...this.#templatePath, "spec", list]);
    const container = isJsonArray(containers)
      ? containers.find((item) => isJsonObject(item) && item.get("name") === name)
      : undefined;
    const spec = isJsonObject(container) ? container.get("imageSpec") : undefined;
    return isJsonObject(spec) ? spec : undefined;
  }

  /** Sets or removes a container's annotation; one that is there already is not touched. */
  #annotate(name: string, stored: string | undefined): void {
    const present = storedSpecOf(this.#liveTemplate, name);
    if (present === stored || !this.#keepsAnnotations) return;
    const metadata = objectAt(this.#template, ["metadata"]);
    const isCleared = metadata?.get("annotations") === null;
    const annotations = objectAt(this.#template, ["metadata", "annotations"]);
    if (isCleared) annotations?.set(directive, "replace");
    annotations?.set(storedSpecKey(name), stored ?? null);
  }

  #note(key: string, image: string, stored: string | undefined): void {
    const spec = viewImageSpec(image, stored);
    this.#formats.set(key, spec === undefined ? "dockerImage" : formatOf(spec));
  }

  settleAffinity(spec: JsonObject): void {
    // What the user patches is the user's.
    if (spec.has("affinity")) return;
    const formats = new Set(this.#formats.values());
    if (!formatsDiffer(formatsOf(this.#liveTemplate), formats)) return;
    const present = requiredNodes(this.#liveTemplate);
    if (present !== undefined && !areOurs(present)) return;
    const wanted = requirementsFor(formats);
    if (wanted === undefined && present === undefined) return;
    spec.set(
      "affinity",
      fromPlain({ nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: null } }),
    );
    objectAt(spec, ["affinity", "nodeAffinity"])?.set(
      "requiredDuringSchedulingIgnoredDuringExecution",
      wanted ?? null,
    );
  }
}

/**
 * What a spec becomes under a patch of it. A member that is set replaces the other ones, since `kubectl` cannot know
 * that the one it found was derived.
 */
function mergeSpec(live: JsonObject | undefined, patched: JsonValue): JsonValue {
  if (!isJsonObject(patched)) return patched;
  const merged = mergeMap(live, patched);
  const set = Array.from(patched).flatMap(([key, value]) => (isJsonObject(value) ? [key] : []));
  const [only] = set;
  if (set.length !== 1 || only === undefined) return merged;
  for (const key of merged.keys()) if (key !== only) merged.delete(key);
  return merged;
}

function mergeMap(live: JsonValue | undefined, patched: JsonObject): JsonObject {
  const merged: JsonObject = new Map(isJsonObject(live) && patched.get(directive) !== "replace" ? live : []);
  const retained = patched.get(retainKeys);
  if (isJsonArray(retained)) {
    for (const key of merged.keys()) if (!retained.includes(key)) merged.delete(key);
  }
  for (const [key, value] of patched) {
    if (key === directive || key === retainKeys) continue;
    if (value === null) merged.delete(key);
    else merged.set(key, isJsonObject(value) ? mergeMap(merged.get(key), value) : value);
  }
  return merged;
}
