import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RunResult } from "../../src/core/process.ts";
import { buildCommands, runCommand } from "../support/cli.ts";
import {
  type EventDestination,
  type GenericEvent,
  startEventDestination,
} from "../support/event-destination.ts";
import { type EventRelay, startEventRelay } from "../support/event-relay.ts";
import {
  alert,
  fluxObjects,
  gitRepository,
  imagePolicy,
  imageRepository,
  imageUpdateAutomation,
  provider,
} from "../support/flux-objects.ts";
import { type GitHttpServer, startGitHttp } from "../support/git-http.ts";
import { type BareRepository, createBareRepository } from "../support/git-repository.ts";
import { pushImage } from "../support/images.ts";
import { type NotifyServer, startNotifyServer } from "../support/notify-server.ts";
import { type Registry, startRegistry } from "../support/registry.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

const namespace = "flux-system";
const podinfo = { name: "podinfo", namespace };
const deploymentID = "e076e315-5a48-41c3-81c8-8d8bdee7d74d";

let folder: TempDir;
let destination: EventDestination;
let server: NotifyServer;
let relay: EventRelay;
const fileOf = (name: string): string => path.join(folder.path, name);

beforeAll(async () => {
  await buildCommands();
  folder = await createTempDir("stories");
  destination = await startEventDestination();
  const kinds = ["HelmRelease", "ImageRepository", "ImagePolicy", "ImageUpdateAutomation"];
  const config = fileOf("alerts.yaml");
  await writeFile(
    config,
    fluxObjects([
      provider({ name: "hook", namespace }, { type: "generic", address: destination.url }),
      alert(
        { name: "all", namespace },
        { providerRef: { name: "hook" }, eventSources: kinds.map((kind) => ({ kind, name: "*" })) },
      ),
    ]),
  );
  // The tests tell of the same objects in the same words.
  server = await startNotifyServer(config, "--rate-limit-interval", "0s");
  relay = await startEventRelay(server.url);
});

afterAll(async () => {
  await relay.stop();
  expect(await server.stop()).toBe("");
  await destination.stop();
  await folder.remove();
});

async function send(manifest: string, message: string): Promise<RunResult> {
  const file = fileOf("release.yaml");
  await writeFile(file, manifest);
  const words = ["--reason", "UpgradeSucceeded", "--message", message];
  return runCommand("fairlead", ["notify", "send", "-f", file, ...words, "--to", server.url]);
}

