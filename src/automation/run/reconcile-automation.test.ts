import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  fluxObjects,
  gitRepository,
  imagePolicy,
  imageUpdateAutomation,
  secret,
} from "../../../test/support/flux-objects.ts";
import { type GitHttpServer, startGitHttp } from "../../../test/support/git-http.ts";
import { type BareRepository, createBareRepository } from "../../../test/support/git-repository.ts";
import { createTempDir } from "../../../test/support/temp-dir.ts";
import { FairleadError } from "../../core/error.ts";
import { createLogger } from "../../core/log.ts";
import type { LatestReference } from "../objects/image-policy.ts";
import { loadObjects } from "../objects/load-objects.ts";
import { type AutomationState, openState } from "../state/automation-state.ts";
import type { AutomationStatus } from "../state/object-status.ts";
import { Exclusive } from "./exclusive.ts";
import type { PushNotes } from "./push-notes.ts";
import { type AutomationOutcome, reconcileAutomation } from "./reconcile-automation.ts";

const namespace = "ns";
const meta = { name: "auto", namespace };
const folder = await createTempDir("reconcile");
const files = {
  "a/app.yaml": 'app: old:1 # {"$imagepolicy": "ns:app"}\n',
  "b/web.yaml": 'web: old:1 # {"$imagepolicy": "ns:web"}\n',
};
let count = 0;
let repository: BareRepository;
let server: GitHttpServer;
let state: AutomationState;
let onRequest: (path: string) => Promise<void>;

beforeEach(async () => {
  onRequest = () => Promise.resolve();
  const name = `r${(count += 1)}.git`;
  repository = await createBareRepository(join(folder.path, name), files);
  server = await startGitHttp({
    root: folder.path,
    onRequest: async ({ url }) => onRequest(url ?? ""),
  });
  state = await openState(undefined);
  choose("app", { tag: "2" });
  choose("web", { tag: "2" });
});

afterEach(async () => {
  state.close();
  await server.stop();
});

afterAll(() => folder.remove());

function choose(name: string, { tag, attributes = {} }: Partial<LatestReference>): void {
  const latestRef = { name: "new", tag: tag ?? "", attributes };
  state.putStatus("ImagePolicy", { namespace, name }, { conditions: [], latestRef });
}

interface Settings {
  readonly spec?: object;
  readonly git?: object;
  readonly commit?: object;
  readonly annotations?: object;
  readonly repository?: object;
  readonly objects?: readonly object[];
  readonly name?: string;
  readonly dryRun?: boolean;
  readonly exclusive?: Exclusive;
  readonly pushNotes?: PushNotes;
}

async function reconcile(settings: Settings = {}): Promise<AutomationOutcome> {
  const name = settings.name ?? meta.name;
  const file = join(folder.path, `objects${count}-${name}.json`);
  const policySpec = { imageRepositoryRef: { name: "x" }, policy: { alphabetical: {} } };
  const objects = [
    imagePolicy({ name: "app", namespace, labels: { team: "a" } }, policySpec),
    imagePolicy({ name: "web", namespace, labels: { team: "b" } }, policySpec),
    gitRepository(meta, {
      url: `${server.url}/r${count}.git`,
      ref: { branch: "main" },
      ...settings.repository,
    }),
    imageUpdateAutomation(
      { ...meta, name, annotations: settings.annotations ?? {} },
      {
        sourceRef: { kind: "GitRepository", name: meta.name },
        git: { commit: { author: { email: "bot@example.com" }, ...settings.commit }, ...settings.git },
        ...settings.spec,
      },
    ),
    ...(settings.objects ?? []),
  ];
  await writeFile(file, fluxObjects(objects));
  const loaded = await loadObjects([file]);
  expect(loaded.diagnostics).toEqual([]);
  const automation = loaded.objects.imageUpdateAutomations.get(`${namespace}/${name}`);
  if (automation === undefined) throw new Error("no automation");
  const outcome = await reconcileAutomation(automation, {
    objects: loaded.objects,
    state,
    exclusive: settings.exclusive ?? new Exclusive(),
    inherited: { PATH: process.env["PATH"] },
    nowMs: () => 1_000,
    log: createLogger({ level: "error", format: "text", write: () => undefined }),
    dryRun: settings.dryRun ?? false,
    ...(settings.pushNotes === undefined ? {} : { pushNotes: settings.pushNotes }),
  });
  await outcome.told?.();
  return outcome;
}

