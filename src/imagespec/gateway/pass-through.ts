import type { Translate } from "./api-exchange.ts";

/** Answers with what upstream says, byte for byte. */
export const passThrough: Translate = async ({ method, target, headers, body, signal }, upstream) =>
  upstream.send({ method, target, headers, body, signal });
