import { FairleadError } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import { objectKey } from "../../objects/object-meta.ts";
import { dedupeKey, type DedupeOptions } from "../dedupe/dedupe-key.ts";
import type { NotificationEvent } from "../event.ts";
import { cleanMetadata, withoutToken } from "../metadata/clean-metadata.ts";
import { combineMetadata } from "../metadata/combine-metadata.ts";
import { conflictEvent, logMetadata } from "../metadata/conflict-report.ts";
import type { Alert } from "../objects/alert.ts";
import type { NotificationSnapshot } from "../objects/notification-snapshot.ts";
import type { PlannedDelivery } from "../outbox/entry.ts";
import type { KubernetesEvent } from "../recorder/kubernetes-event.ts";
import { warningOnAlert } from "./alert-event.ts";
import { AlertMatcher } from "./alert-matcher.ts";
import { MatcherIndex } from "./matcher-index.ts";
import { renderMessage } from "./message-template.ts";
import { involvedObjectText, type Mismatch } from "./mismatch.ts";

export interface EventRouterOptions extends DedupeOptions {
  readonly objects: Pick<NotificationSnapshot, "alerts" | "providers" | "sources">;
  /** Whether Alerts take events of their own namespace alone; default: false. */
  readonly noCrossNamespaceRefs?: boolean;
  readonly logger: Logger;
}

/** What Alerts make of an event. */
export interface Routing {
  /** As it goes to providers: what only tells duplicates apart is gone. */
  readonly event: NotificationEvent;
  readonly deliveries: readonly PlannedDelivery[];
  /** What the owners of Alerts should know. */
  readonly kubernetesEvents: readonly KubernetesEvent[];
}

const droppedTexts: ReadonlyMap<Mismatch["kind"], string> = new Map([
  ["commit-missing", "event dropped for commit status providers due to missing commit metadata key"],
  [
    "change-request-missing",
    "event dropped for change request providers due to missing change request metadata key",
  ],
]);

/** Decides which Alerts of a configuration an event goes to, and with what metadata and text. */
export class EventRouter {
  readonly #matchers: MatcherIndex;
  readonly #options: EventRouterOptions;

  constructor(options: EventRouterOptions) {
    const { objects, noCrossNamespaceRefs = false } = options;
    const matching = { noCrossNamespaceRefs, providers: objects.providers };
    this.#matchers = new MatcherIndex(
      [...objects.alerts.values()].map((alert) => new AlertMatcher(alert, matching)),
    );
    this.#options = options;
  }

  /** The key by which duplicates of an event, as it came, are told. */
  dedupeKey(event: NotificationEvent): string {
    return dedupeKey(cleanMetadata(event), this.#options);
  }

  /** What becomes of an event, as it came. @throws FairleadError where labels that it takes cannot be read for now */
  async route(event: NotificationEvent): Promise<Routing> {
    const { logger, objects } = this.#options;
    const cleaned = withoutToken(cleanMetadata(event));
    const matchers = this.#matchers.candidates(cleaned);
    const labels = matchers.some((matcher) => matcher.needsLabels(cleaned))
      ? await objects.sources.labelsOf(cleaned.involvedObject)
      : undefined;
    const deliveries: PlannedDelivery[] = [];
    const kubernetesEvents: KubernetesEvent[] = [];
    const dropped = new Map<string, string[]>();
    for (const matcher of matchers) {
      const { alert } = matcher;
      const match = matcher.match(cleaned, labels);
      kubernetesEvents.push(...match.warnings.map((warning) => warningOnAlert(alert, warning)));
      if (match.isMatch) {
        deliveries.push(this.#plan(cleaned, alert, kubernetesEvents));
        continue;
      }
      const text = droppedTexts.get(match.mismatch.kind);
      if (text !== undefined) dropped.set(text, [...(dropped.get(text) ?? []), objectKey(alert.meta)]);
    }
    const object = involvedObjectText(event.involvedObject);
    for (const [text, alerts] of dropped) logger.info(text, { object, alerts: alerts.join(", ") });
    if (deliveries.length > 0) logger.info("dispatching event", { object, deliveries: deliveries.length });
    else logger.info("discarding event, no alerts found for the involved object", { object });
    return { event: cleaned, deliveries, kubernetesEvents };
  }

  #plan(event: NotificationEvent, alert: Alert, kubernetesEvents: KubernetesEvent[]): PlannedDelivery {
    const combined = combineMetadata(event, alert);
    logMetadata(combined, alert, this.#options.logger);
    const conflict = conflictEvent(combined.conflicts, alert);
    if (conflict !== undefined) kubernetesEvents.push(conflict);
    const { metadata } = combined;
    const { namespace, name, uid } = alert.meta;
    let text: string | undefined;
    try {
      text = renderMessage({ event, metadata, alert });
    } catch (error) {
      if (!(error instanceof FairleadError)) throw error;
      // The event is told in its own words rather than not at all.
      kubernetesEvents.push(warningOnAlert(alert, { reason: "InvalidConfig", message: error.message }));
    }
    return {
      alert: { namespace, name, ...(uid === undefined ? {} : { uid }) },
      destination: objectKey({ namespace, name: alert.spec.providerRef.name }),
      metadata,
      ...(text === undefined ? {} : { text }),
    };
  }
}
