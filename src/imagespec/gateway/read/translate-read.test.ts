import { once } from "node:events";
import { constants } from "node:http2";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { ApiRequest, ApiResponse } from "../api-exchange.ts";
import { readRequestInfo } from "../request-info.ts";
import { prepareRead, viewResponse } from "./translate-read.ts";

const pod = '{"kind":"Pod","spec":{"containers":[{"image":"nginx"}]}}';
const spec = ',"imageSpec":{"dockerImage":{"registry":"docker.io","name":"library/nginx"}}';
const seen = pod.replace('"nginx"', `"nginx"${spec}`);

function requestOf(line: string, headers: ApiRequest["headers"] = {}): ApiRequest {
  const [method = "", target = ""] = line.split(" ");
  const info = readRequestInfo(method, target);
  return { method, target, info, headers, body: undefined, signal: new AbortController().signal };
}

function answerOf(
  body: string | Uint8Array,
  headers: ApiResponse["headers"] = {},
  status = 200,
): ApiResponse {
  const stream = Readable.from(typeof body === "string" ? [Buffer.from(body)] : [body]);
  return { status, headers: { "content-type": "application/json", ...headers }, body: stream };
}

async function bytesOf({ body }: ApiResponse): Promise<Buffer> {
  return body instanceof Uint8Array ? Buffer.from(body) : buffer(body);
}

const podPath = "/api/v1/namespaces/default/pods/a";
const protobuf = "application/vnd.kubernetes.protobuf";

describe("the request upstream", () => {
  test.each([
    { accept: `${protobuf},application/json`, sent: "application/json" },
    {
      accept: `application/cbor, application/json;q=0.5 , */*;q=0.1`,
      sent: "application/json;q=0.5 , */*;q=0.1",
    },
    {
      accept: `${protobuf};as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1;g=meta.k8s.io,application/json`,
      sent: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
    },
    { accept: protobuf, sent: protobuf },
    { accept: `${protobuf},application/json;q=0`, sent: `${protobuf},application/json;q=0` },
    { accept: `${protobuf},text/html`, sent: `${protobuf},text/html` },
    { accept: "application/json, */*", sent: "application/json, */*" },
    { accept: "application/yaml", sent: "application/yaml" },
  ])("accepts $sent for $accept", ({ accept, sent }) => {
    const { headers } = prepareRead(requestOf(`GET ${podPath}`, { accept, "accept-encoding": "gzip" }));
    expect(headers).toEqual({ accept: sent });
  });

  test.each([
    "GET /api/v1/namespaces/default/configmaps",
    `GET ${podPath}/log`,
    "GET /apis/apps/v1/namespaces/default/deployments/a/scale",
    "GET /apis/apps/v1/namespaces/default/controllerrevisions",
    "HEAD /api/v1/pods",
    "GET /version",
  ])("%s stays as it is", (line) => {
    const headers = { accept: `${protobuf},application/json`, "accept-encoding": "gzip" };
    expect(prepareRead(requestOf(line, headers)).headers).toEqual(headers);
  });
});

