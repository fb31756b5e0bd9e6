import { rm } from "node:fs/promises";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { OpenedFolder } from "../../../test/support/opened-folder.ts";
import { readyConditions } from "../../automation/run/outcome.ts";
import { createLogger } from "../../core/log.ts";
import type { Alert } from "../../notification/objects/alert.ts";
import { alertKind } from "../../notification/objects/notification-kinds.ts";
import { resourceTypes } from "../api/resource-types.ts";
import { KindController } from "./kind-controller.ts";
import { fluxFinalizer, type KindOutcome, type KindReconciler } from "./kind-reconciler.ts";

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

function ready(message: string): KindOutcome {
  return { result: "ready", findings: readyConditions(message), status: {}, occurrences: [] };
}

async function start(reconcile: KindReconciler<Alert>["reconcile"]): Promise<void> {
  const { api } = folder;
  const type = resourceTypes.Alert;
  controller = new KindController<Alert>(
    { kind: "Alert", type, reads: alertKind, hasFinalizer: false, reconcile },
    { api, occurrences: { record: () => undefined }, log, concurrency: 1 },
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
