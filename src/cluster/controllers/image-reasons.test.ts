import { afterEach, expect, test } from "vitest";
import {
  fluxObjects,
  gitRepository,
  imagePolicy,
  imageRepository,
  imageUpdateAutomation,
} from "../../../test/support/flux-objects.ts";
import { OpenedFolder } from "../../../test/support/opened-folder.ts";
import { type RunningControllers, startImageControllers } from "../../../test/support/running-controllers.ts";
import { openState } from "../../automation/state/automation-state.ts";
import { FairleadError } from "../../core/error.ts";
import { createLogger } from "../../core/log.ts";
import type { ObjectApi } from "../api/object-api.ts";
import { resourceTypes, type WatchedKind } from "../api/resource-types.ts";
import { createServiceAccountTokens } from "../api/service-account-token.ts";
import { createImageRepositoryReconciler } from "./image-repository.ts";
import { KindController } from "./kind-controller.ts";

const folder = new OpenedFolder();
const app = { name: "app", namespace: "apps" };
const image = "registry.example.com/app";
const git = { commit: { author: { email: "bot@example.com" } } };
const sourceRef = { kind: "GitRepository", name: "app" };
const latest = { imageRepositoryRef: { name: "app" }, policy: { semver: { range: "*" } } };

let controllers: RunningControllers | undefined;

afterEach(async () => {
  await controllers?.stop();
  controllers = undefined;
});

/** The API of the folder with another way to read objects of a kind. */
function reading(kind: WatchedKind, get: ObjectApi["get"]): ObjectApi {
  const { api } = folder;
  return {
    get: async (type, name, options) =>
      type.resource === resourceTypes[kind].resource
        ? get(type, name, options)
        : api.get(type, name, options),
    list: async (type, options) => api.list(type, options),
    watch: (type, options) => api.watch(type, options),
    create: async (type, object, options) => api.create(type, object, options),
    patch: async (type, name, patch, options) => api.patch(type, name, patch, options),
    patchStatus: async (type, name, patch, options) => api.patchStatus(type, name, patch, options),
    delete: async (type, name, options) => api.delete(type, name, options),
    close: async () => api.close(),
  };
}

/** The API of the folder for somebody who may not read objects of a kind. */
function without(kind: "Secret" | "Namespace"): ObjectApi {
  return reading(kind, async ({ resource }) => {
    throw new FairleadError("access-denied", `${resource} are forbidden`);
  });
}

type Kind = "ImageRepository" | "ImagePolicy" | "ImageUpdateAutomation";

interface Expected {
  readonly kind: Kind;
  readonly reason: string;
  readonly message: string | RegExp;
  readonly isStalled: boolean;
}

async function expectCondition({ kind, reason, message, isStalled }: Expected): Promise<void> {
  const conditions = async (): Promise<unknown> =>
    (await folder.get("app", resourceTypes[kind])).status?.["conditions"];
  const told: unknown = typeof message === "string" ? message : expect.stringMatching(message);
  const ready: unknown = expect.objectContaining({ type: "Ready", status: "False", reason, message: told });
  const other: unknown = isStalled
    ? expect.objectContaining({ type: "Stalled", status: "True", reason, message: told })
    : expect.objectContaining({ type: "Reconciling", reason: "ProgressingWithRetry" });
  await expect.poll(conditions, { timeout: 5000 }).toEqual([other, ready]);
}

interface Row extends Expected {
  readonly name: string;
  readonly objects: readonly object[];
  readonly noCrossNamespaceRefs?: boolean;
  readonly without?: "Secret" | "Namespace";
}

