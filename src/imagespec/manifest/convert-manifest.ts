import type { Diagnostic } from "../../core/diagnostic.ts";
import type { ImageSpec } from "../../reference/image-spec.ts";
import type { TextEdit } from "../../yaml/scalar-edit.ts";
import { isYamlMap, type YamlMap } from "../../yaml/value.ts";
import { equalImageSpecs, formatImage } from "../convert/image-string.ts";
import { storedSpecKey, storeSpec, viewImageSpec } from "../convert/stored-spec.ts";
import { type AnnotationChanges, editAnnotations, obstacleOfAnnotations } from "./annotation-edits.ts";
import { blockStep } from "./block-step.ts";
import { type ContainerImage, containerName, readContainerImage } from "./container-image.ts";
import { type ConversionTarget, editContainer, isConverted, whyNotEditable } from "./convert-container.ts";
import { type FoundPod, findPods } from "./find-pods.ts";
import { ManifestFindings } from "./manifest-findings.ts";
import type { Place } from "./place.ts";
import { type MapPatch, tryApplyProven } from "./proven-edits.ts";
import type { WrittenDocuments } from "./written-document.ts";

/** A container that was converted. */
export interface ContainerChange {
  /** Such as `spec.template.spec.containers[0]`. */
  readonly field: string;
  readonly container: string | undefined;
  /** Where it begins, from 1, in the text as it was. */
  readonly line: number;
  /** The image that it has, or would have, as a string. */
  readonly image: string;
  readonly imageSpec: ImageSpec;
  /** What becomes of its annotation. */
  readonly annotation: "kept" | "set" | "removed";
}

export interface ConvertedManifest {
  /** The text as it was where nothing is to be changed, or something is wrong with it. */
  readonly text: string;
  readonly changes: readonly ContainerChange[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Gives the containers of a text's workloads `imageSpec`, `image` or both. Only what must change is written, and
 * what is written is read again to prove it. Where a spec cannot be derived from its image, an annotation keeps it.
 * @param file for messages
 * @returns findings `file-unparsable` and `image-spec-invalid`, with which nothing is changed, and for containers
 *   that are left as they are `reference-unparsable` and `unsupported-structure`
 */
export function convertManifest(text: string, target: ConversionTarget, file: string): ConvertedManifest {
  const findings = new ManifestFindings(file);
  const documents = findings.tryRead(text);
  if (documents === undefined) return { text, changes: [], diagnostics: findings.diagnostics };
  const conversion = new Conversion(documents, target, findings);
  for (const document of documents.documents) {
    for (const pod of findPods(document)) conversion.convertPod(pod);
  }
  const { changes, edits, patches } = conversion;
  const { diagnostics } = findings;
  if (changes.length === 0 || findings.hasErrors) return { text, changes: [], diagnostics };
  const converted = tryApplyProven(documents, { edits, patches });
  if (converted !== undefined) return { text: converted, changes, diagnostics };
  findings.tellUnproven();
  return { text, changes: [], diagnostics };
}

class Conversion {
  readonly changes: ContainerChange[] = [];
  readonly edits: TextEdit[] = [];
  readonly patches = new Map<YamlMap, MapPatch>();
  readonly #documents: WrittenDocuments;
  readonly #target: ConversionTarget;
  readonly #findings: ManifestFindings;

  constructor(documents: WrittenDocuments, target: ConversionTarget, findings: ManifestFindings) {
    this.#documents = documents;
    this.#target = target;
    this.#findings = findings;
  }

  convertPod(pod: FoundPod): void {
    const { text } = this.#documents;
    const edited = { text, step: blockStep(text, pod.place) };
    const annotations = new Map<string, string | undefined>();
    for (const container of pod.containers) {
      const read = readContainerImage(pod, container);
      const { spec, image } = read;
      if (!this.#isConvertible(container, read) || spec === undefined) continue;
      const change = this.#annotationChange(pod, container, read, spec);
      if (isConverted(container, this.#target) && change.size === 0) continue;
      const refusal =
        whyNotEditable(text, container, (entry) => this.#hasComment(entry.key.start, entry.value.end)) ??
        this.#whyNotAnnotated(pod, change, annotations);
      if (refusal !== undefined) {
        this.#findings.tellRefused(container, refusal);
        continue;
      }
      for (const [key, value] of change) annotations.set(key, value);
      const { edits, patch } = editContainer(edited, container, image, spec, this.#target);
      this.edits.push(...edits);
      if (isYamlMap(container.value) && edits.length > 0) this.patches.set(container.value, patch);
      this.changes.push(this.#describe(container, image ?? formatImage(spec), spec, change));
    }
    const { edits, patches } = editAnnotations(edited, pod, annotations);
    this.edits.push(...edits);
    for (const [map, patch] of patches) this.patches.set(map, patch);
  }

  #isConvertible(container: Place, { image, spec, problems }: ContainerImage): boolean {
    for (const problem of problems) this.#findings.tellProblem(container, problem);
    if (problems.length > 0) return false;
    const isUnreadable = image !== undefined && spec === undefined && this.#target !== "image";
    if (isUnreadable) this.#findings.tellUnreadable(container.child("image"), image);
    return spec !== undefined;
  }

  /** What becomes of the annotation that belongs to a container. */
  #annotationChange(
    pod: FoundPod,
    container: Place,
    { image, written, stored }: ContainerImage,
    spec: ImageSpec,
  ): AnnotationChanges {
    const key = storedSpecKey(containerName(container) ?? "");
    const annotations = pod.place.child("metadata").child("annotations").value;
    const isPresent = isYamlMap(annotations) && Object.hasOwn(annotations, key);
    if (this.#target === "both" || (this.#target === "image" && written === undefined)) return new Map();
    if (this.#target === "imageSpec") return new Map(isPresent ? [[key, undefined]] : []);
    const kept = image ?? formatImage(spec);
    if (isPresent && equalImageSpecs(viewImageSpec(kept, stored), spec) && stored !== undefined) {
      return new Map();
    }
    const value = storeSpec(kept, spec).stored;
    return new Map(value === undefined && !isPresent ? [] : [[key, value]]);
  }

  #whyNotAnnotated(pod: FoundPod, change: AnnotationChanges, others: AnnotationChanges): string | undefined {
    for (const key of change.keys()) {
      if (key === storedSpecKey("")) return "has no name, by which its annotation would be known";
      if (others.has(key)) return "has the name of another one, and so its annotation";
    }
    if (change.size === 0) return undefined;
    const place = obstacleOfAnnotations(this.#documents.text, pod);
    return place === undefined ? undefined : `needs an annotation, and ${place.field} cannot be edited`;
  }

  #hasComment(start: number, end: number): boolean {
    return this.#documents.comments.some((comment) => comment.start >= start && comment.start < end);
  }

  #describe(
    container: Place,
    image: string,
    imageSpec: ImageSpec,
    change: AnnotationChanges,
  ): ContainerChange {
    const [value] = change.values();
    return {
      field: container.field,
      container: containerName(container),
      line: this.#documents.cursor.where(container.offset).line ?? 1,
      image,
      imageSpec,
      annotation: change.size === 0 ? "kept" : value === undefined ? "removed" : "set",
    };
  }
}
