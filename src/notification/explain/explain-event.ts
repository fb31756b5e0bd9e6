import { FairleadError } from "../../core/error.ts";
import { objectKey } from "../../objects/object-meta.ts";
import { AlertMatcher, type AlertWarning } from "../alert/alert-matcher.ts";
import { commitStatusOf } from "../alert/commit-status.ts";
import { renderMessage } from "../alert/message-template.ts";
import { describeMismatch } from "../alert/mismatch.ts";
import { dedupeKey, type DedupeOptions } from "../dedupe/dedupe-key.ts";
import type { NotificationEvent, ObjectReference } from "../event.ts";
import { cleanMetadata, withoutToken } from "../metadata/clean-metadata.ts";
import { combineMetadata, type CombinedMetadata, type MetadataSource } from "../metadata/combine-metadata.ts";
import type { Alert } from "../objects/alert.ts";
import { folderSources } from "../objects/folder-snapshot.ts";
import type { NotificationObjects } from "../objects/notification-objects.ts";
import type { Provider } from "../objects/provider.ts";
import { providerSettings } from "../objects/provider-settings.ts";
import { providerFor } from "../providers/provider-for.ts";
import type { NotificationProvider, ProviderType } from "../providers/provider.ts";
import { secretsOf } from "../providers/secrets.ts";
import { createRecordingTransport } from "../transport/recording-transport.ts";
import { maskMessage, type MaskedMessage } from "./masked-message.ts";

/** What becomes of an event, and why. */
export interface EventExplanation {
  readonly object: ObjectReference;
  readonly severity: NotificationEvent["severity"];
  /** By which duplicates are told. */
  readonly dedupeKey: string;
  /** Keys of metadata that no provider gets: those without a prefix that counts, checksums, digests and the token. */
  readonly ignoredMetadata: readonly string[];
  /** In the order of files. */
  readonly alerts: readonly AlertExplanation[];
}

export interface AlertExplanation {
  /** `namespace/name` */
  readonly alert: string;
  readonly isMatch: boolean;
  /** Why it does not match. */
  readonly reason?: string;
  /** What its owner should know. */
  readonly warnings: readonly string[];
  readonly delivery?: DeliveryExplanation;
}

export interface DeliveryExplanation {
  /** `namespace/name` */
  readonly provider: string;
  readonly type: ProviderType;
  /** Sorted by key. */
  readonly metadata: readonly MetadataExplanation[];
  /** By the Alert's template. */
  readonly text?: string;
  /** What the Provider would send, without its secrets. */
  readonly messages: readonly MaskedMessage[];
  /** Why the Provider would send nothing. */
  readonly problem?: string;
}

export interface MetadataExplanation {
  readonly key: string;
  readonly value: string;
  readonly source: MetadataSource;
  /** Sources that gave the key as well and lost, from the lowest precedence to the highest. */
  readonly overridden: readonly MetadataSource[];
}

export interface ExplainOptions extends DedupeOptions {
  readonly noCrossNamespaceRefs?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Default: the real ones. */
  readonly providerFor?: (type: ProviderType) => NotificationProvider;
}

/**
 * Tells which Alerts an event matches or why not, where each key of metadata comes from, and what each Provider would
 * send. Nothing is sent.
 */
export async function explainEvent(
  event: NotificationEvent,
  objects: NotificationObjects,
  options: ExplainOptions = {},
): Promise<EventExplanation> {
  const { noCrossNamespaceRefs = false } = options;
  const cleaned = withoutToken(cleanMetadata(event));
  const labels = await folderSources(objects).labelsOf(event.involvedObject);
  const matching = { noCrossNamespaceRefs, providers: objects.providers };
  const alerts: AlertExplanation[] = [];
  for (const alert of objects.alerts.values()) {
    const match = new AlertMatcher(alert, matching).match(cleaned, labels);
    const told = {
      alert: objectKey(alert.meta),
      isMatch: match.isMatch,
      warnings: match.warnings.map(describe),
    };
    alerts.push(
      match.isMatch
        ? { ...told, delivery: await explainDelivery(cleaned, alert, match.provider, objects, options) }
        : { ...told, reason: describeMismatch(match.mismatch) },
    );
  }
  return {
    object: event.involvedObject,
    severity: event.severity,
    dedupeKey: dedupeKey(cleanMetadata(event), options),
    ignoredMetadata: Object.keys(event.metadata).filter((key) => !Object.hasOwn(cleaned.metadata, key)),
    alerts,
  };
}

async function explainDelivery(
  event: NotificationEvent,
  alert: Alert,
  provider: Provider,
  objects: NotificationObjects,
  options: ExplainOptions,
): Promise<DeliveryExplanation> {
  const combined = combineMetadata(event, alert);
  const { metadata } = combined;
  const problems: string[] = [];
  const text = attempt(problems, () => renderMessage({ event, metadata, alert }));
  const told = {
    provider: objectKey(provider.meta),
    type: provider.spec.type,
    metadata: explainMetadata(combined),
    ...(text === undefined ? {} : { text }),
  };
  const transport = createRecordingTransport();
  let secrets: readonly string[] = [];
  try {
    const commitStatus = await commitStatusOf({ event, metadata, alert, provider });
    const settings = providerSettings(provider, objects.secrets, commitStatus);
    secrets = secretsOf(settings);
    const { namespace, name, uid } = alert.meta;
    const notification = {
      event,
      metadata,
      alert: { namespace, name, ...(uid === undefined ? {} : { uid }) },
      ...(text === undefined ? {} : { text }),
      idempotencyKey: "explained",
    };
    const context = { transport, now: () => Date.parse(event.timestamp), signal: options.signal };
    await (options.providerFor ?? providerFor)(provider.spec.type).deliver(notification, settings, context);
  } catch (error) {
    if (!(error instanceof FairleadError) || error.code === "aborted") throw error;
    problems.push(error.message);
  }
  return {
    ...told,
    messages: transport.recorded.map((message) => maskMessage(message, secrets)),
    ...(problems.length > 0 && { problem: problems.join("; ") }),
  };
}

function attempt<Result>(problems: string[], work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof FairleadError)) throw error;
    problems.push(error.message);
    return undefined;
  }
}

function explainMetadata({ metadata, origins, conflicts }: CombinedMetadata): readonly MetadataExplanation[] {
  const overridden = new Map(conflicts.map(({ key, sources }) => [key, sources.slice(0, -1)]));
  return Object.entries(metadata).flatMap(([key, value]) => {
    const source = origins[key];
    return source === undefined ? [] : [{ key, value, source, overridden: overridden.get(key) ?? [] }];
  });
}

function describe({ reason, message }: AlertWarning): string {
  return `${reason}: ${message}`;
}
