import {
  Client,
  credentials,
  type handleBidiStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type ServiceError,
} from "@grpc/grpc-js";
import { once } from "node:events";
import { rename, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTempDir, type TempDir, withTempDir } from "../../../../test/support/temp-dir.ts";
import { createLogger } from "../../../core/log.ts";
import { type GrpcCodec, loadCodec } from "../cri/grpc-codec.ts";
import { type CriMessages, criImageApi } from "../cri/cri-api.ts";
import { type ImageProxy, startImageProxy } from "./image-proxy.ts";

const log = createLogger({ level: "error", format: "text", write: () => undefined });
const same = (bytes: Buffer): Buffer => bytes;

/** A method of the stand-in; its messages stay bytes. */
function method(
  at: string,
  streams: { readonly in?: boolean; readonly out?: boolean } = {},
): ServiceDefinition[""] {
  return {
    path: at,
    requestStream: streams.in === true,
    responseStream: streams.out === true,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  };
}

const runtimeMethods: ServiceDefinition = {
  echo: method("/runtime.v1.RuntimeService/Echo"),
  fail: method("/runtime.v1.RuntimeService/Fail"),
  wait: method("/runtime.v1.RuntimeService/Wait"),
  count: method("/runtime.v1.RuntimeService/Count", { out: true }),
  mirror: method("/runtime.v1.ImageService/Mirror", { in: true, out: true }),
  imageStatus: method("/runtime.v1.ImageService/ImageStatus"),
  pullImage: method("/runtime.v1.ImageService/PullImage"),
};

const echo: handleUnaryCall<Buffer, Buffer> = ({ request, metadata }, done) => {
  const trailers = new Metadata();
  trailers.set("tail", String(metadata.get("head")[0]));
  trailers.set("tail-bin", Buffer.from([0, 255]));
  done(null, request, trailers);
};

const fail: handleUnaryCall<Buffer, Buffer> = (_call, done) => {
  const metadata = new Metadata();
  metadata.set("grpc-status-details-bin", Buffer.from([1, 2, 3]));
  done({ code: 9, details: "it is not só: 100%", metadata });
};

const count: handleServerStreamingCall<Buffer, Buffer> = (call) => {
  for (let number = 0; number < 100; number += 1) call.write(Buffer.alloc(20_000, number));
  call.end();
};

const mirror: handleBidiStreamingCall<Buffer, Buffer> = (call) => {
  call.on("data", (bytes: Buffer) => call.write(bytes));
  call.on("end", () => call.end());
};

const imageStatus: handleUnaryCall<Buffer, Buffer> = ({ request }, done) => done(null, request);

/** A runtime that answers whatever bytes it gets. */
async function startRuntime(socket: string): Promise<{ readonly server: Server; readonly seen: string[] }> {
  const server = new Server({ "grpc.max_receive_message_length": -1 });
  const seen: string[] = [];
  const wait: handleUnaryCall<Buffer, Buffer> = (call) => {
    seen.push(`deadline ${Math.ceil((Number(call.getDeadline()) - Date.now()) / 1000)}`, "waiting");
    call.on("cancelled", () => seen.push("cancelled"));
  };
  const pullImage: handleUnaryCall<Buffer, Buffer> = ({ request }, done) => {
    seen.push("pull");
    done(null, request);
  };
  server.addService(runtimeMethods, { echo, fail, wait, count, mirror, imageStatus, pullImage });
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix://${socket}`, ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  return { server, seen };
}