function readyOf({ status }: AutomationOutcome): string {
  const { reason, message } = status.conditions.find(({ type }) => type === "Ready") ?? {};
  return `${reason}: ${message}`;
}

describe("a push that is rejected", () => {
  test("is made again on what others left", async () => {
    let commits = 0;
    onRequest = async (path) => {
      if (!path.endsWith("git-receive-pack") || path.includes("?") || commits === 3) return;
      commits += 1;
      await repository.commit("main", { [`other${commits}.yaml`]: "" }, { message: `other ${commits}` });
    };
    const outcome = await reconcile();
    expect(readyOf(outcome)).toBe("Succeeded: repository up-to-date");
    expect(await repository.subjects("main")).toEqual([
      "Update from image update automation",
      "other 3",
      "other 2",
      "other 1",
      "Change by somebody",
    ]);
    expect(outcome.status).toMatchObject({
      lastPushCommit: await repository.git("rev-parse", "main"),
      lastPushTimeMs: 1_000,
      observedSourceRevision: `main@sha1:${await repository.git("rev-parse", "main")}`,
    });
  });

  test("is not needed where somebody did the same meanwhile", async () => {
    let isDone = false;
    onRequest = async (path) => {
      if (!path.endsWith("git-receive-pack") || path.includes("?") || isDone) return;
      isDone = true;
      const same = Object.entries(files).map(([file, text]) => [file, text.replace("old:1", "new:2")]);
      await repository.commit("main", Object.fromEntries(same) as Record<string, string>);
    };
    const outcome = await reconcile();
    expect(outcome).toMatchObject({ result: "ready" });
    expect(outcome.push).toBeUndefined();
    expect(await repository.subjects("main")).toHaveLength(2);
  });

  test("ends where the server refuses for good", async () => {
    await repository.hook("pre-receive", "echo no >&2; exit 1");
    const outcome = await reconcile();
    expect(outcome).toMatchObject({ result: "retry", error: { code: "git-rejected" } });
    expect(readyOf(outcome)).toMatch(/^GitOperationFailed: .*rejected 3 times: .*hook declined.*no/u);
    expect(outcome.status.observedSourceRevision).toBeUndefined();
  });
});

/** Ends a run between its push and what it keeps of it: the state is as it was when the server took the push. */
async function pushAndCrash(settings: Settings): Promise<AutomationOutcome> {
  let kept: AutomationStatus | undefined;
  onRequest = async (path) => {
    if (path.endsWith("git-receive-pack") && !path.includes("?"))
      kept = state.status("ImageUpdateAutomation", meta);
    return Promise.resolve();
  };
  const outcome = await reconcile(settings);
  onRequest = () => Promise.resolve();
  if (kept === undefined) throw new Error("nothing was noted before the push");
  state.putStatus("ImageUpdateAutomation", meta, kept);
  return outcome;
}

const noted = (): string | undefined => state.status("ImageUpdateAutomation", meta)?.pendingPush;

