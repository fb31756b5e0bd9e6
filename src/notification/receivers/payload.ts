import { FairleadError } from "../../core/error.ts";

/** Deeper JSON is no webhook's. */
const maxDepth = 100;

/** Reads a body as JSON. @throws FairleadError `event-invalid` */
export function parseBody(body: Uint8Array): unknown {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    // What the parser says quotes the body, which may hold secrets.
    throw new FairleadError("event-invalid", "the body is no JSON", { cause });
  }
  checkDepth(value, 0);
  return value;
}

/** Whether a Content-Type says JSON, also of a type of its own such as docker's registry sends (RFC 6839, 3.1). */
export function isJson(contentType: string | undefined): boolean {
  return (contentType ?? "")
    .split(",")
    .map((type) => type.split(";")[0]?.trim().toLowerCase() ?? "")
    .some((type) => type === "application/json" || type.endsWith("+json"));
}

function checkDepth(value: unknown, depth: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depth >= maxDepth) throw new FairleadError("event-invalid", "the body is nested too deeply");
  for (const item of Object.values(value)) checkDepth(item, depth + 1);
}
