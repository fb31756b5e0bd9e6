import { hostname } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../../core/error.ts";
import type { Logger } from "../../../core/log.ts";
import type { ObjectApi } from "../../../cluster/api/object-api.ts";
import type { OccurrenceSink } from "../../../cluster/controllers/controller-environment.ts";
import { KubernetesEventRecorder } from "../../../cluster/events/kubernetes-event-recorder.ts";
import { openEventRecorder } from "../../../notification/recorder/event-recorder.ts";
import type { KubernetesEvents } from "../../../notification/recorder/kubernetes-event.ts";
import type { CliIo } from "../../io.ts";
import { createEventTransport } from "../../options/events-address.ts";
import type { ControllerName } from "./controller-options.ts";

export interface EventSinkOptions {
  readonly controller: ControllerName;
  readonly api: ObjectApi;
  /** Where events are posted; undefined: they become Kubernetes Events alone. */
  readonly url: string | undefined;
  /** Where events wait that are not posted yet; undefined: in memory. */
  readonly storagePath: string | undefined;
  readonly log: Logger;
}

/** Where a controller tells what happens. */
export interface EventSink {
  readonly occurrences: OccurrenceSink;
  readonly kubernetesEvents: KubernetesEvents;
  /** Waits for events that are not sent yet, for so long at most. */
  flush(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens what a controller tells its events to, under the name of Flux's. @throws FairleadError `state-invalid` */
export async function openEventSink(options: EventSinkOptions, io: Pick<CliIo, "env">): Promise<EventSink> {
  const { controller, api, storagePath, log } = options;
  // A Receiver tells its path, which only its callers are to know: it stands in its status and in its Kubernetes Events
  // alone, as with Flux. No Alert takes events of the kinds of notification.
  const isPrivate = controller === "notification";
  const url = isPrivate ? undefined : options.url;
  const reporter = { controller: `${controller}-controller`, instance: hostname() };
  const kubernetesEvents = new KubernetesEventRecorder({ api, reporter, log });
  const recorder = await openEventRecorder({
    url,
    transport: createEventTransport(io.env),
    reporter,
    logger: log,
    file:
      url === undefined || storagePath === undefined
        ? undefined
        : join(storagePath, `${controller}-events.db`),
    kubernetesEvents,
  });
  return {
    occurrences: isPrivate ? recorder : loggedBefore(recorder, log),
    kubernetesEvents,
    flush: async (timeoutMs) => {
      try {
        await Promise.all([
          recorder.flush(AbortSignal.timeout(timeoutMs)),
          kubernetesEvents.flush(timeoutMs),
        ]);
      } catch (error) {
        const message = storagePath === undefined ? "events are lost" : "events wait for the next run";
        log.warn(message, { controller, reason: messageOf(error) });
      }
    },
    close: async () => {
      await kubernetesEvents.close();
      await recorder.close();
    },
  };
}

/** Puts into the log what goes well; what does not stands there already. */
function loggedBefore(sink: OccurrenceSink, log: Logger): OccurrenceSink {
  return {
    record: (object, occurrence) => {
      const { kind, namespace, name } = object;
      const { type, reason, message } = occurrence;
      if (type === "Normal")
        log.info("an object has news", { kind, object: `${namespace}/${name}`, reason, news: message });
      sink.record(object, occurrence);
    },
  };
}