describe("a push that nobody was told of", () => {
  test.each<[name: string, settings: Settings, meanwhile: () => Promise<unknown> | void]>([
    ["is told by the next run", {}, () => undefined],
    ["is told although others went on", {}, async () => repository.commit("main", { "other.yaml": "" })],
    [
      "is told of another branch",
      { git: { push: { branch: "auto" } } },
      async () => repository.commit("auto", { "other.yaml": "" }),
    ],
    [
      "is told with its refspec and message",
      { git: { push: { refspec: "HEAD:refs/for/main" } }, commit: { messageTemplate: "one\n\ntwo\n" } },
      () => undefined,
    ],
  ])("%s", async (_name, settings, meanwhile) => {
    const { push, status } = await pushAndCrash(settings);
    expect(noted()).toBe(push?.commit);
    expect(status).not.toHaveProperty("pendingPush");
    await meanwhile();
    const next = await reconcile(settings);
    expect(next.earlierPushes).toEqual([push]);
    expect(next.push).toBeUndefined();
    expect(next.status).toMatchObject({ lastPushCommit: push?.commit, lastPushTimeMs: 1_000 });
    expect(noted()).toBeUndefined();
    expect((await reconcile(settings)).earlierPushes).toEqual([]);
  });

  test("is told although the next run fails", async () => {
    const { push } = await pushAndCrash({});
    const next = await reconcile({ spec: { update: { path: "none", strategy: "Setters" } } });
    expect(next).toMatchObject({ result: "retry", earlierPushes: [push] });
    expect(next.status.lastPushCommit).toBe(push?.commit);
    expect(noted()).toBeUndefined();
  });

  test("is told before the next one", async () => {
    const first = await pushAndCrash({});
    choose("app", { tag: "3" });
    const second = await pushAndCrash({});
    expect(second.earlierPushes).toEqual([first.push]);
    expect(second.status.lastPushCommit).toBe(second.push?.commit);
    expect((await reconcile()).earlierPushes).toEqual([first.push, second.push]);
  });

  test("is told where the server's answer was lost", async () => {
    await repository.hook("post-receive", "kill -9 $PPID");
    const failed = await reconcile();
    expect(readyOf(failed)).toMatch(/^GitOperationFailed: failed to update source: /u);
    expect(failed.push).toBeUndefined();
    await repository.hook("post-receive", "exit 0");
    const commit = await repository.git("rev-parse", "main");
    expect(noted()).toBe(commit);
    const next = await reconcile();
    expect(next.earlierPushes).toMatchObject([{ commit }]);
    expect(next.status.lastPushCommit).toBe(commit);
  });

  test.each<[name: string, settings: Settings, meanwhile: () => Promise<unknown> | void]>([
    [
      "is not told where it was not made",
      {},
      async () => repository.git("update-ref", "refs/heads/main", "main~1"),
    ],
    [
      "is not told where its branch is gone",
      { git: { push: { branch: "auto" } } },
      async () => repository.git("update-ref", "-d", "refs/heads/auto"),
    ],
    [
      "is not told where the note says nothing",
      {},
      () => state.putStatus("ImageUpdateAutomation", meta, { conditions: [], pendingPush: "--all main x" }),
    ],
  ])("%s", async (_name, settings, meanwhile) => {
    await pushAndCrash(settings);
    await meanwhile();
    const next = await reconcile(settings);
    expect(next).toMatchObject({ result: "ready", earlierPushes: [] });
    expect(noted()).toBeUndefined();
  });

  test("stays noted while nothing can be seen of the branch, and while the automation is suspended", async () => {
    const { push } = await pushAndCrash({});
    expect(await reconcile({ repository: { ref: { branch: "none" } } })).toMatchObject({ result: "retry" });
    await reconcile({ spec: { suspend: true } });
    await reconcile({ dryRun: true });
    expect((await reconcile()).earlierPushes).toEqual([push]);
  });

  test("leaves no note where it was refused", async () => {
    await repository.hook("pre-receive", "exit 1");
    await reconcile();
    expect(noted()).toBeUndefined();
  });
});

async function refuse(): Promise<never> {
  throw new FairleadError("upstream-unreachable", "no server", { retryable: true });
}

test("nothing is pushed that cannot be noted", async () => {
  const outcome = await reconcile({ pushNotes: { read: () => undefined, write: refuse } });
  expect(readyOf(outcome)).toBe("GitOperationFailed: failed to update source: no server");
  expect(await repository.subjects("main")).toHaveLength(1);
});

