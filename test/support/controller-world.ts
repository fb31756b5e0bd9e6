import { mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { ApiClient } from "../../src/cluster/api/api-client.ts";
import { openClusterAccess } from "../../src/cluster/api/cluster-access.ts";
import { resourceTypes, type WatchedKind } from "../../src/cluster/api/resource-types.ts";
import type { StatusObject } from "../../src/cluster/controllers/kind-reconciler.ts";
import { FairleadError } from "../../src/core/error.ts";
import { installDefinitions } from "./custom-resource-definitions.ts";
import { gitRepository, imagePolicy, imageRepository, imageUpdateAutomation } from "./flux-objects.ts";
import { type GitHttpOptions, type GitHttpServer, startGitHttp } from "./git-http.ts";
import { type BareRepository, createBareRepository } from "./git-repository.ts";
import { pushImage } from "./images.ts";
import { type KubernetesCluster, type KubernetesOptions, startKubernetes } from "./kubernetes.ts";
import { type Registry, startRegistry } from "./registry.ts";
import { type RegistryGate, startRegistryGate } from "./registry-gate.ts";
import { type Destination, startDestination } from "./served-notifications.ts";
import { createTempDir } from "./temp-dir.ts";

interface WorldPrograms {
  readonly etcd: string;
  readonly "kube-apiserver": string;
  readonly openssl: string;
  readonly registry: string;
  readonly crane: string;
}

export interface WorldOptions extends KubernetesOptions {
  readonly programs: WorldPrograms;
  /** Each is an image, an ImageRepository, an ImagePolicy and two marked files. */
  readonly apps: readonly string[];
  /** How the repositories of a folder are served. */
  readonly git?: (root: string) => GitHttpOptions;
}

/** All that controllers work with, in servers of their own; its objects are in {@link worldNamespace}. */
export interface ControllerWorld {
  readonly cluster: KubernetesCluster;
  readonly folder: string;
  /** What controllers reach the registry by. */
  readonly gate: RegistryGate;
  readonly git: GitHttpServer;
  readonly repository: BareRepository;
  readonly destination: Destination;
  /** The latest tag of each app. */
  readonly latest: ReadonlyMap<string, number>;
  /** Gives an app its next tag. */
  pushNext(app: string): Promise<void>;
  create(...objects: readonly object[]): Promise<void>;
  /** Undefined where there is none. */
  find(kind: WatchedKind, name: string): Promise<StatusObject | undefined>;
  patch(kind: WatchedKind, name: string, body: object): Promise<void>;
  delete(kind: WatchedKind, name: string): Promise<void>;
  /** The automation with its source, and repositories and policies of all apps. */
  objects(interval: string): readonly object[];
  stop(): Promise<void>;
}

export const worldNamespace = "apps";
export const automationName = "fleet";

const markedFiles = ["image.yaml", "values.yaml"] as const;

/** Starts the servers, and gives each app its tag 1. */
export async function startControllerWorld(options: WorldOptions): Promise<ControllerWorld> {
  const { programs, apps, git: served = (root) => ({ root }) } = options;
  const temporary = await createTempDir("controllers");
  const folder = temporary.path;
  const closers: (() => Promise<void>)[] = [async () => temporary.remove()];
  const stop = async (): Promise<void> => {
    for (const close of closers.toReversed()) await close();
  };
  try {
    const cluster = await startKubernetes(programs, options);
    closers.push(async () => cluster.stop());
    await installDefinitions(cluster.api);
    await cluster.createNamespace(worldNamespace);
    const client = new ApiClient(await openClusterAccess({ kubeconfig: cluster.kubeconfig }));
    closers.push(async () => client.close());
    const registry = await startRegistry(programs.registry);
    closers.push(async () => registry.stop());
    const gate = await startRegistryGate(registry.host);
    closers.push(async () => gate.stop());
    const root = path.join(folder, "git");
    await mkdir(root);
    const git = await startGitHttp(served(root));
    closers.push(async () => git.stop());
    const files = apps.flatMap((app) =>
      markedFiles.map((file) => [
        `${app}/${file}`,
        `image: old:0 # {"$imagepolicy": "${worldNamespace}:${app}"}\n`,
      ]),
    );
    const repository = await createBareRepository(
      path.join(root, "fleet.git"),
      Object.fromEntries(files) as Record<string, string>,
    );
    const destination = await startDestination();
    closers.push(async () => destination.stop());
    const latest = new Map<string, number>();
    const named = (name: string): { namespace: string; name: string } => ({
      namespace: worldNamespace,
      name,
    });
    for (const app of apps) {
      await pushImage(programs.crane, `${registry.host}/${app}:1`, app);
      latest.set(app, 1);
    }
    return {
      cluster,
      folder,
      gate,
      git,
      repository,
      destination,
      latest,
      pushNext: async (app) => {
        const tag = (latest.get(app) ?? 0) + 1;
        await copyTag(registry, app, tag);
        latest.set(app, tag);
      },
      create: async (...objects) => {
        for (const object of objects as readonly StatusObject[])
          await client.create(resourceTypes[object.kind as WatchedKind], object);
      },
      find: async (kind, name) => {
        try {
          return await client.get<StatusObject>(resourceTypes[kind], named(name));
        } catch (error) {
          if (error instanceof FairleadError && error.code === "object-missing") return undefined;
          throw error;
        }
      },
      patch: async (kind, name, body) =>
        void (await client.patch(resourceTypes[kind], named(name), { type: "merge", body })),
      delete: async (kind, name) => client.delete(resourceTypes[kind], named(name)),
      objects: (interval) => [
        ...apps.flatMap((app) => [
          imageRepository(named(app), { image: `${gate.host}/${app}`, interval }),
          imagePolicy(named(app), { imageRepositoryRef: { name: app }, policy: { numerical: {} } }),
        ]),
        gitRepository(named(automationName), { url: `${git.url}/fleet.git`, ref: { branch: "main" } }),
        imageUpdateAutomation(named(automationName), {
          sourceRef: { kind: "GitRepository", name: automationName },
          git: { commit: { author: { email: "bot@example.com" } } },
        }),
      ],
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function copyTag({ url }: Registry, app: string, tag: number): Promise<void> {
  const accept = [
    "application/vnd.oci.image.manifest.v1+json",
    "application/vnd.docker.distribution.manifest.v2+json",
  ].join(",");
  const known = await fetch(`${url}/v2/${app}/manifests/1`, { headers: { accept } });
  const type = known.headers.get("content-type") ?? "";
  const put = await fetch(`${url}/v2/${app}/manifests/${tag}`, {
    method: "PUT",
    headers: { "content-type": type },
    body: await known.arrayBuffer(),
  });
  if (!put.ok) throw new Error(`the tag ${app}:${tag} cannot be made: ${put.status} ${await put.text()}`);
}

/** Waits until a check gives no complaint any more. */
export async function converge(check: () => Promise<readonly string[]>, timeoutMs: number): Promise<number> {
  const beganMs = performance.now();
  for (;;) {
    const complaints = await check();
    const tookMs = Math.round(performance.now() - beganMs);
    if (complaints.length === 0) return tookMs;
    if (tookMs > timeoutMs) throw new Error(`not so after ${tookMs} ms: ${complaints.join("\n")}`);
    await sleep(200);
  }
}

/** What is not yet as it has to be of the apps: statuses of their present generation, and files in Git. */
export async function complaintsOf(world: ControllerWorld): Promise<readonly string[]> {
  const complaints: string[] = [];
  for (const [app, tag] of world.latest) {
    for (const kind of ["ImageRepository", "ImagePolicy"] as const)
      complaints.push(...unready(kind, app, await world.find(kind, app)));
    const chosen = JSON.stringify((await world.find("ImagePolicy", app))?.status?.["latestRef"]);
    const expected = JSON.stringify({ name: `${world.gate.host}/${app}`, tag: String(tag) });
    if (chosen !== expected) complaints.push(`ImagePolicy ${app} has chosen ${chosen}, not ${expected}`);
  }
  const lines = new Set((await world.repository.git("grep", "-h", "image:", "main")).split("\n"));
  for (const [app, tag] of world.latest) {
    const line = `image: ${world.gate.host}/${app}:${tag} # {"$imagepolicy": "${worldNamespace}:${app}"}`;
    if (!lines.delete(line)) complaints.push(`no file says ${line}`);
  }
  complaints.push(...Array.from(lines, (line) => `a file says ${line}`));
  const automation = await world.find("ImageUpdateAutomation", automationName);
  const head = await world.repository.git("rev-parse", "main");
  const observed = automation?.status?.["observedSourceRevision"];
  complaints.push(...unready("ImageUpdateAutomation", automationName, automation));
  if (observed !== `main@sha1:${head}`)
    complaints.push(`the automation has seen ${JSON.stringify(observed)}`);
  return complaints;
}

/** What is wrong with an object that has to be Ready in its present generation, and to have heard all requests. */
export function unready(
  kind: WatchedKind,
  name: string,
  object: StatusObject | undefined,
): readonly string[] {
  if (object === undefined) return [`${kind} ${name} is not there`];
  const { metadata, status } = object;
  const conditions = status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === "Ready");
  const isSettled =
    ready?.status === "True" &&
    ready.observedGeneration === metadata.generation &&
    status?.observedGeneration === metadata.generation &&
    !conditions.some(({ type }) => type === "Reconciling" || type === "Stalled") &&
    status?.lastHandledReconcileAt === metadata.annotations?.["reconcile.fluxcd.io/requestedAt"];
  return isSettled ? [] : [`${kind} ${name} of generation ${metadata.generation}: ${JSON.stringify(status)}`];
}

/**
 * Expects of the history of a world's repository that each commit brings some apps forward, in all of their files
 * alike: that none is empty, made twice, partial, or takes back what another has brought.
 * @param since the commits after it; default: all
 * @returns how many commits there are
 */
export async function expectWholeCommits({ repository }: ControllerWorld, since?: string): Promise<number> {
  const range = since === undefined ? "main" : `${since}..main`;
  const log = await repository.git(
    "log",
    "--reverse",
    "--no-renames",
    "-p",
    "-U0",
    "--format=commit %H",
    range,
  );
  const commits = log.split(/^commit /mu).slice(since === undefined ? 2 : 1);
  for (const commit of commits) {
    const changes = new Map<string, string[]>();
    for (const file of commit.split(/^diff --git /mu).slice(1)) {
      const app = /^\+\+\+ b\/([^/]+)\//mu.exec(file)?.[1] ?? "?";
      const from = Number(/^-image: \S+:(\d+) #/mu.exec(file)?.[1]);
      const to = Number(/^\+image: \S+:(\d+) #/mu.exec(file)?.[1]);
      expect(to, file).toBeGreaterThan(from);
      changes.set(app, [...(changes.get(app) ?? []), `${from} to ${to}`]);
    }
    expect(changes.size, commit).toBeGreaterThan(0);
    for (const [app, made] of changes) {
      expect(made, app).toHaveLength(markedFiles.length);
      expect(new Set(made).size, app).toBe(1);
    }
  }
  await repository.git("fsck", "--strict");
  return commits.length;
}
