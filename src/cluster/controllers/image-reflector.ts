import type { ImagePolicy } from "../../automation/objects/image-policy.ts";
import type { ImageRepository } from "../../automation/objects/image-repository.ts";
import type { ControllerGroup } from "./controller-group.ts";
import { createImagePolicyReconciler, type ImagePolicyPorts } from "./image-policy.ts";
import { createImageRepositoryReconciler } from "./image-repository.ts";
import type { ControllerEnvironment } from "./controller-environment.ts";
import { KindController } from "./kind-controller.ts";
import { referenceKey, type StatusObject } from "./kind-reconciler.ts";
import type { ReadObjects } from "./read-objects.ts";

export type ImageReflectorPorts = Omit<ImagePolicyPorts, "api" | "findRepository" | "log">;

/** The controllers of ImageRepositories and ImagePolicies: the latter read the tags that the former keep. */
export class ImageReflector implements ControllerGroup {
  readonly name = "image-reflector";
  readonly #repositories: KindController<ImageRepository>;
  readonly #policies: KindController<ImagePolicy>;

  constructor(environment: ControllerEnvironment, ports: ImageReflectorPorts) {
    const { api, log } = environment;
    this.#repositories = new KindController(
      createImageRepositoryReconciler({
        ...ports,
        log,
        foundTags: (name) => this.#policies.referenceChanged(referenceKey("ImageRepository", name)),
      }),
      environment,
    );
    const findRepository = (namespace: string, name: string): ImageRepository | undefined =>
      this.#repositories.objects.tryGet(namespace, name);
    this.#policies = new KindController(
      createImagePolicyReconciler({ ...ports, api, findRepository, log }),
      environment,
    );
  }

  /** The ImagePolicies that this process looks after. */
  get policies(): ReadObjects<ImagePolicy, StatusObject> {
    return this.#policies.objects;
  }

  get synced(): Promise<void> {
    return Promise.all([this.#repositories.objects.synced, this.#policies.objects.synced]).then(
      () => undefined,
    );
  }

  get hasSynced(): boolean {
    return this.#repositories.objects.hasSynced && this.#policies.objects.hasSynced;
  }

  watch(): void {
    const tell = ({ metadata: { namespace = "", name } }: StatusObject): void =>
      this.#policies.referenceChanged(referenceKey("ImageRepository", { namespace, name }));
    this.#repositories.watch();
    this.#policies.watch();
    this.#repositories.objects.subscribe({
      added: tell,
      updated: (object, old) => {
        if (scanOf(object) !== scanOf(old)) tell(object);
      },
      deleted: tell,
    });
  }

  start(): void {
    this.#repositories.start();
    this.#policies.start();
  }

  async stop(graceMs: number): Promise<void> {
    await Promise.all([this.#repositories.stop(graceMs), this.#policies.stop(graceMs)]);
  }
}

/** What policies go by: who may use the repository, and which tags of which image it has. */
function scanOf({ metadata, status }: StatusObject): string {
  const { lastScanResult, canonicalImageName } = { ...status };
  const revision =
    typeof lastScanResult === "object" && lastScanResult !== null && "revision" in lastScanResult
      ? lastScanResult.revision
      : undefined;
  return JSON.stringify([metadata.uid, metadata.generation, canonicalImageName, revision]);
}
