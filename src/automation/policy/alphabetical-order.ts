import type { Order } from "../objects/image-policy.ts";
import type { TagOrder } from "./tag-order.ts";

/** Texts byte by byte; ascending, the last one is the latest. */
export function createAlphabeticalOrder(order: Order): TagOrder<string> {
  const sign = order === "asc" ? 1 : -1;
  return {
    tryRank: (text) => text,
    compare: (left, right) => (left === right ? 0 : left < right ? -sign : sign),
    greaterTextWins: true,
    explainUnranked: () => ({ reason: "unparsable", detail: "" }),
  };
}
