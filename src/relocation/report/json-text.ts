import { escapeJson } from "../../core/escape.ts";

/**
 * JSON with two-space indent and a final line end. Control and invisible characters that JSON would let
 * through stand as `\uXXXX`, so that a report may be printed on a terminal.
 */
export function formatJson(value: unknown): string {
  return `${escapeJson(JSON.stringify(value, undefined, 2))}\n`;
}
