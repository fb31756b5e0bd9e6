import { hostname } from "node:os";
import type { EventSink } from "../../automation/run/object-event.ts";
import { messageOf } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import { openEventRecorder } from "../../notification/recorder/event-recorder.ts";
import type { CliIo } from "../io.ts";
import { createEventTransport } from "../options/events-address.ts";

export interface AutomationEvents {
  readonly sink: EventSink;
  /** Waits a moment for events that are not posted yet, and ends. @throws FairleadError `state-invalid` */
  close(): Promise<void>;
}

export interface AutomationEventsOptions {
  /** Where events are posted. */
  readonly url: string;
  /** The file of the state, beside which events wait; undefined: they wait in memory. */
  readonly state: string | undefined;
  readonly log: Logger;
}

/** As long as one attempt takes at most. */
const graceMs = 5000;

/**
 * Records what happens to the objects of automation.
 * @throws FairleadError `state-invalid` for a file of waiting events that is none
 */
export async function openAutomationEvents(
  { url, state, log }: AutomationEventsOptions,
  io: CliIo,
): Promise<AutomationEvents> {
  const recorder = await openEventRecorder({
    url,
    transport: createEventTransport(io.env),
    reporter: { controller: "fairlead", instance: hostname() },
    logger: log,
    file: state === undefined ? undefined : `${state}.events`,
  });
  return {
    sink: {
      record: ({ meta, apiVersion, kind, type, reason, message }) => {
        const { namespace, name, uid, annotations } = meta;
        const object = {
          apiVersion,
          kind,
          namespace,
          name,
          ...(uid === undefined ? {} : { uid }),
          annotations,
        };
        recorder.record(object, { type, reason, message });
      },
    },
    close: async () => {
      try {
        await recorder.flush(AbortSignal.any([io.signal, AbortSignal.timeout(graceMs)]));
      } catch (error) {
        log.warn(state === undefined ? "events are lost" : "events wait for the next run", {
          reason: messageOf(error),
        });
      } finally {
        await recorder.close();
      }
    },
  };
}
