import type { ServerResponse } from "node:http";
import { escapeJson } from "../core/escape.ts";

/** Answers with a status and nothing else. */
export function answerEmpty(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.setHeader("content-length", "0");
  response.writeHead(status, { ...headers });
  response.end();
}

/** Answers with a text. */
export function answerText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = Buffer.from(text);
  response.setHeader("content-length", String(body.length));
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    ...headers,
  });
  response.end(body);
}

/** Answers with JSON. */
export function answerJson(response: ServerResponse, status: number, value: unknown): void {
  answerText(response, status, `${escapeJson(JSON.stringify(value))}\n`, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
  });
}

/** Answers why a request is refused, in a line. */
export function refuse(
  response: ServerResponse,
  status: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  answerText(response, status, `${reason}\n`, headers);
}
