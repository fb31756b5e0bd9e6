import type { ApiResponse } from "../api-exchange.ts";
import { failureStatus } from "../failure-status.ts";

/** What is told of so many keys at most. */
const maxTold = 10;

/** What the API server answers to keys that are given twice under `fieldValidation=Strict`. */
export function duplicateKeyAnswer(pointers: readonly string[]): ApiResponse {
  return failureStatus(400, `strict decoding error: ${told(pointers).join(", ")}`);
}

/** What it warns of otherwise (RFC 7234, section 5.5). */
export function duplicateWarnings(pointers: readonly string[]): readonly string[] {
  return told(pointers).map((text) => `299 - ${JSON.stringify(text)}`);
}

function told(pointers: readonly string[]): readonly string[] {
  return pointers.slice(0, maxTold).map((pointer) => `duplicate field "${fieldOf(pointer)}"`);
}

/** A JSON pointer as Kubernetes names fields: `spec.containers[0].name`. */
function fieldOf(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((part) =>
      /^\d+$/u.test(part) ? `[${part}]` : `.${part.replaceAll("~1", "/").replaceAll("~0", "~")}`,
    )
    .join("")
    .replace(/^\./u, "")
    .replaceAll(/[^ -~]/gu, "?");
}
