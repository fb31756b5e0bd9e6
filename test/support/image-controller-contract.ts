import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiObject, ObjectName } from "../../src/cluster/api/api-object.ts";
import type { ObjectApi } from "../../src/cluster/api/object-api.ts";
import { resourceTypes, type WatchedKind } from "../../src/cluster/api/resource-types.ts";
import type { StatusObject } from "../../src/cluster/controllers/kind-reconciler.ts";
import { type FaultyRegistry, json, startFaultyRegistry } from "./faulty-registry.ts";
import { imageRepository } from "./flux-objects.ts";
import { type GitHttpServer, startGitHttp } from "./git-http.ts";
import { type BareRepository, createBareRepository } from "./git-repository.ts";
import {
  automation,
  automationRows,
  type ImageKind,
  type Place,
  policy,
  policyRows,
  repository,
  repositoryRows,
  secret,
  source,
} from "./image-controller-rows.ts";
import { type RunningControllers, startImageControllers } from "./running-controllers.ts";
import { createTempDir, type TempDir } from "./temp-dir.ts";

/** A manifest as a user writes it. */
export interface WrittenObject extends Pick<ApiObject, "apiVersion"> {
  readonly kind: WatchedKind;
  readonly metadata: ObjectName & { readonly namespace: string };
}

/** Where objects of users live, for one run of the contract. */
export interface ImageControllerHost {
  /** After a restart another one. */
  readonly api: ObjectApi;
  /** Lets objects be in a namespace. */
  createNamespace(name: string): Promise<void>;
  /** Makes an object be, and gives when it is. */
  create(object: WrittenObject): Promise<void>;
  /** Merges into an object as its user does, and gives when that is in force. */
  patch(kind: ImageKind, name: ObjectName, body: MergedParts): Promise<void>;
  /** Takes an object away as its user does; it may be there for a while. */
  delete(kind: ImageKind, name: ObjectName): Promise<void>;
  /** Ends the API and opens it again, with what it knew. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** What a user changes of an object: its annotations, or its specification. */
export interface MergedParts {
  readonly metadata?: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec?: Readonly<Record<string, unknown>>;
}

function condition({ status }: StatusObject, type: string): Record<string, unknown> | undefined {
  return status?.conditions?.find((each) => each.type === type);
}

function isPushed({ status }: StatusObject): boolean {
  return status?.["lastPushCommit"] !== undefined;
}

function request(at: string): MergedParts {
  return { metadata: { annotations: { "reconcile.fluxcd.io/requestedAt": at } } };
}

function hasHandled(at: string) {
  return ({ status }: StatusObject): boolean => status?.lastHandledReconcileAt === at;
}

function isShown(object: StatusObject): boolean {
  return condition(object, "Reconciling") !== undefined;
}

function isReady(object: StatusObject): boolean {
  return condition(object, "Ready")?.["status"] === "True";
}

/** Holds the image controllers over objects of users to every condition that they tell. */
export function describeImageControllers(title: string, openHost: () => Promise<ImageControllerHost>): void {
  describe(title, () => {
    let folder: TempDir;
    let host: ImageControllerHost;
    let registry: FaultyRegistry;
    let git: GitHttpServer;
    let bare: BareRepository;
    let controllers: RunningControllers;
    let count = 0;

    beforeAll(async () => {
      folder = await createTempDir("image-controllers");
      host = await openHost();
      registry = await startFaultyRegistry();
      const tags = ["1.0.0", "1.1.0", "main-7-abc", "sha256-1.sig"];
      registry.answer("/v2/test/app/tags/list", json(200, { name: "test/app", tags }));
      const type = "application/vnd.oci.image.manifest.v1+json";
      const manifest = { schemaVersion: 2, mediaType: type };
      registry.answer("/v2/test/app/manifests/1.1.0", json(200, manifest, { "content-type": type }));
      git = await startGitHttp({ root: folder.path });
      bare = await createBareRepository(path.join(folder.path, "fleet.git"), {
        "app.yaml": 'image: old # {"$imagepolicy": "tmpl:app"}\n',
      });
      await host.createNamespace("shared");
      for (const [name, spec] of [
        ["closed", {}],
        ["others", { accessFrom: { namespaceSelectors: [{ matchLabels: { team: "others" } }] } }],
        ["open", { accessFrom: { namespaceSelectors: [{ matchLabels: {} }] } }],
      ] as const) {
        await create(
          imageRepository({ name, namespace: "shared" }, { image: `${registry.host}/test/app`, ...spec }),
        );
      }
      controllers = await startImageControllers({ api: host.api });
    });

    afterAll(async () => {
      await controllers.stop();
      await git.stop();
      await registry.stop();
      await host.stop();
      await folder.remove();
    });

    async function create(object: object): Promise<void> {
      await host.create(object as WrittenObject);
    }

    async function place(name?: string): Promise<Place> {
      count += 1;
      const namespace = name ?? `apps-${count}`;
      await host.createNamespace(namespace);
      return {
        namespace,
        image: `${registry.host}/test/app`,
        registry: registry.host,
        gitUrl: `${git.url}/fleet.git`,
      };
    }

    async function read(kind: ImageKind, namespace: string, name = "app"): Promise<StatusObject> {
      return host.api.get<StatusObject>(resourceTypes[kind], { namespace, name });
    }

    async function until(
      kind: ImageKind,
      namespace: string,
      holds: (object: StatusObject) => boolean,
    ): Promise<StatusObject> {
      let object = await read(kind, namespace);
      for (let left = 1200; !holds(object); left--) {
        if (left === 0) throw new Error(`${kind} is not as expected: ${JSON.stringify(object.status)}`);
        await sleep(25);
        object = await read(kind, namespace);
      }
      return object;
    }

    describe.each([
      ["an ImageRepository", repositoryRows],
      ["an ImagePolicy", policyRows],
      ["an ImageUpdateAutomation", automationRows],
    ] as const)("%s", (_title, rows) => {
      test.each(rows)("%s", async (name, objects, { kind, ready, reason, message, isStalled = false }) => {
        const here = await place(name === "a template with a field that was removed" ? "tmpl" : undefined);
        for (const object of objects(here)) await create(object);
        const isSettled = (object: StatusObject): boolean =>
          condition(object, "Ready")?.["reason"] === reason;
        const object = await until(kind, here.namespace, isSettled);
        const matching: unknown = typeof message === "string" ? message : expect.stringMatching(message);
        const common = { reason, message: matching, observedGeneration: 1 };
        expect(condition(object, "Ready")).toMatchObject({ ...common, status: ready });
        if (isStalled) expect(condition(object, "Stalled")).toMatchObject({ ...common, status: "True" });
        else expect(condition(object, "Stalled")).toBeUndefined();
        const isRetried = ready === "False" && !isStalled;
        const progress = { reason: "ProgressingWithRetry", message: "reconciliation in progress" };
        if (isRetried)
          expect(condition(object, "Reconciling")).toMatchObject({ ...progress, status: "True" });
        else expect(condition(object, "Reconciling")).toBeUndefined();
        expect(object.status?.observedGeneration).toBe(isRetried ? -1 : 1);
        expect(object.metadata.finalizers).toEqual(["finalizers.fluxcd.io"]);
      });
    });

    test("a scan fills the status as Flux does", async () => {
      const here = await place();
      await create(repository(here));
      const { status } = await until(
        "ImageRepository",
        here.namespace,
        (object) => object.status?.observedGeneration === 1,
      );
      expect(status).toMatchObject({
        canonicalImageName: here.image,
        observedExclusionList: [String.raw`^.*\.sig$`],
        lastScanResult: { tagCount: 3, latestTags: ["main-7-abc", "1.1.0", "1.0.0"] },
      });
    });

    test("a policy's choice, its attributes and the one before are told, and written into Git", async () => {
      const here = await place("story");
      await bare.commit("main", {
        "story.yaml":
          'image: old # {"$imagepolicy": "story:app"}\nmajor: "0" # {"$imagepolicy": "story:app:major"}\n',
      });
      const filterTags = { pattern: String.raw`^(?P<major>\d+)\.0\.\d+$` };
      for (const object of [repository(here), policy(here, { filterTags }), source(here), automation(here)])
        await create(object);
      const pushed = await until("ImageUpdateAutomation", "story", isPushed);
      expect(await bare.read("main", "story.yaml")).toBe(
        `image: ${here.image}:1.0.0 # {"$imagepolicy": "story:app"}\nmajor: "1" # {"$imagepolicy": "story:app:major"}\n`,
      );
      const latestRef = { name: here.image, tag: "1.0.0", attributes: { major: "1" } };
      expect((await read("ImagePolicy", "story")).status).toMatchObject({ latestRef });
      expect(pushed.status).toMatchObject({
        lastPushCommit: await bare.git("rev-parse", "main"),
        observedPolicies: { app: latestRef },
        observedSourceRevision: `main@sha1:${await bare.git("rev-parse", "main")}`,
      });
      // A change of the pattern alone is a change of the attributes.
      await host.patch(
        "ImagePolicy",
        { namespace: "story", name: "app" },
        { spec: { filterTags: { pattern: String.raw`^(?P<major>\d+)\.(?P<minor>1)\.\d+$` } } },
      );
      const next = await until("ImagePolicy", "story", ({ status }) => status?.observedGeneration === 2);
      expect(next.status).toMatchObject({
        latestRef: { tag: "1.1.0", attributes: { major: "1", minor: "1" } },
        observedPreviousRef: latestRef,
      });
      expect(condition(next, "Ready")?.["message"]).toBe(
        `Latest image tag for ${here.image} resolved to 1.1.0 (previously ${here.image}:1.0.0)`,
      );
      await until(
        "ImageUpdateAutomation",
        "story",
        ({ status }) => status?.["lastPushCommit"] !== pushed.status?.["lastPushCommit"],
      );
      expect(controllers.told.filter((line) => line.includes("/story/app Succeeded: pushed"))).toHaveLength(
        2,
      );
    });

    test("a request is handled, and a suspended object left alone", async () => {
      const here = await place();
      await create(repository(here, { suspend: true }));
      const name = { namespace: here.namespace, name: "app" };
      await host.patch("ImageRepository", name, request("one"));
      await sleep(500);
      expect((await read("ImageRepository", here.namespace)).status).toEqual({ observedGeneration: -1 });
      await host.patch("ImageRepository", name, { spec: { suspend: false } });
      const first = await until("ImageRepository", here.namespace, hasHandled("one"));
      await sleep(1100);
      await host.patch("ImageRepository", name, request("two"));
      const second = await until("ImageRepository", here.namespace, hasHandled("two"));
      expect(second.status?.["lastScanResult"]).not.toEqual(first.status?.["lastScanResult"]);
    });

    test("work that takes its time shows that it goes on", async () => {
      const here = await place();
      const slow = `/v2/test/${here.namespace}/tags/list`;
      registry.answer(
        slow,
        (response) => void setTimeout(() => response.end(JSON.stringify({ tags: ["1"] })), 2000),
      );
      await create(repository(here, { image: `${here.registry}/test/${here.namespace}` }));
      const shown = await until("ImageRepository", here.namespace, isShown);
      expect(condition(shown, "Reconciling")).toMatchObject({
        status: "True",
        reason: "Progressing",
        message: "processing object: new generation -1 -> 1",
      });
      expect(condition(shown, "Ready")).toMatchObject({ status: "Unknown", reason: "Progressing" });
      const ready = await until("ImageRepository", here.namespace, isReady);
      expect(condition(ready, "Reconciling")).toBeUndefined();
    });

    test("an object that is deleted goes, and its tags with it", async () => {
      const here = await place();
      await create(repository(here));
      await until("ImageRepository", here.namespace, isReady);
      await host.delete("ImageRepository", { namespace: here.namespace, name: "app" });
      await expect
        .poll(
          async () =>
            read("ImageRepository", here.namespace).then(
              () => "there",
              () => "gone",
            ),
          { timeout: 20_000 },
        )
        .toBe("gone");
      await create(policy(here));
      const waiting = await until(
        "ImagePolicy",
        here.namespace,
        (object) => condition(object, "Ready") !== undefined,
      );
      expect(condition(waiting, "Ready")?.["reason"]).toBe("DependencyNotReady");
    });

    test("a Secret that is put right lets the next attempt succeed", async () => {
      const here = await place();
      await create(repository(here, { secretRef: { name: "pull" } }));
      await until(
        "ImageRepository",
        here.namespace,
        (object) => condition(object, "Ready")?.["reason"] === "AuthenticationFailed",
      );
      const auths = { [here.registry]: { username: "u", password: "p" } };
      await create({
        ...secret(here, "pull", { ".dockerconfigjson": JSON.stringify({ auths }) }),
        type: "kubernetes.io/dockerconfigjson",
      });
      await until("ImageRepository", here.namespace, isReady);
    });

    test("a restart lists tags anew and leaves what was chosen as it is", async () => {
      const here = await place();
      for (const object of [repository(here), policy(here)]) await create(object);
      const { status: chosen } = await until("ImagePolicy", here.namespace, isReady);
      const scanned = (await read("ImageRepository", here.namespace)).status?.["lastScanResult"];
      await controllers.stop();
      await sleep(1100);
      await host.restart();
      const before = await read("ImagePolicy", here.namespace);
      expect(before.status).toEqual(chosen);
      controllers = await startImageControllers({ api: host.api });
      const isScannedAgain = ({ status }: StatusObject): boolean =>
        !isDeepStrictEqual(status?.["lastScanResult"], scanned);
      await until("ImageRepository", here.namespace, isScannedAgain);
      await sleep(500);
      const after = await read("ImagePolicy", here.namespace);
      expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    });
  });
}
