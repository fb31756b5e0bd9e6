import { exchange, parseAnswer } from "./exchange.ts";
import type { DeliveryContext, OutgoingRequest, ProviderSettings } from "./provider.ts";
import { createRequest } from "./request.ts";

export interface ApiRequest {
  readonly method: OutgoingRequest["method"];
  /** Below the base, with its query. */
  readonly path: string;
  readonly json?: unknown;
  readonly maxResponseBytes?: number;
  /** What is answered where nothing is sent. */
  readonly sample?: string;
}

/** Calls an API that speaks JSON and gives its answer; undefined for an empty one. @throws FairleadError */
export type ApiCall = (request: ApiRequest) => Promise<unknown>;

/**
 * Calls of one API, each with the same headers.
 * @param base without a slash at its end
 */
export function createApiCaller(
  settings: ProviderSettings,
  context: DeliveryContext,
  base: string,
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[],
): ApiCall {
  return async ({ method, path, json, maxResponseBytes, sample }) => {
    const request = createRequest(settings, {
      method,
      url: new URL(`${base}${path}`),
      headers,
      address: "open",
      secrets,
      ...(json === undefined ? {} : { json }),
      ...(maxResponseBytes === undefined ? {} : { maxResponseBytes }),
      ...(sample === undefined ? {} : { sampleResponse: sample }),
    });
    const response = await exchange(context, request);
    return response.body.trim() === "" ? undefined : parseAnswer(request, response);
  };
}
