import { rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { OpenedFolder } from "../../../test/support/opened-folder.ts";
import { readyConditions } from "../../automation/run/outcome.ts";
import { FairleadError } from "../../core/error.ts";
import { createLogger } from "../../core/log.ts";
import type { Alert } from "../../notification/objects/alert.ts";
import { alertKind } from "../../notification/objects/notification-kinds.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ObjectApi } from "../api/object-api.ts";
import { resourceTypes } from "../api/resource-types.ts";
import type { ControllerEnvironment } from "./controller-environment.ts";
import { KindController } from "./kind-controller.ts";
import { fluxFinalizer, type KindOutcome, type KindReconciler } from "./kind-reconciler.ts";
import { readyOutcome } from "./ready-outcome.ts";

const folder = new OpenedFolder();
const logged: string[] = [];
const log = createLogger({ level: "warn", format: "text", write: (line) => logged.push(line) });
let controller: KindController<Alert> | undefined;

afterEach(async () => {
  await controller?.stop(0);
  controller = undefined;
});

const alert = (labels: string): string => `
apiVersion: notification.toolkit.fluxcd.io/v1beta3
kind: Alert
metadata: {name: it, namespace: apps, labels: {${labels}}}
spec: {providerRef: {name: chat}, eventSources: [{kind: HelmRelease, name: "*"}]}
`;

const verdict = { result: "ready", reason: "Succeeded", message: "fine" } as const;

function ready(message: string): KindOutcome {
  return { result: "ready", findings: readyConditions(message), status: {}, occurrences: [] };
}

async function start(
  reconcile: KindReconciler<Alert>["reconcile"],
  environment: Partial<ControllerEnvironment> = {},
): Promise<void> {
  const { api } = folder;
  const type = resourceTypes.Alert;
  controller = new KindController<Alert>(
    { kind: "Alert", type, reads: alertKind, hasFinalizer: false, reconcile },
    { api, occurrences: { record: () => undefined }, log, concurrency: 1, ...environment },
  );
  controller.watch();
  await controller.objects.synced;
  controller.start();
}

test("what was found of an object is not written into another one of its name", async () => {
  await folder.write("alert.yaml", alert("which: first"));
  await folder.open();
  const found = Promise.withResolvers<KindOutcome>();
  const looked: (string | undefined)[] = [];
  await start(async ({ meta }, _raw, signal) => {
    looked.push(meta.labels["which"]);
    if (looked.length === 1) return found.promise;
    return new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(new Error("aborted")));
    });
  });
  await expect.poll(() => looked).toEqual(["first"]);
  await rm(path.join(folder.path, "alert.yaml"));
  await expect.poll(() => controller?.objects.tryGet("apps", "it")).toBeUndefined();
  await folder.write("alert.yaml", alert("which: second"));
  await expect.poll(() => controller?.objects.tryGet("apps", "it")?.meta.labels["which"]).toBe("second");
  found.resolve(ready("of the first"));
  await expect.poll(() => looked).toEqual(["first", "second"]);
  expect((await folder.get("it", resourceTypes.Alert)).status?.["conditions"]).toBeUndefined();
});

test("what was found of an object that another shard has taken over meanwhile is not written", async () => {
  await folder.write("alert.yaml", alert("shard: one"));
  await folder.open();
  const found = Promise.withResolvers<KindOutcome>();
  const told: string[] = [];
  let looked = 0;
  const reconcile = async (): Promise<KindOutcome> => {
    looked += 1;
    return found.promise;
  };
  await start(reconcile, {
    labelSelector: "shard=one",
    occurrences: { record: (_object, { message }) => void told.push(message) },
  });
  await expect.poll(() => looked).toBe(1);
  await folder.write("alert.yaml", alert("shard: two"));
  await expect.poll(() => controller?.objects.tryGet("apps", "it")).toBeUndefined();
  found.resolve({
    ...ready("fine"),
    occurrences: [{ type: "Normal", reason: "Succeeded", message: "fine" }],
  });
  await controller?.stop(5_000);
  expect((await folder.get("it", resourceTypes.Alert)).status?.["conditions"]).toBeUndefined();
  expect(told).toEqual([]);
});

test("a finalizer that an older controller of the kind has left is taken away", async () => {
  await folder.write("alert.yaml", alert(""));
  await folder.open();
  const patch = { type: "merge", body: { metadata: { finalizers: [fluxFinalizer, "a.b/others"] } } } as const;
  await folder.api.patch(resourceTypes.Alert, { namespace: "apps", name: "it" }, patch);
  await start(async () => ready("fine"));
  await expect
    .poll(async () => (await folder.get("it", resourceTypes.Alert)).metadata.finalizers)
    .toEqual(["a.b/others"]);
});

test.each([true, false])(
  "what happened is told once, where the answer to a write is lost that was made: %s",
  async (isMade) => {
    await folder.write("alert.yaml", alert(""));
    await folder.open();
    const { api } = folder;
    const told: string[] = [];
    let writes = 0;
    await start(async (_alert, raw) => readyOutcome(raw, { ...verdict, requeueAfterMs: 1 }), {
      occurrences: { record: (_object, { message }) => void told.push(message) },
      backOff: { firstDelayMs: 50, maxDelayMs: 50 },
      api: {
        get: async (...given) => api.get(...given),
        list: async (...given) => api.list(...given),
        watch: (...given) => api.watch(...given),
        create: async (...given) => api.create(...given),
        patch: async (...given) => api.patch(...given),
        delete: async (...given) => api.delete(...given),
        close: async () => api.close(),
        patchStatus: async <Item extends ApiObject>(...given: Parameters<ObjectApi["patchStatus"]>) => {
          writes += 1;
          if (writes > 1) return api.patchStatus<Item>(...given);
          if (isMade) await api.patchStatus(...given);
          throw new FairleadError("upstream-unreachable", "no answer", { retryable: true });
        },
      },
    });
    await expect.poll(() => told).toEqual(["fine"]);
    await expect
      .poll(async () => (await folder.get("it", resourceTypes.Alert)).status?.["conditions"])
      .toMatchObject([{ type: "Ready", status: "True" }]);
    await setTimeout(300);
    expect(told).toEqual(["fine"]);
  },
);

test("an object that cannot be read is Stalled, and told in the log", async () => {
  await folder.write("alert.yaml", alert("").replace("{name: chat}", "{}"));
  await folder.open();
  await start(async () => ready("fine"));
  await expect
    .poll(async () => (await folder.get("it", resourceTypes.Alert)).status?.["conditions"])
    .toMatchObject([
      { type: "Stalled", reason: "ValidationFailed" },
      { type: "Ready", status: "False" },
    ]);
  expect(logged).toContainEqual(
    expect.stringContaining("an object is not ready kind=Alert object=apps/it result=stalled"),
  );
});
