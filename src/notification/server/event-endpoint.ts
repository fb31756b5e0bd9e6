import { FairleadError } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import { parseEvent } from "../event/parse-event.ts";
import type { EventIntake, IntakeOutcome } from "./event-intake.ts";
import type { Handler } from "../../serving/listener.ts";
import { type BodyBudget, withRequestBody } from "../../serving/request-body.ts";
import { answerEmpty, refuse } from "../../serving/response.ts";

/** How long a sender may rest before it tries again; Flux's recorder has its own waits. */
const retryAfterSeconds = "5";

/**
 * Takes events as notification-controller does: 202 when one is on disk, 400 and 413 for what is none, 429 for
 * duplicates alone, and 503 for what may work later, since senders drop what any other answer refuses.
 */
export function createEventHandler(intake: EventIntake, budget: BodyBudget, log: Logger): Handler {
  return async (request, response) => {
    if (request.method !== "POST") {
      refuse(response, 405, "events are sent by POST", { allow: "POST", connection: "close" });
      return;
    }
    try {
      const outcome = await withRequestBody(request, budget, async (body) => intake.take(parseEvent(body)));
      answerOutcome(response, outcome);
    } catch (error) {
      if (!(error instanceof FairleadError)) throw error;
      if (error.code === "aborted") return;
      const status = statusOf(error);
      log.warn("an event is refused", { status, reason: error.message });
      // What is left of the request is not read.
      refuse(response, status, error.message, { connection: "close" });
    }
  };
}

function answerOutcome(response: Parameters<Handler>[1], outcome: IntakeOutcome): void {
  switch (outcome.kind) {
    case "accepted":
      answerEmpty(response, 202, outcome.resetMs === undefined ? {} : limitHeaders(outcome.resetMs));
      break;
    case "duplicate":
      refuse(response, 429, "Too Many Requests", {
        ...limitHeaders(outcome.resetMs),
        "retry-after": new Date(outcome.resetMs).toUTCString(),
      });
      break;
    case "unavailable":
      refuse(response, 503, "the event cannot be kept", { "retry-after": retryAfterSeconds });
  }
}

/** One event a window, which has come. */
function limitHeaders(resetMs: number): Readonly<Record<string, string>> {
  return {
    "x-ratelimit-limit": "1",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": new Date(resetMs).toUTCString(),
  };
}

function statusOf({ code, retryable }: FairleadError): number {
  if (code === "limit-exceeded") return 413;
  return retryable ? 503 : 400;
}
