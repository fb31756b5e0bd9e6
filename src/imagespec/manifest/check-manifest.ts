import type { Diagnostic } from "../../core/diagnostic.ts";
import { isYamlMap } from "../../yaml/value.ts";
import { checkImageSpec } from "../convert/check-image-spec.ts";
import { formatFieldProblem } from "../convert/field-problem.ts";
import { equalImageSpecs, formatImage } from "../convert/image-string.ts";
import { storedSpecKey, storedSpecPrefix } from "../convert/stored-spec.ts";
import { type ContainerImage, containerName, readContainerImage } from "./container-image.ts";
import { type FoundPod, findPods } from "./find-pods.ts";
import { ManifestFindings } from "./manifest-findings.ts";
import type { Place } from "./place.ts";

export interface CheckedManifest {
  /** How many containers were looked at. */
  readonly containers: number;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Checks what the containers of a text's workloads say of their images.
 * @param file for messages
 * @param options.strict whether they are checked as writes through a gateway, which take exactly one of `image` and
 *   `imageSpec`; otherwise that is told as `info`
 * @returns findings `file-unparsable`, `image-spec-invalid`, `image-spec-stale`, `reference-unparsable` and
 *   `duplicate-key`
 */
export function checkManifest(
  text: string,
  file: string,
  { strict }: { readonly strict: boolean },
): CheckedManifest {
  const findings = new ManifestFindings(file);
  const pods = findings.tryRead(text)?.documents.flatMap(findPods) ?? [];
  for (const pod of pods) new PodCheck(pod, findings, strict).check();
  const containers = pods.reduce((sum, pod) => sum + pod.containers.length, 0);
  return { containers, diagnostics: findings.diagnostics };
}

class PodCheck {
  readonly #pod: FoundPod;
  readonly #findings: ManifestFindings;
  readonly #strict: boolean;
  /** The format of each image string so far. */
  readonly #formats = new Map<string, string>();
  readonly #images = new Map<string, ContainerImage>();

  constructor(pod: FoundPod, findings: ManifestFindings, strict: boolean) {
    this.#pod = pod;
    this.#findings = findings;
    this.#strict = strict;
  }

  check(): void {
    for (const container of this.#pod.containers) this.#checkContainer(container);
    this.#checkAnnotations();
  }

  #checkContainer(container: Place): void {
    const read = readContainerImage(this.#pod, container);
    const name = containerName(container);
    if (name !== undefined) this.#images.set(name, read);
    for (const key of ["image", "imageSpec"]) {
      if (container.child(key).obstacle !== "duplicate") continue;
      this.#findings.tell("duplicate-key", "error", container, "the key is given twice", {
        field: `${container.field}.${key}`,
      });
    }
    for (const problem of read.problems) this.#findings.tellProblem(container, problem);
    if (read.problems.length > 0) return;
    const { image, spec, written } = read;
    if (image !== undefined && spec === undefined) {
      this.#findings.tellUnreadable(container.child("image"), image);
    } else if (spec === undefined) {
      this.#tellWrite(container, "a write needs one of image and imageSpec");
    } else {
      if (image !== undefined && written !== undefined) {
        this.#tellWrite(container, "a write takes only one of image and imageSpec");
      }
      this.#checkFormat(container, image ?? formatImage(spec), Object.keys(spec).join(""));
    }
  }

  /** What a read shows, or a patch leaves out, but a write through a gateway does not take. */
  #tellWrite(container: Place, message: string): void {
    this.#findings.tell("image-spec-invalid", this.#strict ? "error" : "info", container, message);
  }

  /** A runtime gets the image string alone, and could not tell which format is meant. */
  #checkFormat(container: Place, image: string, format: string): void {
    const known = this.#formats.get(image) ?? format;
    this.#formats.set(image, known);
    if (known === format) return;
    const message = `image ${image} is ${known} in another container of the pod, and ${format} here`;
    this.#findings.tell("image-spec-invalid", "error", container, message);
  }

  #checkAnnotations(): void {
    const annotations = this.#pod.place.child("metadata").child("annotations");
    if (!isYamlMap(annotations.value)) return;
    for (const key of Object.keys(annotations.value)) {
      if (!key.startsWith(storedSpecPrefix)) continue;
      const name = key.slice(storedSpecKey("").length);
      this.#checkAnnotation(annotations.child(key), name, this.#images.get(name));
    }
  }

  #checkAnnotation(annotation: Place, name: string, read: ContainerImage | undefined): void {
    const stored = readStored(annotation.value);
    if (typeof stored === "string") {
      this.#findings.tell("image-spec-invalid", "error", annotation, stored);
      return;
    }
    const why = whyStale(name, read, stored);
    if (why !== undefined) this.#findings.tell("image-spec-stale", "warning", annotation, why);
  }
}

interface Stored {
  readonly image: string;
  readonly spec: ReturnType<typeof checkImageSpec>["spec"];
}

/** What an annotation says, or what is wrong with it. */
function readStored(text: unknown): Stored | string {
  let value: unknown;
  try {
    value = JSON.parse(String(text));
  } catch {
    return "the annotation is not JSON";
  }
  const shape = "the annotation is not an object with image and imageSpec";
  if (!isYamlMap(value)) return shape;
  const { image, imageSpec } = value;
  if (typeof image !== "string") return shape;
  const { spec, problems } = checkImageSpec(imageSpec, "imageSpec");
  const [problem] = problems;
  return problem === undefined ? { image, spec } : `in the annotation, ${formatFieldProblem(problem)}`;
}

function whyStale(name: string, read: ContainerImage | undefined, stored: Stored): string | undefined {
  if (read === undefined) return `the annotation belongs to container ${name}, which the pod does not have`;
  const image = read.image ?? (read.written === undefined ? undefined : formatImage(read.written));
  if (image !== stored.image) {
    return `the annotation belongs to image ${stored.image}, which the container no longer has; it is ignored`;
  }
  const differs = read.written !== undefined && !equalImageSpecs(read.written, stored.spec);
  return differs ? "the annotation says something else than imageSpec, which counts" : undefined;
}
