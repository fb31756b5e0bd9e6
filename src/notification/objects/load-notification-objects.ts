import type { Diagnostic } from "../../core/diagnostic.ts";
import { loadObjectsOf, type LoadOptions } from "../../objects/load-objects.ts";
import { secretKind, type ObjectKind, type ObjectKinds } from "../../objects/object-kind.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { Secret } from "../../objects/secret.ts";
import type { Alert } from "./alert.ts";
import { alertKind, providerKind, receiverKind } from "./notification-kinds.ts";
import type { NotificationObject, NotificationObjects, SourceObject } from "./notification-objects.ts";
import type { Provider } from "./provider.ts";
import type { Receiver } from "./receiver.ts";
import { sourceGroups, sourceKinds } from "./source-kinds.ts";

export interface LoadedNotificationObjects {
  readonly objects: NotificationObjects;
  /** What is wrong with files and objects; those that are well work nevertheless. */
  readonly diagnostics: readonly Diagnostic[];
}

const kinds: ObjectKinds<NotificationObject> = new Map<string, ObjectKind<NotificationObject>>([
  ["Alert", alertKind],
  ["Provider", providerKind],
  ["Receiver", receiverKind],
  ["Secret", secretKind],
  ...sourceKinds.map(
    (kind) =>
      [
        kind,
        {
          group: sourceGroups[kind],
          read: (fields, meta) => ({ kind, apiVersion: fields.text("apiVersion") ?? "", meta }),
        } satisfies ObjectKind<SourceObject>,
      ] as const,
  ),
]);

/**
 * Reads Alerts, Providers, Receivers, their Secrets and the objects that they name from manifests, as
 * {@link loadObjectsOf} does: what is wrong with one does not stop the others.
 * @throws FairleadError `input-unreadable`, `limit-exceeded`, `aborted`
 */
export async function loadNotificationObjects(
  paths: readonly string[],
  options: LoadOptions = {},
): Promise<LoadedNotificationObjects> {
  const { objects, diagnostics } = await loadObjectsOf(kinds, paths, options);
  return { objects: collect(objects), diagnostics };
}

function collect(all: readonly NotificationObject[]): NotificationObjects {
  const alerts = new Map<string, Alert>();
  const providers = new Map<string, Provider>();
  const receivers = new Map<string, Receiver>();
  const secrets = new Map<string, Secret>();
  const sources = new Map<string, SourceObject>();
  for (const object of all) {
    const key = objectKey(object.meta);
    switch (object.kind) {
      case "Alert":
        alerts.set(key, object);
        break;
      case "Provider":
        providers.set(key, object);
        break;
      case "Receiver":
        receivers.set(key, object);
        break;
      case "Secret":
        secrets.set(key, object);
        break;
      default:
        sources.set(`${object.kind}/${key}`, object);
    }
  }
  return { alerts, providers, receivers, secrets, sources };
}
