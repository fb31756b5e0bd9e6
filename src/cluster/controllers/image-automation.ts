import type { GitRepository } from "../../automation/objects/git-repository.ts";
import type { ImagePolicy } from "../../automation/objects/image-policy.ts";
import type { ImageUpdateAutomation } from "../../automation/objects/image-update-automation.ts";
import { gitRepositoryKind, imagePolicyKind } from "../../automation/objects/object-kinds.ts";
import type { KubernetesObject, ObjectKind } from "../../objects/object-kind.ts";
import { resourceTypes } from "../api/resource-types.ts";
import { Informer, withoutManagedFields } from "../informer/informer.ts";
import type { ControllerGroup } from "./controller-group.ts";
import {
  createImageUpdateAutomationReconciler,
  type ImageUpdateAutomationPorts,
  policiesKey,
} from "./image-update-automation.ts";
import type { ControllerEnvironment } from "./controller-environment.ts";
import { KindController } from "./kind-controller.ts";
import { referenceKey, type StatusObject } from "./kind-reconciler.ts";
import { ObjectReader } from "./object-reader.ts";
import { ReadObjects } from "./read-objects.ts";

export type ImageAutomationPorts = Omit<
  ImageUpdateAutomationPorts,
  "api" | "policiesOf" | "findGitRepository" | "log"
> & {
  /** All ImagePolicies, where somebody in this process watches them already. */
  readonly policies?: ReadObjects<ImagePolicy, StatusObject> | undefined;
};

/** The controller of ImageUpdateAutomations, with the ImagePolicies and GitRepositories that they follow. */
export class ImageAutomation implements ControllerGroup {
  readonly name = "image-automation";
  readonly #automations: KindController<ImageUpdateAutomation>;
  readonly #policies: ReadObjects<ImagePolicy, StatusObject>;
  readonly #sources: ReadObjects<GitRepository, StatusObject>;

  constructor(environment: ControllerEnvironment, ports: ImageAutomationPorts) {
    const { api, log } = environment;
    this.#policies = ports.policies ?? readAll(environment, "ImagePolicy", imagePolicyKind);
    this.#sources = readAll(environment, "GitRepository", gitRepositoryKind);
    this.#automations = new KindController(
      createImageUpdateAutomationReconciler({
        ...ports,
        api,
        log,
        policiesOf: (namespace) => this.#policies.list(namespace),
        findGitRepository: (namespace, name) => this.#sources.tryGet(namespace, name),
      }),
      environment,
    );
  }

  get synced(): Promise<void> {
    return Promise.all(
      [this.#automations.objects, this.#policies, this.#sources].map(({ synced }) => synced),
    ).then(() => undefined);
  }

  get hasSynced(): boolean {
    return [this.#automations.objects, this.#policies, this.#sources].every(({ hasSynced }) => hasSynced);
  }

  watch(): void {
    this.#automations.watch();
    this.#policies.start();
    this.#sources.start();
    const tellOfPolicy = ({ metadata: { namespace = "" } }: StatusObject): void =>
      this.#automations.referenceChanged(policiesKey(namespace));
    this.#policies.subscribe({
      added: tellOfPolicy,
      updated: (object, old) => {
        if (choiceOf(object) !== choiceOf(old)) tellOfPolicy(object);
      },
      deleted: tellOfPolicy,
    });
    const tellOfSource = ({ metadata: { namespace = "", name } }: StatusObject): void =>
      this.#automations.referenceChanged(referenceKey("GitRepository", { namespace, name }));
    this.#sources.subscribe({
      added: tellOfSource,
      updated: (object, old) => {
        const { metadata: is } = object;
        if (is.uid !== old.metadata.uid || is.generation !== old.metadata.generation) tellOfSource(object);
      },
      deleted: tellOfSource,
    });
  }

  start(): void {
    this.#automations.start();
  }

  async stop(graceMs: number): Promise<void> {
    await Promise.all([this.#automations.stop(graceMs), this.#policies.stop(), this.#sources.stop()]);
  }
}

/** Shards tell who looks after an object, not who may read it. */
function readAll<Read extends KubernetesObject>(
  { api, observer, log, clock, namespace, idleMs }: ControllerEnvironment,
  kind: "ImagePolicy" | "GitRepository",
  reads: ObjectKind<Read>,
): ReadObjects<Read, StatusObject> {
  const informer = new Informer<StatusObject>({
    client: api,
    type: resourceTypes[kind],
    namespace,
    transform: withoutManagedFields,
    log,
    ...(clock === undefined ? {} : { clock }),
    ...(idleMs === undefined ? {} : { idleMs }),
    ...(observer === undefined ? {} : { hooks: observer.informerHooks(kind) }),
  });
  return new ReadObjects(informer, new ObjectReader<Read>(kind, reads));
}

/** What automations go by: which policies they take, and what those have chosen. */
function choiceOf({ metadata, status }: StatusObject): string {
  return JSON.stringify([metadata.uid, metadata.labels, status?.["latestRef"]]);
}
