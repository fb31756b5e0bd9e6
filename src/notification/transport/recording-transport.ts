import type {
  DeliveryTransport,
  OutgoingMail,
  OutgoingPublication,
  OutgoingRequest,
} from "../providers/provider.ts";

export type RecordedMessage =
  | { readonly kind: "request"; readonly request: OutgoingRequest }
  | { readonly kind: "publication"; readonly publication: OutgoingPublication }
  | { readonly kind: "mail"; readonly mail: OutgoingMail };

/** A transport that sends nothing. */
export interface RecordingTransport extends DeliveryTransport {
  /** What was to be sent, in order. */
  readonly recorded: readonly RecordedMessage[];
}

/** Records what providers send, and answers each request as they need to go on. */
export function createRecordingTransport(): RecordingTransport {
  const recorded: RecordedMessage[] = [];
  return {
    recorded,
    send: async (request) => {
      recorded.push({ kind: "request", request });
      return { status: 200, headers: {}, body: request.sampleResponse ?? "{}" };
    },
    publish: async (publication) => void recorded.push({ kind: "publication", publication }),
    mail: async (mail) => void recorded.push({ kind: "mail", mail }),
  };
}
