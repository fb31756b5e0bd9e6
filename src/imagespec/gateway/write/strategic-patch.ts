import type { ImageSpec } from "../../../reference/image-spec.ts";
import type { FieldProblem } from "../../convert/field-problem.ts";
import { equalImageSpecs } from "../../convert/image-string.ts";
import { storedSpecKey, storeSpec, viewImageSpec } from "../../convert/stored-spec.ts";
import { containerLists, type Workload } from "../../convert/workloads.ts";
import { formatOf } from "../../convert/node-formats.ts";
import { parseJson } from "../../json/parse-json.ts";
import {
  equalJson,
  isJsonArray,
  isJsonObject,
  memberAt,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from "../../json/value.ts";
import { findAmbiguousImages, type ImageUse } from "./ambiguous-images.ts";
import { chooseImage } from "./choose-image.ts";
import { refuseEphemeral } from "./lower-template.ts";
import {
  areOurs,
  formatsDiffer,
  formatsOf,
  requiredNodes,
  requiredPath,
  requirementsFor,
} from "./node-affinity.ts";
import { directive, mergeSpec, patchedObjectAt, remainsOf } from "./strategic-merge.ts";
import {
  containersOf,
  type LiveContainer,
  readLiveContainers,
  specTree,
  storedSpecOf,
  templateAt,
} from "./template-images.ts";

/** `kubectl apply` keeps here what its user has written, the spec of an image among it. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

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
  const lowering = new StrategicLowering(patch, template, object, { templatePath, keepsAnnotations });
  const lists = containerLists.flatMap((list) => {
    const elements = spec.get(list);
    return isJsonArray(elements) ? [{ list, elements }] : [];
  });
  // A container that moves to another list keeps its annotation, which has its name alone.
  for (const { list, elements } of lists) lowering.dropDeleted(list, elements);
  for (const { list, elements } of lists) lowering.lowerList(list, elements);
  lowering.checkImages();
  // A pod's affinity cannot be changed once it is there.
  if (templatePath.length > 0) lowering.settleAffinity(spec);
  return lowering.problems;
}

class StrategicLowering {
  readonly problems: FieldProblem[] = [];
  readonly #patch: JsonObject;
  readonly #template: JsonObject;
  readonly #liveTemplate: JsonObject | undefined;
  /** What the patch leaves of the live template before it sets anything. */
  readonly #remains: JsonObject | undefined;
  readonly #live: ReadonlyMap<string, LiveContainer>;
  readonly #templatePath: readonly string[];
  readonly #keepsAnnotations: boolean;
  /** The images that the containers have once the patch is applied, by their keys. */
  readonly #uses: Map<string, ImageUse>;

  constructor(
    patch: JsonObject,
    template: JsonObject,
    object: JsonObject,
    options: { readonly templatePath: readonly string[]; readonly keepsAnnotations: boolean },
  ) {
    this.#patch = patch;
    this.#template = template;
    this.#liveTemplate = templateAt(object, options.templatePath);
    this.#remains = templateAt(remainsOf(object, patch), options.templatePath);
    const left = readLiveContainers(this.#remains);
    this.#live = new Map(Array.from(readLiveContainers(this.#liveTemplate)).filter(([key]) => left.has(key)));
    this.#templatePath = options.templatePath;
    this.#keepsAnnotations = options.keepsAnnotations;
    this.#uses = new Map();
    for (const { key, name, json } of containersOf(this.#remains)) {
      const image = json.get("image");
      this.#note(key, typeof image === "string" ? image : "", storedSpecOf(this.#remains, name));
    }
  }

  /** Tells of images that a runtime could not tell apart. */
  checkImages(): void {
    this.problems.push(...findAmbiguousImages([...this.#uses.values()]));
  }

  dropDeleted(list: string, elements: JsonArray): void {
    for (const element of elements) {
      if (!isJsonObject(element) || element.get(directive) !== "delete") continue;
      const name = element.get("name");
      if (typeof name !== "string") continue;
      this.#uses.delete(`${list}/${name}`);
      this.#annotate(name, undefined);
    }
  }

  lowerList(list: string, elements: JsonArray): void {
    const isReplaced = elements.some(
      (element) => isJsonObject(element) && element.get(directive) === "replace",
    );
    for (const key of isReplaced ? [...this.#uses.keys()] : []) {
      if (key.startsWith(`${list}/`)) this.#uses.delete(key);
    }
    for (const [index, element] of elements.entries()) {
      const name = isJsonObject(element) ? element.get("name") : undefined;
      if (!isJsonObject(element) || typeof name !== "string") continue;
      if (element.get(directive) === "delete") continue;
      const key = `${list}/${name}`;
      const live = isReplaced || element.get(directive) === "replace" ? undefined : this.#live.get(key);
      const field = [...this.#templatePath, "spec", `${list}[${index}]`].join(".");
      const image = element.get("image");
      if (element.has("imageSpec") || image === null) {
        this.#lowerContainer(element, { name, key, live, field });
      } else if (typeof image === "string") {
        this.#note(key, image, this.#storedSpec(name));
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
      // What the user has written of the annotation stays.
      if (patched === null) this.#annotate(name, this.#writtenAnnotation(name));
      const note = patched === null ? this.#storedSpec(name) : undefined;
      this.#note(key, typeof image === "string" ? image : (live?.image ?? ""), note);
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
    const present = this.#storedSpec(name);
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
    const [list = "", name] = key.split("/");
    const containers = memberAt(this.#appliedTemplate(), ["spec", list]);
    const container = isJsonArray(containers)
      ? containers.find((item) => isJsonObject(item) && item.get("name") === name)
      : undefined;
    const spec = isJsonObject(container) ? container.get("imageSpec") : undefined;
    return isJsonObject(spec) ? spec : undefined;
  }

  #appliedTemplate(): JsonObject | undefined {
    const text = memberAt(this.#patch, ["metadata", "annotations", lastApplied]);
    const applied = typeof text === "string" ? parseJson(text).value : undefined;
    return isJsonObject(applied) ? templateAt(applied, this.#templatePath) : undefined;
  }

  /** A container's annotation as the patch sets it, or the user of `kubectl apply` has written it. */
  #writtenAnnotation(name: string): string | undefined {
    return storedSpecOf(this.#template, name) ?? storedSpecOf(this.#appliedTemplate(), name);
  }

  /** A container's annotation once the patch is applied, as it is by now. */
  #storedSpec(name: string): string | undefined {
    const patched = memberAt(this.#template, ["metadata", "annotations", storedSpecKey(name)]);
    return storedSpecOf(patched === undefined ? this.#remains : this.#template, name);
  }

  /** Sets or removes a container's annotation; one that is there already is not touched. */
  #annotate(name: string, stored: string | undefined): void {
    if (!this.#keepsAnnotations || this.#storedSpec(name) === stored) return;
    const annotations = patchedObjectAt(this.#template, ["metadata", "annotations"]);
    annotations?.set(storedSpecKey(name), stored ?? null);
  }

  #note(key: string, image: string, stored: string | undefined): void {
    const spec = viewImageSpec(image, stored);
    const [list = "", name = ""] = key.split("/");
    const field = [...this.#templatePath, "spec", `${list}[${name}]`].join(".");
    this.#uses.set(key, { field, image, format: spec === undefined ? "dockerImage" : formatOf(spec) });
  }

  settleAffinity(spec: JsonObject): void {
    // What the user sets is the user's.
    if (isJsonObject(memberAt(spec, requiredPath))) return;
    const formats = new Set(Array.from(this.#uses.values(), ({ format }) => format));
    const present = requiredNodes(this.#remains);
    const isLeft = equalJson(present, requiredNodes(this.#liveTemplate));
    if (isLeft && !formatsDiffer(formatsOf(this.#liveTemplate), formats)) return;
    if (present !== undefined && !areOurs(present)) return;
    const wanted = requirementsFor(formats);
    if (wanted === undefined && present === undefined) return;
    const parent = patchedObjectAt(spec, requiredPath.slice(0, -1));
    parent?.set(requiredPath.at(-1) ?? "", wanted ?? null);
  }
}
