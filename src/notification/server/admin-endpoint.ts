import type { IncomingMessage, ServerResponse } from "node:http";
import { FairleadError } from "../../core/error.ts";
import type { Outbox } from "../outbox/outbox.ts";
import { type DeliveryState, deliveryStates, type OutboxRecords } from "../outbox/records.ts";
import { type AdminGuardOptions, tryRefuse } from "./admin-guard.ts";
import type { Handler } from "../../serving/listener.ts";
import { type BodyBudget, withRequestBody } from "../../serving/request-body.ts";
import { answerJson } from "../../serving/response.ts";

export interface AdminOptions extends AdminGuardOptions {
  readonly outbox: Outbox;
  readonly records: OutboxRecords;
  readonly budget: BodyBudget;
  readonly wake: (destinations: readonly string[]) => void;
}

const defaultLimit = 100;
const maxLimit = 1000;
const maxIds = 10_000;

/**
 * The JSON API over the outbox: `GET /v1/{events,deliveries,kubernetes-events,status}`, of the first two also one by
 * its number, and `POST /v1/{replay,drop}` with `{"ids": […]}`.
 */
export function createAdminHandler(options: AdminOptions): Handler {
  return async (request, response) => {
    const refusal = tryRefuse(request, options);
    if (refusal !== undefined) {
      if (refusal.status === 401) response.setHeader("www-authenticate", "Bearer");
      response.setHeader("connection", "close");
      answerJson(response, refusal.status, { error: refusal.reason });
      return;
    }
    try {
      await answer(request, response, options);
    } catch (error) {
      if (!(error instanceof FairleadError)) throw error;
      if (error.code === "aborted") return;
      response.setHeader("connection", "close");
      answerJson(response, statusOf(error), { error: error.message, code: error.code });
    }
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: AdminOptions,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://localhost");
  if (request.method === "POST") {
    const ids = await withRequestBody(request, options.budget, readIds);
    answerJson(response, 200, await act(url.pathname, ids, options));
  } else if (request.method === "GET") {
    answerJson(response, 200, look(url, options));
  } else {
    throw new FairleadError("input-invalid", "only GET and POST");
  }
}

function look(url: URL, { records }: AdminOptions): unknown {
  const { kind = "", id } =
    /^\/v1\/(?<kind>[a-z-]+)(?:\/(?<id>\d{1,15}))?$/u.exec(url.pathname)?.groups ?? {};
  if (id !== undefined) {
    const found = kind === "events" ? records.tryEvent(Number(id)) : records.tryDelivery(Number(id));
    if (found === undefined || !["events", "deliveries"].includes(kind)) throw missing(url.pathname);
    return found;
  }
  const query = { limit: numberOf(url, "limit") ?? defaultLimit, before: numberOf(url, "before") };
  const page = { ...query, limit: Math.min(Math.max(1, query.limit), maxLimit) };
  switch (kind) {
    case "events":
      return records.events(page);
    case "deliveries":
      return records.deliveries({
        ...page,
        state: stateOf(url),
        provider: url.searchParams.get("provider") ?? undefined,
        event: numberOf(url, "event"),
      });
    case "kubernetes-events":
      return records.kubernetesEvents(page);
    case "status":
      return records.queueStatus();
    default:
      throw missing(url.pathname);
  }
}

async function act(path: string, ids: readonly number[], { outbox, wake }: AdminOptions): Promise<unknown> {
  if (path !== "/v1/replay" && path !== "/v1/drop") throw missing(path);
  const { count, destinations } = await (path === "/v1/replay" ? outbox.replay(ids) : outbox.drop(ids));
  wake(destinations);
  return { count };
}

function readIds(body: Buffer): readonly number[] {
  const invalid = (cause?: unknown): FairleadError =>
    new FairleadError("input-invalid", `the body must be {"ids": […]} with at most ${maxIds} numbers`, {
      cause,
    });
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch (cause) {
    throw invalid(cause);
  }
  const ids = typeof value === "object" && value !== null && "ids" in value ? value.ids : undefined;
  if (!Array.isArray(ids) || ids.length > maxIds || !ids.every((id) => Number.isSafeInteger(id))) {
    throw invalid();
  }
  return ids as readonly number[];
}

function numberOf(url: URL, name: string): number | undefined {
  const text = url.searchParams.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,15}$/u.test(text)) throw new FairleadError("input-invalid", `${name} is no number`);
  return Number(text);
}

function stateOf(url: URL): DeliveryState | undefined {
  const text = url.searchParams.get("state");
  const state = deliveryStates.find((known) => known === text);
  if (text !== null && state === undefined) {
    throw new FairleadError("input-invalid", `state is none of ${deliveryStates.join(", ")}`);
  }
  return state;
}

function missing(path: string): FairleadError {
  return new FairleadError("object-missing", `there is no ${JSON.stringify(path)}`);
}

function statusOf({ code, retryable }: FairleadError): number {
  if (code === "object-missing") return 404;
  if (code === "limit-exceeded") return 413;
  return code === "state-invalid" || retryable ? 503 : 400;
}