test("two automations on one branch both land", async () => {
  const settings = { exclusive: new Exclusive() };
  const outcomes = await Promise.all([
    reconcile({ ...settings, name: "one", spec: { update: { path: "a", strategy: "Setters" } } }),
    reconcile({ ...settings, name: "two", spec: { update: { path: "b", strategy: "Setters" } } }),
    reconcile({ name: "three", spec: { update: { path: "b", strategy: "Setters" } } }),
  ]);
  expect(outcomes.map(({ result }) => result)).toEqual(["ready", "ready", "ready"]);
  expect(await repository.subjects("main")).toHaveLength(3);
  expect(await repository.read("main", "a/app.yaml")).toContain("new:2");
  expect(await repository.read("main", "b/web.yaml")).toContain("new:2");
});

/** Requests for objects since a request, which are longer than those for refs. */
function fetches(from: number): number {
  return server.requests
    .slice(from)
    .filter(({ url, headers }) => url?.endsWith("git-upload-pack") && Number(headers["content-length"]) > 250)
    .length;
}

describe("nothing is fetched", () => {
  test.each<[name: string, git: object]>([
    ["where branch and policies are the same", {}],
    ["where another branch is pushed", { push: { branch: "auto" } }],
  ])("%s", async (_name, git) => {
    await reconcile({ git });
    const seen = server.requests.length;
    const outcome = await reconcile({ git });
    expect(outcome).toMatchObject({ result: "ready" });
    expect(fetches(seen)).toBe(0);
  });

  test.each<[name: string, change: () => Promise<Settings> | Settings]>([
    ["but where a policy chose another tag", () => (choose("app", { tag: "3" }), {})],
    ["but where an attribute is another", () => (choose("app", { tag: "2", attributes: { a: "b" } }), {})],
    ["but where the branch went on", async () => (await repository.commit("main", { "x.yaml": "" }), {})],
    ["but where somebody asks", () => ({ annotations: { "reconcile.fluxcd.io/requestedAt": "now" } })],
    ["but where the automation is another", () => ({ spec: { update: { path: "a", strategy: "Setters" } } })],
  ])("%s", async (_name, change) => {
    await reconcile();
    const settings = await change();
    const seen = server.requests.length;
    await reconcile(settings);
    expect(fetches(seen)).toBeGreaterThan(0);
  });

  test("but where the branch that is pushed was taken back", async () => {
    const git = { push: { branch: "auto" } };
    await reconcile({ git });
    await repository.git("update-ref", "-d", "refs/heads/auto");
    expect(await reconcile({ git })).toMatchObject({ push: { branch: "auto" } });
  });
});

test("only policies that the selector takes are followed, and markers of others are left", async () => {
  const policySelector = { matchExpressions: [{ key: "team", operator: "In", values: ["b"] }] };
  const outcome = await reconcile({ spec: { policySelector } });
  expect(outcome.diagnostics).toEqual([]);
  expect(Object.keys(outcome.status.observedPolicies ?? {})).toEqual(["web"]);
  expect(await repository.git("diff", "--name-only", "main~1", "main")).toBe("b/web.yaml");
});

test("a dry run tells what it would do, and does not", async () => {
  const outcome = await reconcile({ dryRun: true });
  expect(outcome.update).toMatchObject({
    message: "Update from image update automation",
    files: [{ path: "a/app.yaml" }, { path: "b/web.yaml" }],
  });
  expect(await repository.subjects("main")).toHaveLength(1);
  expect(state.status("ImageUpdateAutomation", meta)).toBeUndefined();
});

test("a suspended automation is left alone", async () => {
  expect(await reconcile({ spec: { suspend: true } })).toEqual({
    result: "suspended",
    status: { conditions: [] },
    diagnostics: [],
  });
  expect(server.requests).toEqual([]);
});