const rows: readonly Row[] = [
  {
    name: "a policy without the interval that the definition asks for",
    objects: [imagePolicy(app, { ...latest, digestReflectionPolicy: "Always" })],
    kind: "ImagePolicy",
    reason: "IntervalNotConfigured",
    message: /interval is required where digestReflectionPolicy is Always/u,
    isStalled: true,
  },
  {
    name: "an automation with a strategy that the definition refuses",
    objects: [imageUpdateAutomation(app, { sourceRef, git, update: { strategy: "Replace" } })],
    kind: "ImageUpdateAutomation",
    reason: "InvalidUpdateStrategy",
    message: /update\.strategy/u,
    isStalled: true,
  },
  {
    name: "a policy that must not look into another namespace",
    objects: [imagePolicy(app, { ...latest, imageRepositoryRef: { name: "app", namespace: "shared" } })],
    noCrossNamespaceRefs: true,
    kind: "ImagePolicy",
    reason: "AccessDenied",
    message: /cannot access 'ImageRepository\/shared\/app', cross-namespace references have been blocked$/u,
    isStalled: false,
  },
  {
    name: "an automation that must not look into another namespace",
    objects: [imageUpdateAutomation(app, { sourceRef: { ...sourceRef, namespace: "shared" }, git })],
    noCrossNamespaceRefs: true,
    kind: "ImageUpdateAutomation",
    reason: "AccessDenied",
    message: "can't access 'GitRepository/shared/app', cross-namespace references have been blocked",
    isStalled: true,
  },
  {
    name: "a policy of a namespace whose labels must not be read",
    objects: [
      imageRepository(
        { name: "app", namespace: "shared" },
        { image, suspend: true, accessFrom: { namespaceSelectors: [{ matchLabels: { a: "b" } }] } },
      ),
      imagePolicy(app, { ...latest, imageRepositoryRef: { name: "app", namespace: "shared" } }),
    ],
    without: "Namespace",
    kind: "ImagePolicy",
    reason: "Failed",
    message: "namespaces are forbidden",
    isStalled: false,
  },
  {
    name: "an automation whose Secrets must not be read",
    objects: [
      gitRepository(app, { url: "https://git.example.com/app", secretRef: { name: "git" } }),
      imageUpdateAutomation(app, { sourceRef, git }),
    ],
    without: "Secret",
    kind: "ImageUpdateAutomation",
    reason: "Failed",
    message: "secrets are forbidden",
    isStalled: false,
  },
];

test.each(rows)("$name", async ({ objects, noCrossNamespaceRefs, without: forbidden, ...expected }) => {
  await folder.write("objects.json", fluxObjects(objects));
  await folder.open();
  controllers = await startImageControllers({
    api: forbidden === undefined ? folder.api : without(forbidden),
    ...(noCrossNamespaceRefs === undefined ? {} : { noCrossNamespaceRefs }),
  });
  await expectCondition(expected);
});

test("an automation with a ServiceAccount whose token is denied for now", async () => {
  const repository = {
    url: "https://dev.azure.com/org/_git/app",
    ref: { branch: "main" },
    provider: "azure",
    serviceAccountName: "robot",
  };
  await folder.write(
    "objects.json",
    fluxObjects([gitRepository(app, repository), imageUpdateAutomation(app, { sourceRef, git })]),
  );
  await folder.open();
  const annotations = {
    "azure.workload.identity/client-id": "client",
    "azure.workload.identity/tenant-id": "tenant",
  };
  const metadata = { name: "robot", namespace: "apps", uid: "u", resourceVersion: "1", annotations };
  controllers = await startImageControllers({
    api: reading("ServiceAccount", async <Item>() => ({ metadata }) as Item),
    serviceAccountToken: createServiceAccountTokens({
      createSubresource: async () => {
        throw new FairleadError("access-denied", "tokens are forbidden");
      },
    }),
  });
  await expectCondition({
    kind: "ImageUpdateAutomation",
    reason: "SourceManagerFailed",
    message: /^failed configuring source manager: .*tokens are forbidden$/u,
    isStalled: false,
  });
});

test("a repository whose tags cannot be kept", async () => {
  await folder.write("objects.json", fluxObjects([imageRepository(app, { image })]));
  await folder.open();
  const state = await openState(undefined);
  state.close();
  const log = createLogger({ level: "error", format: "text", write: () => undefined });
  const controller = new KindController(
    createImageRepositoryReconciler({
      state,
      connect: async () => Promise.reject(new Error("nobody asks")),
      foundTags: () => undefined,
      nowMs: () => 0,
      log,
    }),
    { api: folder.api, occurrences: { record: () => undefined }, log, concurrency: 1 },
  );
  controller.watch();
  await controller.objects.synced;
  controller.start();
  try {
    await expectCondition({ kind: "ImageRepository", reason: "Failed", message: /state/u, isStalled: false });
  } finally {
    await controller.stop(0);
  }
});