describe("calls through the image service", () => {
  let folder: TempDir;
  let runtime: Awaited<ReturnType<typeof startRuntime>>;
  let proxy: ImageProxy;
  let client: Client;
  let codec: GrpcCodec<CriMessages>;

  beforeAll(async () => {
    folder = await createTempDir("image-proxy");
    const socket = path.join(folder.path, "runtime.sock");
    runtime = await startRuntime(socket);
    const listen = `unix://${folder.path}/proxy.sock`;
    proxy = await startImageProxy({ listen, runtimeEndpoint: `unix://${socket}`, log });
    client = new Client(listen, credentials.createInsecure(), { "grpc.max_receive_message_length": -1 });
    codec = await loadCodec(criImageApi);
  });

  afterAll(async () => {
    client.close();
    await proxy.stop(1_000);
    runtime.server.forceShutdown();
    await folder.remove();
  });

  const call = async (
    at: string,
    bytes: Buffer,
    metadata: Metadata = new Metadata(),
  ): Promise<{ readonly bytes: Buffer; readonly trailers: Metadata }> =>
    new Promise((resolve, reject) => {
      let answer: Buffer | undefined;
      const running = client.makeUnaryRequest(at, same, same, bytes, metadata, (error, received) => {
        if (error === null) answer = received;
        else reject(error);
      });
      running.on("status", ({ metadata: trailers }) => {
        if (answer !== undefined) resolve({ bytes: answer, trailers });
      });
    });

  test("keep bytes and metadata that are not known here", async () => {
    const metadata = new Metadata();
    metadata.set("head", "up");
    const bytes = Buffer.alloc(3_000_000, "x");
    const answer = await call("/runtime.v1.RuntimeService/Echo", bytes, metadata);
    expect(answer.bytes.equals(bytes)).toBe(true);
    expect(answer.trailers.get("tail")).toEqual(["up"]);
    expect(answer.trailers.get("tail-bin")).toEqual([Buffer.from([0, 255])]);
    expect(answer.trailers.get("date")).toEqual([]);
  });

  test("keep unknown fields of the messages that are looked at", async () => {
    const known = codec.encode("ImageStatusRequest", { image: { image: "example.com/app:1.0" } });
    const bytes = Buffer.concat([known, Buffer.from([0xfa, 0x3f, 2, 104, 105])]);
    expect((await call("/runtime.v1.ImageService/ImageStatus", bytes)).bytes.equals(bytes)).toBe(true);
    const noMessage = Buffer.from("no message at all");
    await expect(call("/runtime.v1.ImageService/ImageStatus", noMessage)).resolves.toMatchObject({
      bytes: noMessage,
    });
  });

  test("keep code, text and details of a failure", async () => {
    const failure = await call("/runtime.v1.RuntimeService/Fail", Buffer.alloc(0)).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 9, details: "it is not só: 100%" });
    expect((failure as ServiceError).metadata.get("grpc-status-details-bin")).toEqual([
      Buffer.from([1, 2, 3]),
    ]);
  });

  test("reach methods that nobody has, and no other services", async () => {
    await expect(call("/runtime.v1.ImageService/Nope", Buffer.alloc(0))).rejects.toMatchObject({ code: 12 });
    await expect(call("/containerd.services.images.v1.Images/List", Buffer.alloc(0))).rejects.toMatchObject({
      code: 12,
      details: expect.stringContaining("only runtime.v1 is served") as string,
    });
  });

  test("stream from the runtime", async () => {
    const stream = client.makeServerStreamRequest(
      "/runtime.v1.RuntimeService/Count",
      same,
      same,
      Buffer.alloc(0),
    );
    const received: number[] = [];
    for await (const bytes of stream as AsyncIterable<Buffer>) received.push(bytes[0] ?? -1);
    expect(received).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });

  test("stream both ways", async () => {
    const stream = client.makeBidiStreamRequest("/runtime.v1.ImageService/Mirror", same, same);
    const answers = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
    for (const word of ["one", "two"]) {
      stream.write(Buffer.from(word));
      expect(String((await answers.next()).value)).toBe(word);
    }
    stream.end();
    expect((await answers.next()).done).toBe(true);
  });

  test("carry deadlines and cancellation to the runtime", async () => {
    runtime.seen.length = 0;
    const running = client.makeUnaryRequest(
      "/runtime.v1.RuntimeService/Wait",
      same,
      same,
      Buffer.alloc(0),
      new Metadata(),
      { deadline: Date.now() + 20_000 },
      () => undefined,
    );
    await expect.poll(() => runtime.seen).toContain("waiting");
    expect(runtime.seen).toContain("deadline 20");
    running.cancel();
    await expect.poll(() => runtime.seen).toContain("cancelled");
    const late = new Promise((_resolve, reject) => {
      const deadline = Date.now() + 200;
      client.makeUnaryRequest(
        "/runtime.v1.RuntimeService/Wait",
        same,
        same,
        Buffer.alloc(0),
        new Metadata(),
        { deadline },
        reject,
      );
    });
    await expect(late).rejects.toMatchObject({ code: 4 });
  });

  test.each([
    [
      "an ACI where none are taken",
      { "image-spec.fairlead.dev/a": entry("example.com/app", { aci: { name: "example.com/app" } }) },
      { code: 9, details: expect.stringContaining("does not take") as string },
    ],
    [
      "one image string in two formats",
      {
        "image-spec.fairlead.dev/a": entry("example.com/app", { aci: { name: "example.com/app" } }),
        "image-spec.fairlead.dev/b": entry("example.com/app", {
          dockerImage: { registry: "example.com", name: "app" },
        }),
      },
      { code: 3, details: expect.stringContaining("as an ACI and as a Docker image") as string },
    ],
  ])("refuse %s before the runtime is asked", async (_name, annotations, failure) => {
    runtime.seen.length = 0;
    const image = { image: "example.com/app:latest", annotations };
    const bytes = codec.encode("PullImageRequest", { image });
    await expect(call("/runtime.v1.ImageService/PullImage", bytes)).rejects.toMatchObject(failure);
    expect(runtime.seen).not.toContain("pull");
  });

  test("are told to Prometheus", () => {
    const text = proxy.format();
    expect(text).toContain('fairlead_image_service_calls_total{method="ImageStatus",answerer="runtime"} 2');
    expect(text).toContain('fairlead_image_service_failures_total{method="PullImage",code="9"} 1');
    expect(text).toContain("fairlead_image_service_open_calls 0");
  });

  test("find a runtime that was restarted, and say where there is none", async () => {
    const socket = path.join(folder.path, "restarted.sock");
    const listen = `unix://${folder.path}/restarted-proxy.sock`;
    const own = await startImageProxy({ listen, runtimeEndpoint: socket, log });
    const ownClient = new Client(listen, credentials.createInsecure());
    const echo = async (): Promise<Buffer> =>
      new Promise((resolve, reject) => {
        ownClient.makeUnaryRequest(
          "/runtime.v1.RuntimeService/Echo",
          same,
          same,
          Buffer.from("x"),
          (error, answer) =>
            error === null && answer !== undefined ? resolve(answer) : reject(error as Error),
        );
      });
    try {
      await expect(echo()).rejects.toMatchObject({ code: 14 });
      expect(own.unreadyReason()).toBe("the container runtime does not answer");
      for (const word of ["first", "second"]) {
        const { server } = await startRuntime(socket);
        expect(String(await echo()), word).toBe("x");
        expect(own.unreadyReason()).toBeUndefined();
        const waiting = new Promise((_resolve, reject) => {
          ownClient.makeUnaryRequest("/runtime.v1.RuntimeService/Wait", same, same, Buffer.alloc(0), reject);
        });
        const failed = expect(waiting).rejects.toMatchObject({ code: 14 });
        await sleep(100);
        server.forceShutdown();
        await failed;
      }
    } finally {
      ownClient.close();
      await own.stop(100);
    }
  });
});

