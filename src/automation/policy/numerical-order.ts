import { FairleadError } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { readFloat } from "../../helm/go/number.ts";
import { fromBytes } from "../../helm/go/utf8.ts";
import type { Order } from "../objects/image-policy.ts";
import type { TagOrder } from "./tag-order.ts";

interface NumericalRank {
  readonly value: number;
  readonly text: string;
}

/**
 * Numbers as Go's `ParseFloat` reads them. Whole numbers are compared exactly, where Flux takes those for equal that
 * one float64 stands for. Where two are equal the smaller text wins, as it is the last that Flux reads. NaN goes
 * behind every number.
 */
export function createNumericalOrder(order: Order): TagOrder<NumericalRank> {
  const sign = order === "asc" ? 1 : -1;
  return {
    tryRank: (text) => ({ value: parseNumber(text), text }),
    compare: (left, right) => {
      if (Number.isNaN(left.value) || Number.isNaN(right.value)) {
        return Number(Number.isNaN(right.value)) - Number(Number.isNaN(left.value));
      }
      return sign * compareNumbers(left, right);
    },
    greaterTextWins: false,
    explainUnranked: () => ({ reason: "unparsable", detail: "no number" }),
  };
}

const digitsOnly = /^[0-9]+$/u;

function parseNumber(text: string): number {
  // Up to 15 digits, a whole number is what it is in every notation.
  if (text.length <= 15 && digitsOnly.test(text)) return Number(text);
  const { value, error } = readFloat(text);
  if (error === undefined) return value;
  throw new FairleadError(
    "policy-unresolved",
    `failed to parse invalid numeric value '${excerpt(fromBytes(text))}'`,
    {
      hint: "leave such tags out with filterTags.pattern, or take the number out of them with filterTags.extract",
    },
  );
}

function compareNumbers(left: NumericalRank, right: NumericalRank): number {
  if (left.value !== right.value) return left.value < right.value ? -1 : 1;
  if (Math.abs(left.value) <= Number.MAX_SAFE_INTEGER || !Number.isFinite(left.value)) return 0;
  const [leftExact, rightExact] = [exactOf(left), exactOf(right)];
  return leftExact === rightExact ? 0 : leftExact < rightExact ? -1 : 1;
}

/** Beyond 2^53 every float64 is a whole number. */
function exactOf({ value, text }: NumericalRank): bigint {
  return BigInt(/^[+-]?[0-9]+$/u.test(text) ? text.replace("+", "") : value);
}
