import {
  Server,
  ServerCredentials,
  status,
  type handleUnaryCall,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { type CriImageMethod, criImageApi } from "../../src/imagespec/service/cri/cri-api.ts";
import { loadDefinitions } from "../../src/imagespec/service/cri/grpc-schema.ts";

/** What a runtime answers: a message, or the code and text of a failure. */
export type CriAnswer = object | { readonly code: status; readonly details: string };

export interface CriServer {
  readonly endpoint: string;
  /** Methods that were called, with what they were given. */
  readonly calls: readonly { readonly method: string; readonly request: unknown }[];
  stop(): void;
}

/** A runtime that answers as it is told, for what no real one can be made to say. */
export async function startCriServer(
  socket: string,
  answers: Partial<Readonly<Record<CriImageMethod, (request: never) => CriAnswer>>>,
): Promise<CriServer> {
  const definitions = await loadDefinitions(criImageApi);
  const service = definitions["runtime.v1.ImageService"];
  if (service === undefined || "format" in service) throw new Error("there is no ImageService");
  const calls: { method: string; request: unknown }[] = [];
  const server = new Server({ "grpc.max_send_message_length": -1 });
  const handlers: UntypedServiceImplementation = {};
  for (const method of Object.keys(service)) {
    const handle: handleUnaryCall<object, object> = (call, reply) => {
      calls.push({ method, request: call.request });
      const answer = answers[method as CriImageMethod]?.(call.request as never) ?? {
        code: status.UNIMPLEMENTED,
        details: `unknown method ${method}`,
      };
      if ("code" in answer) reply({ ...answer, name: "", message: "" });
      else reply(null, answer);
    };
    handlers[method] = handle;
  }
  server.addService(service, handlers);
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix://${socket}`, ServerCredentials.createInsecure(), (error) => {
      if (error === null) resolve();
      else reject(error);
    });
  });
  return { endpoint: `unix://${socket}`, calls, stop: () => server.forceShutdown() };
}