describe("the answer", () => {
  test.each([
    { line: `GET ${podPath}`, body: pod, viewed: seen },
    { line: `PUT ${podPath}/status`, body: pod, viewed: seen },
    { line: `PATCH ${podPath}/ephemeralcontainers`, body: pod, viewed: seen },
    { line: `DELETE ${podPath}`, body: pod, viewed: seen },
    { line: "GET /api/v1/pods?limit=5", body: `{"items":[${pod}]}`, viewed: `{"items":[${seen}]}` },
    { line: "DELETE /api/v1/namespaces/a/pods", body: `{"items":[${pod}]}`, viewed: `{"items":[${seen}]}` },
    { line: "GET /api/v1/pods?watch=1", body: `{"object":${pod}}\n`, viewed: `{"object":${seen}}\n` },
    { line: "GET /api/v1/watch/pods", body: `{"object":${pod}}\n`, viewed: `{"object":${seen}}\n` },
    { line: `POST ${podPath}/binding`, body: pod, viewed: pod },
    { line: `GET ${podPath}/proxy/x`, body: pod, viewed: pod },
    { line: "GET /api/v1/configmaps/a", body: pod, viewed: pod },
  ])("to $line", async ({ line, body, viewed }) => {
    const response = await viewResponse(requestOf(line), answerOf(body));
    expect((await bytesOf(response)).toString()).toBe(viewed);
  });

  test("loses what told of the old bytes", async () => {
    const headers = { "content-length": String(pod.length), etag: '"1"', "audit-id": "7" };
    const response = await viewResponse(requestOf(`GET ${podPath}`), answerOf(pod, headers));
    expect(response.headers).toEqual({
      "content-type": "application/json",
      "content-length": String(seen.length),
      "audit-id": "7",
    });
  });

  test.each([
    { name: "an error", headers: {}, status: 404 },
    { name: "protobuf", headers: { "content-type": protobuf }, status: 200 },
    { name: "an unknown compression", headers: { "content-encoding": "br" }, status: 200 },
  ])("$name is the answer that came", async ({ headers, status }) => {
    const response = answerOf(pod, headers, status);
    expect(await viewResponse(requestOf(`GET ${podPath}`), response)).toBe(response);
    expect((await bytesOf(response)).toString()).toBe(pod);
  });

  test("is decompressed where upstream compresses nevertheless", async () => {
    const answer = answerOf(gzipSync(pod), { "content-encoding": "gzip" });
    const response = await viewResponse(requestOf(`GET ${podPath}`), answer);
    expect(response.headers["content-encoding"]).toBeUndefined();
    expect((await bytesOf(response)).toString()).toBe(seen);
  });

  test("in YAML", async () => {
    const yaml = "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - image: nginx\n    name: a\n";
    const request = requestOf(`GET ${podPath}`, { accept: "application/yaml" });
    const response = await viewResponse(request, answerOf(yaml, { "content-type": "application/yaml" }));
    expect((await bytesOf(response)).toString()).toBe(
      yaml.replace(
        "nginx\n",
        "nginx\n    imageSpec:\n      dockerImage:\n        registry: docker.io\n        name: library/nginx\n",
      ),
    );
  });

  const manyPods = `{"items":[${Array.from({ length: 5000 }, () => pod).join(",")}]}`;
  const manySeen = `{"items":[${Array.from({ length: 5000 }, () => seen).join(",")}]}`;

  test.each([
    { name: "compressed for who takes gzip", accepted: "gzip, deflate", encoding: "gzip" },
    { name: "as it is for who does not", accepted: "gzip;q=0, br", encoding: undefined },
  ])("that is large is $name", async ({ accepted, encoding }) => {
    const request = requestOf("GET /api/v1/pods", { "accept-encoding": accepted });
    const response = await viewResponse(request, answerOf(manyPods));
    const bytes = await bytesOf(response);
    expect(response.headers["content-encoding"]).toBe(encoding);
    expect(response.headers["vary"]).toBe("Accept-Encoding");
    expect((encoding === undefined ? bytes : gunzipSync(bytes)).toString()).toBe(manySeen);
  });

  test("that breaks off fails", async () => {
    const body = Readable.from([Buffer.from(pod)]);
    body.destroy(new Error("reset"));
    const response = { status: 200, headers: { "content-type": "application/json" }, body };
    await expect(viewResponse(requestOf(`GET ${podPath}`), response)).rejects.toMatchObject({
      code: "upstream-failed",
    });
  });

  test.each(["GET /api/v1/pods?watch=true", "GET /api/v1/pods", `GET ${podPath}`])(
    "%s that upstream resets is not taken for whole, though node:http2 ends it",
    async (line) => {
      const bytes = Buffer.from(line.includes(podPath) ? pod : manyPods).subarray(0, -1);
      const body = Object.assign(Readable.from([bytes]), { rstCode: constants.NGHTTP2_CANCEL });
      const answer = { status: 200, headers: { "content-type": "application/json" }, body };
      const read = viewResponse(requestOf(line), answer).then(bytesOf);
      await expect(read).rejects.toMatchObject({ code: "upstream-failed" });
    },
  );

  test.each(["GET /api/v1/pods?watch=true", "GET /api/v1/pods"])(
    "%s ends upstream when the client leaves",
    async (line) => {
      const body = new Readable({ read() {} });
      body.push(manyPods);
      const request = requestOf(line, { "accept-encoding": "gzip" });
      const answer = { status: 200, headers: { "content-type": "application/json" }, body };
      const response = await viewResponse(request, answer);
      const closed = new Promise((resolve) => body.once("close", resolve));
      if (response.body instanceof Readable) response.body.destroy();
      await closed;
      expect(body.destroyed).toBe(true);
    },
  );

  test("of a watch comes event by event", async () => {
    const body = new Readable({ read() {} });
    const answer = { status: 200, headers: { "content-type": "application/json" }, body };
    const response = await viewResponse(requestOf("GET /api/v1/pods?watch=true"), answer);
    if (!(response.body instanceof Readable)) throw new TypeError("no stream");
    for (let count = 0; count < 3; count++) {
      const told = once(response.body, "data");
      body.push(`{"object":${pod}}\n`);
      expect(String((await told)[0])).toBe(`{"object":${seen}}\n`);
    }
    response.body.destroy();
  });
});
