import { request as sendRequest } from "node:http";
import { startHttpServer, type TestServer } from "./http-server.ts";

/** What passed through a gate. */
export interface PassedRequest {
  readonly method: string;
  readonly path: string;
}

/** A server before a registry, which counts what it is asked and can hold it back. */
export interface RegistryGate extends TestServer {
  readonly passed: readonly PassedRequest[];
  /** Keeps requests from now on, until the function that it gives is called. */
  hold(): () => void;
  /** Lets nobody pass from now on but those with this `Authorization` header. */
  demand(authorization: string): void;
  /** Answers nothing and breaks connections, until the function that it gives is called. */
  breakDown(): () => void;
}

/** Starts a gate before the registry at an address such as `127.0.0.1:5000`. */
export async function startRegistryGate(upstream: string): Promise<RegistryGate> {
  const passed: PassedRequest[] = [];
  let held = Promise.resolve();
  let isBroken = false;
  let demanded: string | undefined;
  const [hostname = "", port = ""] = upstream.split(":");
  const server = await startHttpServer((request, response) => {
    const { method = "", url = "/", headers } = request;
    passed.push({ method, path: url });
    if (isBroken) {
      request.socket.destroy();
      return;
    }
    if (demanded !== undefined && headers.authorization !== demanded) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="registry"' }).end("{}");
      return;
    }
    const pass = async (): Promise<void> => {
      await held;
      const outgoing = sendRequest({ hostname, port, method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      outgoing.on("error", () => response.destroy());
      request.pipe(outgoing);
    };
    void pass();
  });
  return {
    ...server,
    passed,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    demand: (authorization) => {
      demanded = authorization;
    },
    breakDown: () => {
      isBroken = true;
      return () => {
        isBroken = false;
      };
    },
  };
}
