import type { ResourceType } from "./api-object.ts";

const image: Omit<ResourceType, "resource"> = {
  group: "image.toolkit.fluxcd.io",
  version: "v1",
  namespaced: true,
};
const notification: Omit<ResourceType, "resource" | "version"> = {
  group: "notification.toolkit.fluxcd.io",
  namespaced: true,
};

/** The kinds of objects that controllers look after or read. */
export type WatchedKind =
  | "ImageRepository"
  | "ImagePolicy"
  | "ImageUpdateAutomation"
  | "GitRepository"
  | "Alert"
  | "Provider"
  | "Receiver"
  | "Secret"
  | "ServiceAccount"
  | "Namespace"
  | "Event";

/** Those kinds as the API server has them. */
export const resourceTypes: Readonly<Record<WatchedKind, ResourceType>> = {
  ImageRepository: { ...image, resource: "imagerepositories" },
  ImagePolicy: { ...image, resource: "imagepolicies" },
  ImageUpdateAutomation: { ...image, resource: "imageupdateautomations" },
  GitRepository: {
    group: "source.toolkit.fluxcd.io",
    version: "v1",
    resource: "gitrepositories",
    namespaced: true,
  },
  Alert: { ...notification, version: "v1beta3", resource: "alerts" },
  Provider: { ...notification, version: "v1beta3", resource: "providers" },
  Receiver: { ...notification, version: "v1", resource: "receivers" },
  Secret: { group: "", version: "v1", resource: "secrets", namespaced: true },
  ServiceAccount: { group: "", version: "v1", resource: "serviceaccounts", namespaced: true },
  Namespace: { group: "", version: "v1", resource: "namespaces", namespaced: false },
  Event: { group: "", version: "v1", resource: "events", namespaced: true },
};

/** The version of a kind's group as manifests write it: `image.toolkit.fluxcd.io/v1`. */
export function apiVersionOf({ group, version }: ResourceType): string {
  return group === "" ? version : `${group}/${version}`;
}
