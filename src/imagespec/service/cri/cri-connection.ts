import { type CriImageMethod, criImageApi, type CriMessages } from "./cri-api.ts";
import { connectGrpc, type GrpcConnection } from "./grpc-connection.ts";

/** Typed calls of runtime.v1's ImageService, as they are: nothing is guarded. */
export type CriConnection = GrpcConnection<CriMessages, CriImageMethod>;

/**
 * A connection to the image service of a container runtime.
 * @param endpoint `unix:///path` or `/path`
 * @throws FairleadError `config-invalid`
 */
export function connectCri(endpoint: string): CriConnection {
  return connectGrpc(endpoint, criImageApi);
}
