import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Notification } from "../../src/notification/event.ts";
import { providerFor } from "../../src/notification/providers/provider-for.ts";
import type {
  DeliveryContext,
  DeliveryTransport,
  ProviderSettings,
  ProviderType,
  WorkloadIdentity,
} from "../../src/notification/providers/provider.ts";
import { createAddressGuard } from "../../src/core/address-guard.ts";
import { createHttpTransport } from "../../src/notification/transport/http-transport.ts";
import { startHttpServer, type TestServer } from "./http-server.ts";

/** A request as a destination of notifications saw it. */
export interface SeenDelivery {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Where it was to go, if that is not the server of the test. */
  readonly origin: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface DestinationAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is, anything else as JSON; default: an empty object. */
  readonly body?: unknown;
}

export interface NotificationServer {
  /** An address on the server. */
  url(path: string): string;
  /** Answers `METHOD /path`, the query left off, in order; the last answer is given again. */
  answer(route: string, ...answers: readonly DestinationAnswer[]): void;
  /** Delivers by the provider of a type, whatever its hosts, and gives what the server saw. */
  deliver(type: ProviderType, sample?: SampleDelivery): Promise<readonly SeenDelivery[]>;
  readonly seen: readonly SeenDelivery[];
}

export interface SampleDelivery {
  readonly notification?: Partial<Notification>;
  /** Members of the sample event. */
  readonly event?: Partial<Notification["event"]>;
  readonly settings?: Partial<ProviderSettings>;
  readonly context?: Partial<DeliveryContext>;
}

/** The time of tests. */
export const sampleNowMs: number = Date.parse("2026-05-04T03:02:01Z");

/** The commit that the sample's revision names. */
export const sampleCommit = "5394cb7f48332b2de7c17dd8b8384bbc84b7e738";

/** A notification of a Kustomization that was reconciled. */
export function sampleNotification({ notification, event }: SampleDelivery = {}): Notification {
  return {
    event: {
      involvedObject: {
        apiVersion: "kustomize.toolkit.fluxcd.io/v1",
        kind: "Kustomization",
        namespace: "flux-system",
        name: "podinfo",
        uid: "7d0cdc51-ddcf-4743-b223-83ca5c699632",
      },
      severity: "info",
      timestamp: "2026-05-04T03:02:00Z",
      message: "Deployment/default/podinfo configured\nService/default/podinfo created",
      reason: "ReconciliationSucceeded",
      metadata: {},
      reportingController: "kustomize-controller",
      reportingInstance: "kustomize-controller-0",
      ...event,
    },
    metadata: { revision: `main@sha1:${sampleCommit}`, summary: "staging cluster" },
    alert: { namespace: "flux-system", name: "all", uid: "f1ba0a42-2d34-4c4c-9b19-0b6dbb5bd47c" },
    idempotencyKey: "delivery-0001",
    ...notification,
  };
}

/** The settings of a provider without address and Secret. */
export function sampleSettings(
  type: ProviderType,
  settings: Partial<ProviderSettings> = {},
): ProviderSettings {
  return {
    type,
    namespace: "flux-system",
    name: "destination",
    uid: "0c9c2e41-d2f9-4f9b-9c41-bebc1984d67a",
    address: "",
    channel: "",
    username: "",
    timeoutMs: 15_000,
    secret: {},
    headers: {},
    ...settings,
  };
}

/** Starts a destination before the tests of a file and stops it after them; each test begins with nothing seen. */
export function useNotificationServer(): NotificationServer {
  let server: TestServer;
  const seen: SeenDelivery[] = [];
  const told = new Map<string, { readonly answers: readonly DestinationAnswer[]; count: number }>();
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url = "/" } = request;
    const { "x-test-origin": origin, ...headers } = joinValues(request.headers);
    seen.push({ method, path: url, origin, headers, body: await text(request) });
    const known = told.get(`${method} ${url.split("?", 1)[0] ?? ""}`);
    const answer = known?.answers[Math.min(known.count, known.answers.length - 1)] ?? {};
    if (known !== undefined) known.count += 1;
    const { body = {} } = answer;
    response.writeHead(answer.status ?? 200, answer.headers ?? {});
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
  beforeAll(async () => {
    server = await startHttpServer((request, response) => void respond(request, response));
  });
  beforeEach(() => {
    seen.length = 0;
    told.clear();
  });
  afterAll(() => server.stop());
  const network = createHttpTransport({ guard: createAddressGuard({ allowLoopback: true }) });
  return {
    seen,
    url: (path) => `${server.url}${path}`,
    answer: (route, ...answers) => void told.set(route, { answers, count: 0 }),
    deliver: async (type, sample = {}) => {
      await providerFor(type).deliver(sampleNotification(sample), sampleSettings(type, sample.settings), {
        transport: withOrigin(network, () => server.url),
        now: () => sampleNowMs,
        ...sample.context,
      });
      return [...seen];
    },
  };
}

/** Sends what goes to any other host to the server of the test. */
function withOrigin(network: DeliveryTransport, serverUrl: () => string): DeliveryTransport {
  return {
    ...network,
    send: (request, signal) => {
      const url = new URL(request.url);
      if (url.origin === serverUrl()) return network.send(request, signal);
      const target = `${serverUrl()}${url.pathname}${url.search}`;
      const headers = { ...request.headers, "x-test-origin": url.origin };
      return network.send({ ...request, url: target, headers }, signal);
    },
  };
}

function joinValues(headers: IncomingMessage["headers"]): Record<string, string> {
  const dropped = new Set(["host", "connection", "accept-encoding", "content-length", "user-agent"]);
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !dropped.has(name))
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}

/** The identity of a workload whose tokens name what they are for. */
export const sampleWorkload: WorkloadIdentity = {
  azureToken: (scope) => Promise.resolve(`azure-token-for-${scope}`),
  gcpToken: () => Promise.resolve("gcp-token"),
};

/** The body of a request as JSON. */
export function jsonOf(seen: SeenDelivery | undefined): unknown {
  return JSON.parse(seen?.body ?? "null");
}
