import type { ProviderType } from "../providers/provider.ts";

/** What sort of events each type of Provider is for. */
type ProviderClass = "generic" | "chat" | "commit-status" | "change-request";

const classes: Readonly<Record<ProviderType, ProviderClass>> = {
  generic: "generic",
  "generic-hmac": "generic",
  slack: "chat",
  discord: "chat",
  rocket: "chat",
  msteams: "chat",
  googlechat: "chat",
  webex: "chat",
  telegram: "chat",
  lark: "chat",
  matrix: "chat",
  zoom: "chat",
  zulip: "chat",
  grafana: "chat",
  alertmanager: "chat",
  opsgenie: "chat",
  pagerduty: "chat",
  "incident.io": "chat",
  sentry: "chat",
  datadog: "chat",
  azureeventhub: "chat",
  googlepubsub: "chat",
  nats: "chat",
  otel: "chat",
  smtp: "chat",
  github: "commit-status",
  gitlab: "commit-status",
  gitea: "commit-status",
  bitbucket: "commit-status",
  bitbucketserver: "commit-status",
  azuredevops: "commit-status",
  githubdispatch: "chat",
  githubpullrequestcomment: "change-request",
  giteapullrequestcomment: "change-request",
  gitlabmergerequestcomment: "change-request",
};

export const providerTypes: readonly ProviderType[] = Object.keys(classes) as ProviderType[];

/** Whether a Provider forwards events as they are. */
export function isGenericType(type: ProviderType): boolean {
  return classes[type] === "generic";
}

/** Whether a Provider sets the status of commits. */
export function isCommitStatusType(type: ProviderType): boolean {
  return classes[type] === "commit-status";
}

/** Whether a Provider comments on pull or merge requests. */
export function isChangeRequestType(type: ProviderType): boolean {
  return classes[type] === "change-request";
}
