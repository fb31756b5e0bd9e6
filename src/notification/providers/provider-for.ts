import { FairleadError, messageOf } from "../../core/error.ts";
import { createRedactor } from "../../core/redaction.ts";
import { withDeadline } from "../transport/deadline.ts";
import type { NotificationProvider, ProviderSettings, ProviderType } from "./provider.ts";
import { secretsOf, urlSecrets } from "./secrets.ts";

/** A run loads the providers that it uses. */
const loaders: Readonly<Record<ProviderType, () => Promise<NotificationProvider>>> = {
  generic: async () => (await import("./generic.ts")).genericProvider,
  "generic-hmac": async () => (await import("./generic-hmac.ts")).genericHmacProvider,
  slack: async () => (await import("./slack.ts")).slackProvider,
  discord: async () => (await import("./discord.ts")).discordProvider,
  rocket: async () => (await import("./rocket.ts")).rocketProvider,
  msteams: async () => (await import("./msteams.ts")).msteamsProvider,
  googlechat: async () => (await import("./googlechat.ts")).googlechatProvider,
  webex: async () => (await import("./webex.ts")).webexProvider,
  telegram: async () => (await import("./telegram.ts")).telegramProvider,
  lark: async () => (await import("./lark.ts")).larkProvider,
  matrix: async () => (await import("./matrix.ts")).matrixProvider,
  zoom: async () => (await import("./zoom.ts")).zoomProvider,
  zulip: async () => (await import("./zulip.ts")).zulipProvider,
  grafana: async () => (await import("./grafana.ts")).grafanaProvider,
  alertmanager: async () => (await import("./alertmanager.ts")).alertmanagerProvider,
  opsgenie: async () => (await import("./opsgenie.ts")).opsgenieProvider,
  pagerduty: async () => (await import("./pagerduty.ts")).pagerdutyProvider,
  "incident.io": async () => (await import("./incident-io.ts")).incidentIoProvider,
  sentry: async () => (await import("./sentry.ts")).sentryProvider,
  datadog: async () => (await import("./datadog.ts")).datadogProvider,
  azureeventhub: async () => (await import("./azureeventhub.ts")).azureEventHubProvider,
  googlepubsub: async () => (await import("./googlepubsub.ts")).googlePubSubProvider,
  nats: async () => (await import("./nats.ts")).natsProvider,
  otel: async () => (await import("./otel.ts")).otelProvider,
  smtp: async () => (await import("./smtp.ts")).smtpProvider,
  github: async () => (await import("./github.ts")).githubProvider,
  gitlab: async () => (await import("./gitlab.ts")).gitlabProvider,
  gitea: async () => (await import("./gitea.ts")).giteaProvider,
  bitbucket: async () => (await import("./bitbucket.ts")).bitbucketProvider,
  bitbucketserver: async () => (await import("./bitbucketserver.ts")).bitbucketServerProvider,
  azuredevops: async () => (await import("./azuredevops.ts")).azureDevOpsProvider,
  githubdispatch: async () => (await import("./githubdispatch.ts")).githubDispatchProvider,
  githubpullrequestcomment: async () =>
    (await import("./githubpullrequestcomment.ts")).githubPullRequestCommentProvider,
  giteapullrequestcomment: async () =>
    (await import("./giteapullrequestcomment.ts")).giteaPullRequestCommentProvider,
  gitlabmergerequestcomment: async () =>
    (await import("./gitlabmergerequestcomment.ts")).gitlabMergeRequestCommentProvider,
};

/** Every type of provider. */
export const providerTypes: readonly ProviderType[] = Object.keys(loaders) as ProviderType[];

/** Whether a text names a type of provider. */
export function isProviderType(type: string): type is ProviderType {
  return Object.hasOwn(loaders, type);
}

/**
 * The provider of a type, loaded when it first delivers. A delivery ends within the time of its settings, and no
 * error of it tells a secret.
 */
export function providerFor(type: ProviderType): NotificationProvider {
  return {
    deliver: async (notification, settings, context) => {
      const { timeoutMs } = settings;
      try {
        await withDeadline(
          timeoutMs,
          () => slowness(type, timeoutMs),
          context.signal,
          async (signal) => {
            const provider = await loaders[type]();
            await provider.deliver(notification, settings, { ...context, signal });
          },
        );
      } catch (error) {
        throw error === context.signal?.reason ? error : withoutSecrets(error, settings);
      }
    },
  };
}

function slowness(type: ProviderType, timeoutMs: number): FairleadError {
  return new FairleadError("delivery-failed", `${type} took longer than ${timeoutMs / 1000} s`, {
    retryable: true,
  });
}

/** The error with its secrets taken out and without its cause, which may hold them in any form. */
function withoutSecrets(error: unknown, settings: ProviderSettings): FairleadError {
  const redact = createRedactor([...secretsOf(settings), ...urlSecrets(settings.address)]);
  if (!(error instanceof FairleadError)) return new FairleadError("internal", redact(messageOf(error)));
  const { code, where, hint, retryable, retryAfterMs } = error;
  return new FairleadError(code, redact(error.message), { where, hint, retryable, retryAfterMs });
}
