import { FairleadError } from "../../core/error.ts";
import { handleWebhook, type WebhookContext } from "../receivers/handle-webhook.ts";
import type { ReceiverTable } from "../receivers/receiver-table.ts";
import type { Handler } from "../../serving/listener.ts";
import { type BodyBudget, withRequestBody } from "../../serving/request-body.ts";
import { answerEmpty } from "../../serving/response.ts";

export interface ReceiverEndpointOptions {
  readonly table: ReceiverTable;
  readonly context: () => WebhookContext;
  readonly budget: BodyBudget;
}

/** Serves the webhooks of Receivers; answers have no body, as notification-controller's. */
export function createReceiverHandler({ table, context, budget }: ReceiverEndpointOptions): Handler {
  return async (request, response) => {
    const target = request.url ?? "/";
    const path = target.split("?", 1)[0] ?? target;
    try {
      const receiver = await table.tryFind(path);
      if (receiver === undefined) {
        answerEmpty(response, 404, { connection: "close" });
        return;
      }
      const status = await withRequestBody(request, budget, async (body) =>
        handleWebhook(receiver, { headers: plainHeaders(request.headers), body }, context()),
      );
      answerEmpty(response, status);
    } catch (error) {
      if (!(error instanceof FairleadError)) throw error;
      if (error.code === "aborted") return;
      answerEmpty(response, error.code === "limit-exceeded" ? 413 : 503, { connection: "close" });
    }
  };
}

function plainHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === "string" || value === undefined ? value : value.join(", "),
    ]),
  );
}
