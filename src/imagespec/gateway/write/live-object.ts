import { Readable } from "node:stream";
import { FairleadError } from "../../../core/error.ts";
import { parseJson } from "../../json/parse-json.ts";
import { isJsonObject, type JsonObject } from "../../json/value.ts";
import type { ApiRequest, ApiResponse, HeaderFields, Upstream } from "../api-exchange.ts";
import { readSmallBody } from "../read/body-start.ts";

/** More than etcd holds of an object, in JSON. */
const maxObjectBytes = 16 * 1024 * 1024;

/** The object that a write is about; else what upstream answers instead. */
export type LiveObject =
  | { readonly object: JsonObject; readonly answer?: never }
  | { readonly object?: never; readonly answer: ApiResponse };

/**
 * Reads the object that a write is about, as the one who writes it. Who may patch and not get it sees it in the
 * answer to a patch that changes nothing and is not kept.
 * @throws FairleadError `upstream-unreachable`, `upstream-failed`
 */
export async function readLiveObject(request: ApiRequest, upstream: Upstream): Promise<LiveObject> {
  const headers = withoutBody(request.headers);
  const { path } = request.info;
  const answer = await upstream.send({ method: "GET", target: path, headers, signal: request.signal });
  if (answer.status !== 403 || request.method !== "PATCH") return readObject(answer);
  discardBody(answer);
  const patched = await upstream.send({
    method: "PATCH",
    target: `${path}?dryRun=All`,
    headers: { ...headers, "content-type": "application/merge-patch+json", "content-length": "2" },
    body: Buffer.from("{}"),
    signal: request.signal,
  });
  return readObject(patched);
}

/** Lets go of an answer that nobody reads. */
export function discardBody({ body }: ApiResponse): void {
  if (body instanceof Readable) body.on("error", () => undefined).resume();
}

async function readObject(answer: ApiResponse): Promise<LiveObject> {
  if (answer.status !== 200) return { answer };
  const { value } = parseJson((await readWhole(answer)).toString("utf8"));
  if (!isJsonObject(value))
    throw new FairleadError("upstream-failed", "the API server answered with no object");
  return { object: value };
}

async function readWhole({ body }: ApiResponse): Promise<Buffer> {
  if (!(body instanceof Readable)) return Buffer.from(body);
  const whole = await readSmallBody(body, maxObjectBytes);
  if (whole !== undefined) return whole;
  body.destroy();
  throw new FairleadError("upstream-failed", "the API server answered with too large an object");
}

/** Of what a client sends: who it is, and nothing of the body and of what it wants to be answered. */
function withoutBody(headers: HeaderFields): HeaderFields {
  const left = new Set(["content-type", "content-length", "content-encoding", "accept", "accept-encoding"]);
  const kept = Object.entries(headers).filter(([name]) => !left.has(name));
  return { ...Object.fromEntries(kept), accept: "application/json" };
}