describe("RFC-0008, story 1", () => {
  test("a deployment's ID travels from the annotation of a HelmRelease to the provider", async () => {
    const manifest = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: podinfo
  namespace: flux-system
  uid: 7d0cdc51-ddcf-4743-b223-83ca5c699632
  annotations:
    event.toolkit.fluxcd.io/deploymentID: ${deploymentID}
spec:
  chart:
    spec:
      chart: podinfo
      version: 6.5.*
      sourceRef:
        kind: HelmRepository
        name: podinfo
`;
    expect(await send(manifest, "Helm upgrade succeeded")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    const [event] = await destination.take(1);
    expect(event).toMatchObject({
      involvedObject: {
        apiVersion: "helm.toolkit.fluxcd.io/v2",
        kind: "HelmRelease",
        name: "podinfo",
        namespace: "flux-system",
        uid: "7d0cdc51-ddcf-4743-b223-83ca5c699632",
      },
      message: "Helm upgrade succeeded",
    });
    expect(event?.metadata).toEqual({ deploymentID });
  });
});

await describeWithTools(["registry", "crane"], "RFC-0008, story 2", (tools) => {
  let registry: Registry;
  let gitServer: GitHttpServer;
  let repository: BareRepository;
  let count = 0;
  let image = "";

  beforeAll(async () => {
    registry = await startRegistry(tools.registry);
    gitServer = await startGitHttp({ root: folder.path });
  });

  afterAll(async () => {
    await gitServer.stop();
    await registry.stop();
  });

  beforeEach(async () => {
    count += 1;
    image = `${registry.host}/stefanprodan/podinfo${count}`;
    await pushImage(tools.crane, `${image}:6.4.9`, "old");
    await pushImage(tools.crane, `${image}:6.5.0`, "new");
    const manifest = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: podinfo
  namespace: flux-system
  annotations:
    event.toolkit.fluxcd.io/image: ${image}:latest # {"$imagepolicy": "flux-system:podinfo"}
spec:
  chart:
    spec:
      chart: podinfo
      sourceRef:
        kind: HelmRepository
        name: podinfo
  values:
    image:
      tag: latest  # {"$imagepolicy": "flux-system:podinfo:tag"}
`;
    repository = await createBareRepository(path.join(folder.path, `r${count}.git`), {
      "release.yaml": manifest,
    });
    await writeObjects();
  });

  /** The objects of the automation, whose repository is scanned whenever it is looked at. */
  async function writeObjects(...others: readonly object[]): Promise<void> {
    const annotations = { "event.toolkit.fluxcd.io/team": "shop", "example.com/other": "stays" };
    await writeFile(
      fileOf(`objects${count}.yaml`),
      fluxObjects([
        ...others,
        imageRepository({ ...podinfo, annotations }, { image, interval: "1s" }),
        imagePolicy(podinfo, {
          imageRepositoryRef: { name: "podinfo" },
          policy: { semver: { range: "6.x" } },
        }),
        gitRepository(podinfo, { url: `${gitServer.url}/r${count}.git`, ref: { branch: "main" } }),
        imageUpdateAutomation(
          { ...podinfo, annotations },
          {
            sourceRef: { kind: "GitRepository", name: "podinfo" },
            git: { commit: { author: { email: "fairlead@example.com" } } },
          },
        ),
      ]),
    );
  }

  async function automate(eventsAddr: string): Promise<RunResult> {
    const state = ["--state", fileOf(`state${count}.db`)];
    const config = ["--config", fileOf(`objects${count}.yaml`)];
    return runCommand("fairlead", ["automate", "--once", ...config, ...state, "--events-addr", eventsAddr]);
  }

  test("an image that automation bumps in an annotation travels to the provider", async () => {
    expect(await automate(relay.url)).toMatchObject({ exitCode: 0, stderr: "" });
    const commit = await repository.git("rev-parse", "--short=7", "main");
    const metadata = { team: "shop" };
    expect(byKind(await destination.take(3))).toEqual([
      {
        kind: "ImagePolicy",
        severity: "info",
        reason: "Succeeded",
        message: `Latest image tag for ${image} resolved to 6.5.0`,
        metadata: undefined,
      },
      {
        kind: "ImageRepository",
        severity: "info",
        reason: "Succeeded",
        message: expect.stringMatching(/^successful scan: found 2 tags with checksum \d+$/u) as string,
        metadata,
      },
      {
        kind: "ImageUpdateAutomation",
        severity: "info",
        reason: "Succeeded",
        message: `pushed commit '${commit}' to branch 'main'\nUpdate from image update automation`,
        metadata,
      },
    ]);
    const manifest = await repository.read("main", "release.yaml");
    expect(manifest).toContain("tag: 6.5.0  #");
    expect((await send(manifest, "Helm upgrade to 6.5.0 succeeded")).exitCode).toBe(0);
    const [event] = await destination.take(1);
    expect(event?.involvedObject.kind).toBe("HelmRelease");
    expect(event?.metadata).toEqual({ image: `${image}:6.5.0` });
  });

  test("automation tells what has changed, and nothing else", async () => {
    await automate(relay.url);
    await destination.take(3);
    const told = relay.relayed.length;
    await automate(relay.url);
    expect(relay.relayed.slice(told)).toEqual([]);
    await pushImage(tools.crane, `${image}:6.5.1`, "newer");
    await writeObjects(imageRepository({ name: "gone", namespace }, { image: `${registry.host}/gone` }));
    expect((await automate(relay.url)).exitCode).toBe(1);
    expect((await automate(relay.url)).exitCode).toBe(1);
    const events = relay.relayed.slice(told).map(({ event, status }) => {
      const [message = ""] = event.message.split("\n");
      return `${status} ${event.severity} ${event.involvedObject.kind} ${event.reason}: ${message}`;
    });
    const commit = await repository.git("rev-parse", "--short=7", "main");
    expect(events.toSorted()).toEqual([
      expect.stringMatching(
        /^202 error ImageRepository ReadOperationFailed: scan failed: .*\/gone is not found/u,
      ),
      `202 info ImagePolicy Succeeded: Latest image tag for ${image} resolved to 6.5.1 (previously ${image}:6.5.0)`,
      expect.stringMatching(/^202 info ImageRepository Succeeded: successful scan: found 3 tags /u),
      `202 info ImageUpdateAutomation Succeeded: pushed commit '${commit}' to branch 'main'`,
    ]);
    await destination.take(4);
  });

  test("events wait beside the state while the server is away", async () => {
    relay.failNext(1000);
    const run = await automate(relay.url);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stdout).toContain("pushed commit");
    expect(run.stderr).toContain("warn: events wait for the next run");
    relay.failNext(0);
    expect(await automate(relay.url)).toMatchObject({
      exitCode: 0,
      stdout: "flux-system/podinfo: up to date\n",
      stderr: "",
    });
    const events = await destination.take(3);
    expect(events.map(({ involvedObject }) => involvedObject.kind)).toContain("ImageUpdateAutomation");
  });

  test.each<[name: string, args: readonly string[], told: string]>([
    [
      "another URL",
      ["--events-addr", "ftp://secret@host"],
      "--events-addr must be a URL with http or https\n  hint: such as http://notification-controller.flux-system/",
    ],
    [
      "a dry run",
      ["--events-addr", "http://127.0.0.1:1/", "--dry-run"],
      "--dry-run and --events-addr exclude each other",
    ],
  ])("%s is refused", async (_name, args, told) => {
    const run = await runCommand("fairlead", ["automate", "--config", fileOf("alerts.yaml"), ...args]);
    expect(run).toMatchObject({ exitCode: 2, stdout: "", stderr: `error: ${told}\n` });
  });
});

/** What automation told, by kind. */
function byKind(events: readonly GenericEvent[]): readonly unknown[] {
  return events
    .map(({ involvedObject: { kind }, severity, reason, message, metadata }) => ({
      kind,
      severity,
      reason,
      message,
      metadata,
    }))
    .toSorted((left, right) => (left.kind < right.kind ? -1 : 1));
}
