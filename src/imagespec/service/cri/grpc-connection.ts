import type { ServiceError } from "@grpc/grpc-js";
import type { MethodDefinition, PackageDefinition } from "@grpc/proto-loader";
import { FairleadError } from "../../../core/error.ts";
import { excerpt } from "../../../core/escape.ts";
import { lazy } from "../../../core/lazy.ts";
import { failureOf } from "./grpc-failure.ts";
import {
  type GrpcSchema,
  loadDefinitions,
  type MessageTable,
  type Received,
  type Sent,
} from "./grpc-schema.ts";

/** A connection to a gRPC server, made when it is first needed and made anew when it breaks. */
export interface GrpcConnection<Messages extends MessageTable, Method extends string> {
  /**
   * Calls a method once.
   * @throws FairleadError see {@link failureOf}; the reason of the signal where it is one
   */
  call<Name extends Method>(
    method: Name,
    request: Sent<Messages, `${Name}Request`>,
    signal?: AbortSignal,
  ): Promise<Received<Messages, `${Name}Response`>>;
  /** Ends the connection; running calls fail. */
  close(): void;
}

/** Runtimes send no more, and kubelet takes no more (k8s.io/cri-client, maxMsgSize). */
const maxMessageBytes = 16 * 1024 * 1024;

/** Waits between attempts to connect, from the first to the longest. */
const reconnectMs = { first: 100, longest: 3_000 };

/**
 * A connection to a server on a unix socket.
 * @param endpoint `unix:///path` or `/path`
 * @throws FairleadError `config-invalid`
 */
export function connectGrpc<Messages extends MessageTable, Method extends string>(
  endpoint: string,
  schema: GrpcSchema<Messages, Method>,
): GrpcConnection<Messages, Method> {
  const target = `unix://${socketOf(endpoint)}`;
  const open = lazy(async () => {
    const [{ Client, credentials }, definitions] = await Promise.all([
      import("@grpc/grpc-js"),
      loadDefinitions(schema),
    ]);
    const client = new Client(target, credentials.createInsecure(), {
      "grpc.max_receive_message_length": maxMessageBytes,
      "grpc.max_send_message_length": maxMessageBytes,
      "grpc.initial_reconnect_backoff_ms": reconnectMs.first,
      "grpc.max_reconnect_backoff_ms": reconnectMs.longest,
      // Two connections to one socket must not share what one of them closes.
      "grpc.use_local_subchannel_pool": 1,
    });
    return { client, methods: methodsOf(schema, definitions) };
  });
  let isClosed = false;
  let opened: Awaited<ReturnType<typeof open>> | undefined;
  return {
    call: async (name, request, signal) => {
      opened = await open();
      if (signal?.aborted === true) throw signal.reason;
      if (isClosed) throw new FairleadError("aborted", "the connection to the runtime is closed");
      const { client, methods } = opened;
      const method = methods.get(name);
      if (method === undefined) throw new FairleadError("internal", `there is no method ${name}`);
      const { path, requestSerialize, responseDeserialize } = method;
      return new Promise((resolve, reject) => {
        const call = client.makeUnaryRequest(
          path,
          requestSerialize,
          responseDeserialize,
          request,
          (error: ServiceError | null, response) => {
            signal?.removeEventListener("abort", onAbort);
            if (error === null) resolve(response as never);
            else reject(signal?.aborted === true ? signal.reason : failureOf(error, name, endpoint));
          },
        );
        const onAbort = (): void => call.cancel();
        signal?.addEventListener("abort", onAbort, { once: true });
      });
    },
    close: () => {
      isClosed = true;
      opened?.client.close();
    },
  };
}

/** The absolute path of a socket; other schemes, such as `tcp` or `npipe`, are not for this. */
export function socketOf(endpoint: string): string {
  const path = /^(?:unix:(?:\/\/)?)?(?<path>\/[^/\0][^\0]*)$/u.exec(endpoint)?.groups?.["path"];
  if (path !== undefined) return path;
  throw new FairleadError("config-invalid", `'${excerpt(endpoint)}' is no endpoint of a container runtime`, {
    hint: "Give the socket with its absolute path, such as unix:///run/containerd/containerd.sock.",
  });
}

function methodsOf(
  schema: GrpcSchema,
  definitions: PackageDefinition,
): ReadonlyMap<string, MethodDefinition<object, object>> {
  const methods = new Map<string, MethodDefinition<object, object>>();
  for (const service of Object.keys(schema.services)) {
    const definition = definitions[`${schema.package}.${service}`];
    if (definition === undefined || "format" in definition) continue;
    for (const [name, method] of Object.entries(definition)) methods.set(name, method);
  }
  return methods;
}
