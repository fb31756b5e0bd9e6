import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { text } from "node:stream/consumers";
import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { CertificateFiles } from "../certificates.ts";

/** Who asks, of which server. */
export interface ApiAccess {
  readonly url: string;
  /** The authority of the server's certificate. */
  readonly caFile: string;
  readonly token?: string;
  readonly client?: CertificateFiles;
}

export interface ApiRequestOptions {
  /** Text and bytes as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What tests read of Kubernetes objects of any kind. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMetadata;
  readonly [member: string]: unknown;
}

export interface ObjectMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The content types of the patch kinds. */
export const patchTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

/** Requests to a Kubernetes API as one user. Those but `request` and `open` throw for a status of 400 or more. */
export interface ApiClient {
  get<Answer = ApiObject>(path: string): Promise<Answer>;
  post<Answer = ApiObject>(path: string, body: unknown): Promise<Answer>;
  put<Answer = ApiObject>(path: string, body: unknown): Promise<Answer>;
  patch<Answer = ApiObject>(path: string, type: keyof typeof patchTypes, body: unknown): Promise<Answer>;
  delete<Answer = ApiObject>(path: string): Promise<Answer>;
  /** Gives the answer whatever its status. */
  request(method: string, path: string, options?: ApiRequestOptions): Promise<ApiAnswer>;
  /** Gives the answer as it streams. */
  open(method: string, path: string, options?: ApiRequestOptions): Promise<IncomingMessage>;
  /** Ends its connections. */
  close(): void;
}

export function createApiClient({ url, caFile, token, client }: ApiAccess): ApiClient {
  const agent = new Agent({
    keepAlive: true,
    ca: readFileSync(caFile),
    ...(client === undefined
      ? {}
      : { cert: readFileSync(client.certificateFile), key: readFileSync(client.keyFile) }),
  });
  const open: ApiClient["open"] = async (method, path, options = {}) => {
    const body = bytesOf(options.body);
    const sent = request(`${url}${path}`, {
      agent,
      method,
      headers: {
        accept: "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined
          ? {}
          : {
              "content-type": options.contentType ?? "application/json",
              "content-length": String(Buffer.byteLength(body)),
            }),
        ...options.headers,
      },
    });
    sent.end(body);
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    return answer;
  };
  const ask: ApiClient["request"] = async (method, path, options) => {
    const answer = await open(method, path, options);
    return { status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) };
  };
  const succeed = async <Answer>(
    method: string,
    path: string,
    options?: ApiRequestOptions,
  ): Promise<Answer> => {
    const answer = await ask(method, path, options);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return JSON.parse(answer.text) as Answer;
  };
  return {
    get: (path) => succeed("GET", path),
    post: (path, body) => succeed("POST", path, { body }),
    put: (path, body) => succeed("PUT", path, { body }),
    patch: (path, type, body) => succeed("PATCH", path, { body, contentType: patchTypes[type] }),
    delete: (path) => succeed("DELETE", path),
    request: ask,
    open,
    close: () => agent.destroy(),
  };
}

function bytesOf(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || typeof body === "string" || body instanceof Uint8Array) return body;
  return JSON.stringify(body);
}