describe("the socket of the image service", () => {
  test("is its owner's alone, and is not taken from who listens", async () => {
    await withTempDir(async (folder) => {
      const listen = `unix://${folder}/new/proxy.sock`;
      const options = { listen, runtimeEndpoint: `${folder}/none.sock`, log };
      const first = await startImageProxy(options);
      expect((await stat(`${folder}/new/proxy.sock`)).mode & 0o777).toBe(0o600);
      await expect(startImageProxy(options)).rejects.toMatchObject({
        code: "config-invalid",
        message: expect.stringContaining("another process listens there") as string,
      });
      await first.stop(0);
      await (await startImageProxy(options)).stop(0);
    });
  });

  test("replaces what a dead process has left, and nothing else", async () => {
    await withTempDir(async (folder) => {
      const socket = path.join(folder, "proxy.sock");
      const dead = createServer().listen(`${socket}.moved`);
      await once(dead, "listening");
      await rename(`${socket}.moved`, socket);
      dead.close();
      const options = { listen: socket, runtimeEndpoint: `${folder}/none.sock`, log };
      await (await startImageProxy(options)).stop(0);
      await writeFile(socket, "a file");
      await expect(startImageProxy(options)).rejects.toMatchObject({ code: "config-invalid" });
    });
  });
});

function entry(image: string, imageSpec: object): string {
  return JSON.stringify({ image, imageSpec });
}
