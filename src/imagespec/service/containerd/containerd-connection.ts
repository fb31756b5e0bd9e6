import type { Client, Metadata, ServiceError } from "@grpc/grpc-js";
import { FairleadError } from "../../../core/error.ts";
import { lazy } from "../../../core/lazy.ts";
import { type GrpcCodec, loadCodec } from "../cri/grpc-codec.ts";
import { socketOf } from "../cri/grpc-connection.ts";
import { failureOf } from "../cri/grpc-failure.ts";
import {
  containerdEnums,
  type ContainerdMessages,
  containerdMessages,
  type ContainerdMethodName,
  containerdMethods,
  type ContainerdReceived,
  type ContainerdSent,
} from "./containerd-api.ts";
import { type Blob, writeBlob } from "./write-blob.ts";

/** Answers that are no failures where they are expected. */
type Expected = "already-exists" | "not-found";

interface ContainerdCall {
  readonly signal: AbortSignal;
  /** What is made under a lease is not collected as garbage while the lease lasts. */
  readonly lease?: string;
  /** Gives undefined for this answer. */
  readonly except?: Expected;
}

type Methods = typeof containerdMethods;

/** Calls of containerd's own API in the namespace of Kubernetes. */
export interface ContainerdConnection {
  /** @throws FairleadError see {@link failureOf}; the reason of the signal where it is one */
  call<Name extends ContainerdMethodName>(
    method: Name,
    request: ContainerdSent<Methods[Name]["request"]>,
    call: ContainerdCall,
  ): Promise<ContainerdReceived<Methods[Name]["response"]> | undefined>;
  /** Puts a blob under the lease, whether it is there already or not. @throws as `call`, and what its source throws */
  write(blob: Blob, call: ContainerdCall): Promise<void>;
  close(): void;
}

const namespace = "k8s.io";
const codes: Readonly<Record<Expected, number>> = { "already-exists": 6, "not-found": 5 };

/**
 * A connection to the socket of containerd, made when it is first needed.
 * @param endpoint `unix:///path` or `/path`
 * @throws FairleadError `config-invalid`
 */
export function connectContainerd(endpoint: string): ContainerdConnection {
  const target = `unix://${socketOf(endpoint)}`;
  const open = lazy(async () => {
    const [grpc, codec] = await Promise.all([
      import("@grpc/grpc-js"),
      loadCodec({ package: "containerd", messages: containerdMessages, enums: containerdEnums }),
    ]);
    const client = new grpc.Client(target, grpc.credentials.createInsecure(), {
      "grpc.initial_reconnect_backoff_ms": 100,
      "grpc.max_reconnect_backoff_ms": 3_000,
      "grpc.use_local_subchannel_pool": 1,
    });
    return { client, codec, newMetadata: () => new grpc.Metadata() };
  });
  let isClosed = false;
  let opened: Client | undefined;
  const begin = async ({
    signal,
    lease,
  }: ContainerdCall): Promise<{
    readonly client: Client;
    readonly codec: GrpcCodec<ContainerdMessages>;
    readonly metadata: Metadata;
  }> => {
    const { client, codec, newMetadata } = await open();
    opened = client;
    signal.throwIfAborted();
    if (isClosed) throw new FairleadError("aborted", "the connection to containerd is closed");
    const metadata = newMetadata();
    metadata.set("containerd-namespace", namespace);
    if (lease !== undefined) metadata.set("containerd-lease", lease);
    return { client, codec, metadata };
  };
  const describe = (error: ServiceError, method: string, signal: AbortSignal): unknown =>
    signal.aborted ? signal.reason : failureOf(error, method, endpoint);
  return {
    call: async (name, request, call) => {
      const { client, codec, metadata } = await begin(call);
      const { path, request: requestType, response } = containerdMethods[name];
      const { signal, except } = call;
      return new Promise((resolve, reject) => {
        const running = client.makeUnaryRequest(
          path,
          (message: typeof request) => codec.encode(requestType, message),
          (bytes) => codec.decode(response, bytes),
          request,
          metadata,
          (error, answer) => {
            signal.removeEventListener("abort", onAbort);
            if (error === null) resolve(answer as never);
            else if (except !== undefined && isCode(error, except)) resolve(undefined);
            else reject(describe(error, path, signal));
          },
        );
        const onAbort = (): void => running.cancel();
        signal.addEventListener("abort", onAbort, { once: true });
      });
    },
    write: async (blob, call) => {
      const { client, codec, metadata } = await begin(call);
      await writeBlob({ client, codec, metadata }, blob, call.signal, (error) => {
        return isCode(error, "already-exists") ? undefined : describe(error, "the content", call.signal);
      });
    },
    close: () => {
      isClosed = true;
      opened?.close();
    },
  };
}

function isCode({ code }: ServiceError, expected: Expected): boolean {
  const number: number = code;
  return number === codes[expected];
}
