import { rm } from "node:fs/promises";
import { FairleadError } from "../../../core/error.ts";
import type { Call } from "../../../registry/transport/call.ts";
import { type AciRequest, defaultTag } from "./aci-request.ts";
import type { NewImage } from "./aci-store.ts";
import { checkSize, type FetchOptions, fetchImage, type Report, type WantedImage } from "./fetch-aci.ts";
import { type Dependency, type ImageManifest, parseImageManifest } from "./image-manifest.ts";

interface ObtainedImage extends Omit<NewImage, "dependencies"> {
  readonly needs: readonly Dependency[];
}

/**
 * Fetches an image with all that it depends on, and stores them together, or nothing.
 * @returns its ID
 * @throws FairleadError as {@link fetchImage}, and `aci-invalid` or `limit-exceeded` for dependencies that go in a
 *   circle, or are too many
 */
export async function pullAci(
  request: AciRequest,
  options: FetchOptions,
  call: Call,
  report: Report,
): Promise<string> {
  const pull = new Pull(options, call, report);
  const { name, tag, id } = request;
  const { os, arch } = options.platform;
  const labels = Object.entries({ version: tag, os, arch }).flatMap(([key, value]) =>
    value === undefined ? [] : [{ name: key, value }],
  );
  try {
    const root = await pull.resolve({ name, labels, id }, []);
    call.signal.throwIfAborted();
    options.store.add(pull.images, tag ?? (id === undefined ? defaultTag : undefined));
    return root;
  } finally {
    await pull.removeFiles();
  }
}

/** Two names for one thing on the way from the image that is pulled. */
interface Step {
  readonly key: string;
  readonly id: string;
}

class Pull {
  readonly #options: FetchOptions;
  readonly #call: Call;
  readonly #report: Report;
  readonly #images = new Map<string, NewImage>();
  /** IDs by what was wanted. */
  readonly #known = new Map<string, string>();
  readonly #files: string[] = [];
  #count = 0;

  constructor(options: FetchOptions, call: Call, report: Report) {
    this.#options = options;
    this.#call = call;
    this.#report = report;
  }

  /** Dependencies before what needs them. */
  get images(): readonly NewImage[] {
    return [...this.#images.values()];
  }

  /** Obtains an image and what it depends on. @param trail the images that lead to it */
  async resolve(wanted: WantedImage, trail: readonly Step[]): Promise<string> {
    const { maxImages, maxDependencyDepth } = this.#options.limits;
    const key = keyOf(wanted);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (trail.some((step) => step.key === key)) throw circle(wanted);
    if (trail.length > maxDependencyDepth) {
      throw new FairleadError("limit-exceeded", `dependencies go deeper than ${maxDependencyDepth} images`);
    }
    this.#count += 1;
    if (this.#count > maxImages) {
      throw new FairleadError("limit-exceeded", `the image needs more than ${maxImages} images`);
    }
    const { needs, ...image } = await this.#obtain(wanted, trail.length > 0);
    if (trail.some((step) => step.id === image.id)) throw circle(wanted);
    if (!this.#images.has(image.id)) {
      const dependencies: string[] = [];
      for (const needed of needs) {
        dependencies.push(await this.resolve(needed, [...trail, { key, id: image.id }]));
      }
      this.#images.set(image.id, { ...image, dependencies });
    }
    this.#known.set(key, image.id);
    return image.id;
  }

  /** Removes what was fetched and not stored. */
  async removeFiles(): Promise<void> {
    for (const file of this.#files) await rm(file, { force: true });
  }

  async #obtain(wanted: WantedImage, isDependency: boolean): Promise<ObtainedImage> {
    const stored = isDependency ? this.#tryStored(wanted) : undefined;
    if (stored !== undefined) return stored;
    const fetched = await fetchImage(wanted, this.#options, this.#call, this.#report);
    const { id, manifest, manifestBytes, imageBytes, archiveBytes, file } = fetched;
    this.#files.push(file);
    return { ...partsOf(manifest), id, manifest: manifestBytes, imageBytes, archiveBytes, file };
  }

  /** What is named by its ID need not be fetched again, unless its signature is asked for. */
  #tryStored(wanted: WantedImage): ObtainedImage | undefined {
    const { store, keyring } = this.#options;
    if (wanted.id === undefined || keyring(wanted.name).length > 0) return undefined;
    const stored = store.tryImage(wanted.id);
    if (stored === undefined || stored.name !== wanted.name) return undefined;
    checkSize(wanted, stored);
    const { id, manifest, imageBytes, archiveBytes } = stored;
    const parts = partsOf(parseImageManifest(manifest));
    return { ...parts, id, manifest, imageBytes, archiveBytes, file: undefined };
  }
}

function partsOf({ name, dependencies }: ImageManifest): Pick<ObtainedImage, "name" | "needs"> {
  return { name, needs: dependencies };
}

function keyOf({ name, labels, id }: WantedImage): string {
  const sorted = labels.map((label) => JSON.stringify([label.name, label.value])).toSorted();
  return JSON.stringify([name, id ?? null, sorted]);
}

function circle({ name }: WantedImage): FairleadError {
  return new FairleadError("aci-invalid", `the dependencies go in a circle: '${name}' needs itself`);
}
