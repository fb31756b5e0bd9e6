import {
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { once } from "node:events";
import { FairleadError } from "../../../core/error.ts";
import { excerpt } from "../../../core/escape.ts";
import type { Logger } from "../../../core/log.ts";
import type { Health, MetricsSource } from "../../../serving/health-endpoint.ts";
import type { ContainerdAciService } from "../containerd/containerd-aci-service.ts";
import { type CriMessages, criImageApi } from "../cri/cri-api.ts";
import { type GrpcCodec, loadCodec } from "../cri/grpc-codec.ts";
import { socketOf } from "../cri/grpc-connection.ts";
import { forward } from "./forward.ts";
import { answerMessage, answerStatus, readFrame, timeoutOf, toFrame, tryMessage } from "./grpc-stream.ts";
import { statusOfError } from "./grpc-status.ts";
import { imageMethods } from "./image-methods.ts";
import { listenOnSocket } from "./listen-socket.ts";
import { ProxyMetrics } from "./proxy-metrics.ts";
import { RuntimeSession } from "./runtime-session.ts";

export interface ImageProxyOptions {
  /** `unix:///path`, where kubelet or another client is to connect. */
  readonly listen: string;
  /** `unix:///path` of containerd. */
  readonly runtimeEndpoint: string;
  /** Where ACIs come from; closed by the caller. Default: ACIs are refused. */
  readonly acis?: ContainerdAciService | undefined;
  readonly log: Logger;
}

/** The container runtime interface of a runtime, with ACIs. */
export interface ImageProxy extends MetricsSource, Health {
  /** `unix:///path` */
  readonly endpoint: string;
  /** Takes no more calls, waits for those that run, and ends what takes longer. */
  stop(graceMs: number): Promise<void>;
}

const imagePath = "/runtime.v1.ImageService/";
const runtimePath = "/runtime.v1.RuntimeService/";
const maxSessionMemoryMb = 128;
const windowBytes = 1024 * 1024;

/**
 * Serves the container runtime interface (runtime.v1) on a unix socket. Every call goes to the runtime and back as it
 * is, streams and what this program does not know included; calls about images that a pod's annotations make an ACI
 * are answered with what was imported.
 * @throws FairleadError `config-invalid` where one of the sockets is none, or the place is taken
 */
export async function startImageProxy(options: ImageProxyOptions): Promise<ImageProxy> {
  const socket = socketOf(options.listen);
  const runtime = new RuntimeSession(socketOf(options.runtimeEndpoint));
  const codec = await loadCodec(criImageApi);
  const server = createServer({
    settings: { enablePush: false, initialWindowSize: windowBytes },
    maxSessionMemory: maxSessionMemoryMb,
  });
  const metrics = new ProxyMetrics();
  const calls = new Calls(runtime, codec, metrics, options);
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => undefined);
    session.once("close", () => sessions.delete(session));
    session.setLocalWindowSize(windowBytes);
  });
  server.on("sessionError", () => undefined);
  server.on("stream", (stream, headers) => void calls.handle(stream, headers));
  await listenOnSocket(server, socket);
  return {
    endpoint: `unix://${socket}`,
    format: () => metrics.format(),
    unreadyReason: () => (runtime.isRefused ? "the container runtime does not answer" : undefined),
    stop: async (graceMs) => {
      await stopServer(server, sessions, graceMs);
      runtime.destroy();
    },
  };
}

class Calls {
  readonly #runtime: RuntimeSession;
  readonly #codec: GrpcCodec<CriMessages>;
  readonly #metrics: ProxyMetrics;
  readonly #options: ImageProxyOptions;

  constructor(
    runtime: RuntimeSession,
    codec: GrpcCodec<CriMessages>,
    metrics: ProxyMetrics,
    options: ImageProxyOptions,
  ) {
    this.#runtime = runtime;
    this.#codec = codec;
    this.#metrics = metrics;
    this.#options = options;
  }

  async handle(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    // A client that goes away is no error of ours.
    stream.on("error", () => undefined);
    const path = headers[":path"] ?? "";
    if (!path.startsWith(imagePath) && !path.startsWith(runtimePath)) {
      const message = `there is no method ${excerpt(path)}: only runtime.v1 is served`;
      answerStatus(stream, { code: 12, message });
      return;
    }
    const method = path.startsWith(imagePath) ? path.slice(imagePath.length) : "";
    if (!Object.hasOwn(imageMethods, method)) {
      this.#metrics.handled("other", "runtime");
      forward(stream, headers, this.#runtime);
      return;
    }
    stream.once("close", this.#metrics.begin(method));
    try {
      await this.#handleImage(method, stream, headers);
    } catch (error) {
      const status = statusOfError(error);
      this.#metrics.failed(method, status.code);
      this.#options.log.warn("a call about an image failed", {
        method,
        error: error instanceof FairleadError ? error.code : "internal",
        message: status.message,
      });
      answerStatus(stream, status);
    }
  }

  async #handleImage(method: string, stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const gone = new AbortController();
    stream.once("close", () => gone.abort());
    const frame = await readFrame(stream);
    const message = tryMessage(frame);
    if (message === undefined) {
      answerStatus(stream, { code: 12, message: "compressed messages are not taken" });
      return;
    }
    const verdict = await imageMethods[method]?.({
      codec: this.#codec,
      acis: this.#options.acis,
      message,
      options: { signal: gone.signal, timeoutMs: timeoutOf(headers["grpc-timeout"]) },
    });
    this.#metrics.handled(method, verdict?.kind === "answer" ? "proxy" : "runtime");
    if (verdict?.kind === "answer") {
      answerMessage(stream, verdict.message);
      return;
    }
    forward(stream, headers, this.#runtime, verdict?.kind === "change" ? toFrame(verdict.message) : frame);
  }
}

async function stopServer(
  server: Http2Server,
  sessions: ReadonlySet<ServerHttp2Session>,
  graceMs: number,
): Promise<void> {
  const closed = once(server, "close");
  server.close();
  for (const session of sessions) session.close();
  const timer = setTimeout(() => {
    for (const session of sessions) session.destroy();
  }, graceMs);
  await closed;
  clearTimeout(timer);
}
