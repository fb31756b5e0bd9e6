import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withTempDir } from "../../../test/support/temp-dir.ts";
import type { NotificationEvent } from "../event.ts";
import { loadNotificationObjects } from "../objects/load-notification-objects.ts";
import type { NotificationObjects } from "../objects/notification-objects.ts";
import { explainEvent } from "./explain-event.ts";

const objectsText = `
apiVersion: notification.toolkit.fluxcd.io/v1beta3
kind: Provider
metadata: {name: hook, namespace: apps}
spec: {type: generic-hmac, address: "https://example.com/hook/pathsecret", secretRef: {name: hook}}
---
apiVersion: v1
kind: Secret
metadata: {name: hook, namespace: apps}
stringData: {token: topsecret, headers: "X-Key: headersecret"}
---
apiVersion: notification.toolkit.fluxcd.io/v1beta3
kind: Provider
metadata: {name: status, namespace: apps, uid: 0c9c2e41-d2f9-4f9b-9c41-bebc1984d67a}
spec: {type: gitlab, address: "https://gitlab.com/org/repo", secretRef: {name: gone}, commitStatusExpr: "event.involvedObject.kind + '/' + provider.metadata.name"}
---
apiVersion: notification.toolkit.fluxcd.io/v1beta3
kind: Alert
metadata: {name: hook, namespace: apps, annotations: {notification.fairlead.dev/template: "{{ .Metadata.image }}"}}
spec: {providerRef: {name: hook}, eventMetadata: {image: alert}, eventSources: [{kind: HelmRelease, name: "*"}]}
---
apiVersion: notification.toolkit.fluxcd.io/v1beta3
kind: Alert
metadata: {name: status, namespace: apps}
spec: {providerRef: {name: status}, eventSources: [{kind: HelmRelease, name: "*"}]}
---
apiVersion: notification.toolkit.fluxcd.io/v1beta3
kind: Alert
metadata: {name: other, namespace: other}
spec: {providerRef: {name: hook}, eventSources: [{kind: HelmRelease, name: "*"}]}
`;

const event: NotificationEvent = {
  involvedObject: {
    apiVersion: "helm.toolkit.fluxcd.io/v2",
    kind: "HelmRelease",
    namespace: "apps",
    name: "podinfo",
  },
  severity: "error",
  timestamp: "2026-11-22T08:00:00Z",
  message: "failed",
  reason: "UpgradeFailed",
  metadata: {
    "event.toolkit.fluxcd.io/image": "podinfo:6.5.0",
    "helm.toolkit.fluxcd.io/token": "1",
    plain: "x",
  },
  reportingController: "helm-controller",
};

async function load(): Promise<NotificationObjects> {
  return withTempDir(async (folder) => {
    await writeFile(join(folder, "objects.yaml"), objectsText);
    const { objects, diagnostics } = await loadNotificationObjects([folder]);
    expect(diagnostics).toEqual([]);
    return objects;
  });
}

test("an event is explained, and no secret is told", async () => {
  const explanation = await explainEvent(event, await load());
  expect(explanation.ignoredMetadata).toEqual(["helm.toolkit.fluxcd.io/token", "plain"]);
  const [hook, status, other] = explanation.alerts;
  expect(hook).toMatchObject({
    alert: "apps/hook",
    isMatch: true,
    delivery: {
      provider: "apps/hook",
      type: "generic-hmac",
      text: "alert",
      metadata: [
        {
          key: "image",
          value: "alert",
          source: "Alert object .spec.eventMetadata",
          overridden: ["involved object annotations"],
        },
      ],
      messages: [{ method: "POST", headers: { "x-key": "[redacted]" } }],
    },
  });
  expect(status?.delivery).toMatchObject({ messages: [], problem: "there is no Secret apps/gone" });
  expect(other).toEqual({
    alert: "other/other",
    isMatch: false,
    warnings: [],
    reason: "no event source selects it: HelmRelease/* (another namespace)",
  });
  const text = JSON.stringify(explanation);
  for (const secret of ["topsecret", "headersecret", "pathsecret"]) expect(text).not.toContain(secret);
});