test("a refspec is pushed after the branch, and the event tells both", async () => {
  const outcome = await reconcile({
    git: { push: { refspec: "HEAD:refs/for/main" } },
    commit: { messageTemplate: "one\n\ntwo" },
    spec: { update: { path: "a", strategy: "Setters" } },
  });
  const commit = await repository.git("rev-parse", "refs/for/main");
  expect(outcome.push?.summary).toBe(
    `pushed commit '${commit.slice(0, 7)}' to branch 'main' and refspecs 'HEAD:refs/for/main'\none\n\ntwo`,
  );
});

test("files are named from the folder that is updated", async () => {
  await reconcile({
    spec: { update: { path: "./a", strategy: "Setters" } },
    commit: {
      messageTemplate: "{{ range $file, $_ := .Changed.FileChanges }}{{ $file }} {{ $.Values.env }}{{ end }}",
      messageTemplateValues: { env: "prod" },
    },
  });
  expect(await repository.subjects("main")).toContain("app.yaml prod");
});

describe("conditions", () => {
  test.each<[name: string, settings: Settings, result: string, ready: RegExp]>([
    [
      "no GitRepository",
      { spec: { sourceRef: { kind: "GitRepository", name: "none" } } },
      "retry",
      /^SourceManagerFailed: failed configuring source manager: referenced git repository does not exist: ns\/none/u,
    ],
    [
      "no Secret",
      { repository: { secretRef: { name: "none" } } },
      "retry",
      /^SourceManagerFailed: .*there is no Secret ns\/none/u,
    ],
    [
      "no signing key",
      { commit: { signingKey: { secretRef: { name: "none" } } } },
      "retry",
      /^SourceManagerFailed: .*there is no Secret ns\/none/u,
    ],
    [
      "a provider whose Secret lacks what it wants for now",
      {
        repository: { provider: "github", secretRef: { name: "git" } },
        objects: [secret({ name: "git", namespace }, {})],
      },
      "retry",
      /^SourceManagerFailed: .*the Secret ns\/git describes no GitHub App$/u,
    ],
    [
      "a signing key that is none",
      {
        commit: { signingKey: { secretRef: { name: "key" } } },
        objects: [secret({ name: "key", namespace }, { "git.asc": "x" })],
      },
      "retry",
      /^SourceManagerFailed: .*has a git\.asc that gpg cannot read/u,
    ],
    [
      "no branch to push",
      { repository: { ref: { tag: "v1" } } },
      "stalled",
      /^InvalidSourceConfiguration: it is not said which branch to push/u,
    ],
    [
      "no such branch",
      { repository: { ref: { branch: "none" } } },
      "retry",
      /^GitOperationFailed: failed to checkout source: the remote repository has no refs\/heads\/none/u,
    ],
    [
      "no such folder",
      { spec: { update: { path: "none", strategy: "Setters" } } },
      "retry",
      /^UpdateFailed: failed to apply policies/u,
    ],
    [
      "a field that is gone",
      { commit: { messageTemplate: "{{ .Updated }}" } },
      "stalled",
      /^RemovedTemplateField: the template uses the removed field \.Updated/u,
    ],
    [
      "a template that does not parse",
      { commit: { messageTemplate: "{{" } },
      "retry",
      /^GitOperationFailed: the template of the commit message/u,
    ],
  ])("%s", async (_name, settings, result, ready) => {
    const outcome = await reconcile(settings);
    expect(readyOf(outcome)).toMatch(ready);
    expect(outcome.result).toBe(result);
    expect(outcome.error).toBeInstanceOf(FairleadError);
    const types = outcome.status.conditions.map(({ type, status }) => `${type}=${status}`);
    expect(types).toEqual([result === "stalled" ? "Stalled=True" : "Reconciling=True", "Ready=False"]);
    expect(state.status("ImageUpdateAutomation", meta)).toEqual(outcome.status);
    expect(await repository.subjects("main")).toHaveLength(1);
  });
});
