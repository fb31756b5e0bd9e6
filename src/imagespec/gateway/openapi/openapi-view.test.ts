import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { ApiRequest, ApiResponse, HeaderFields, Upstream, UpstreamRequest } from "../api-exchange.ts";
import { readRequestInfo } from "../request-info.ts";
import { addImageSpecMessages } from "./add-protobuf-schemas.ts";
import { addImageSpecSchemas } from "./add-schemas.ts";
import { OpenApiView } from "./openapi-view.ts";
import { encodeField } from "./protobuf-fields.ts";

const container = {
  type: "object",
  required: ["name"],
  properties: { image: { type: "string" }, name: { type: "string", maxLength: 9 } },
};
const schemas = {
  "io.k8s.api.core.v1.Container": container,
  "io.k8s.api.core.v1.EphemeralContainer": container,
  "io.k8s.api.core.v1.ContainerImage": container,
};
const documents: Readonly<Record<string, string>> = {
  "/openapi/v3/api/v1": JSON.stringify({ openapi: "3.0.0", components: { schemas } }),
  "/openapi/v3/apis/events.k8s.io/v1": JSON.stringify({ components: { schemas: { Event: {} } } }),
  "/openapi/v2": JSON.stringify({ swagger: "2.0", definitions: schemas }),
};
const hash = "00FF";

/** Serves documents as kube-apiserver does: for ever by their hash, and with a redirect to it. */
class Documents implements Upstream {
  readonly asked: UpstreamRequest[] = [];
  bodies = 0;

  async send(request: UpstreamRequest): Promise<ApiResponse> {
    this.asked.push(request);
    const url = new URL(request.target, "http://upstream");
    const path = url.pathname;
    if (path === "/openapi/v3") {
      const paths = Object.keys(documents).map(
        (name) => `"${name}":{"serverRelativeURL":"${name}?hash=${hash}"}`,
      );
      const text = `{"paths":{${paths.join(",")}}}`;
      return answer(200, { "content-type": "text/plain; charset=utf-8" }, text);
    }
    const document = documents[path];
    if (document === undefined) return answer(404, { "content-type": "text/plain" }, "not found");
    const headers = { etag: `"${hash}"`, vary: "Accept", "last-modified": "Sun, 22 Nov 2026 10:00:00 GMT" };
    const asked = url.searchParams.get("hash");
    if (asked !== null && asked !== hash) {
      return answer(301, { ...headers, location: `${path}?hash=${hash}` }, "");
    }
    if (request.headers["if-none-match"]?.includes(`"${hash}"`)) return answer(304, headers, "");
    if (String(request.headers["accept"]).startsWith("application/com.github")) {
      return answer(200, { ...headers, "content-type": String(request.headers["accept"]) }, "protobuf");
    }
    this.bodies += 1;
    return answer(200, { ...headers, "content-type": "application/json" }, document);
  }
}

function answer(status: number, headers: HeaderFields, text: string | Buffer): ApiResponse {
  const body = Readable.from(text.length === 0 ? [] : [Buffer.from(text)]);
  return { status, headers: { ...headers, "content-length": String(text.length) }, body };
}

interface Answer extends Pick<ApiResponse, "status" | "headers"> {
  readonly bytes: Buffer;
}

async function get(
  view: OpenApiView,
  upstream: Upstream,
  target: string,
  headers: HeaderFields = {},
): Promise<Answer> {
  const info = readRequestInfo("GET", target);
  const signal = new AbortController().signal;
  const request: ApiRequest = { method: "GET", target, info, headers, body: undefined, signal };
  const response = await view.answer(request, upstream);
  if (response === undefined) throw new TypeError("not answered");
  const { status, body } = response;
  const bytes = body instanceof Uint8Array ? Buffer.from(body) : await buffer(body);
  return { status, headers: response.headers, bytes };
}

async function urlOf(view: OpenApiView, upstream: Upstream, name: string): Promise<string> {
  const { bytes } = await get(view, upstream, "/openapi/v3");
  const { paths } = JSON.parse(bytes.toString()) as { paths: Record<string, { serverRelativeURL: string }> };
  return paths[name]?.serverRelativeURL ?? "";
}

const v1 = "/openapi/v3/api/v1";

describe("the OpenAPI documents of the gateway", () => {
  test("have hashes of their own, and are immutable by them", async () => {
    const [view, upstream] = [new OpenApiView(), new Documents()];
    const url = await urlOf(view, upstream, v1);
    expect(url).toMatch(/^\/openapi\/v3\/api\/v1\?hash=00FF\.imagespec-[0-9a-f]{16}$/u);
    const found = await get(view, upstream, url);
    expect(upstream.asked.at(-1)?.target).toBe(`${v1}?hash=00FF`);
    expect(found.headers["etag"]).toBe(`"${url.split("hash=")[1]}"`);
    expect(found.headers["content-length"]).toBe(String(found.bytes.length));
    expect(found.headers["last-modified"]).toBeUndefined();
    expect(found.bytes.toString()).toContain('"imageSpec"');
  });

  test.each([
    { name: "upstream's own", asked: hash },
    { name: "another gateway's", asked: `${hash}.imagespec-0123456789abcdef` },
    { name: "an outdated", asked: "00EE" },
  ])("redirect from $name hash", async ({ asked }) => {
    const [view, upstream] = [new OpenApiView(), new Documents()];
    const { status, headers } = await get(view, upstream, `${v1}?timeout=32s&hash=${asked}`);
    expect({ status, location: headers["location"] }).toEqual({
      status: 301,
      location: await urlOf(view, upstream, v1),
    });
  });

  test("are read from upstream once, though it is asked each time", async () => {
    const [view, upstream] = [new OpenApiView(), new Documents()];
    const first = await get(view, upstream, v1);
    const second = await get(view, upstream, v1);
    expect(second).toMatchObject({ status: 200, headers: { etag: first.headers["etag"], vary: "Accept" } });
    expect(second.headers["content-type"]).toBe("application/json");
    expect(second.bytes).toEqual(first.bytes);
    expect(upstream.bodies).toBe(1);
    expect(upstream.asked).toHaveLength(2);
  });

  test("are not sent to who has them", async () => {
    const [view, upstream] = [new OpenApiView(), new Documents()];
    const { headers } = await get(view, upstream, v1);
    const mine = { "if-none-match": String(headers["etag"]) };
    expect(await get(view, upstream, v1, mine)).toMatchObject({
      status: 304,
      headers: { etag: headers["etag"] },
    });
    expect(await get(new OpenApiView(), upstream, v1, mine)).toMatchObject({ status: 304 });
    const direct = { "if-none-match": `"${hash}"`, "if-modified-since": "Sun, 22 Nov 2026 10:00:00 GMT" };
    expect(await get(view, upstream, v1, direct)).toMatchObject({ status: 200 });
    expect(await get(new OpenApiView(), upstream, v1, direct)).toMatchObject({ status: 200 });
  });

  test("of version 2 in protobuf are kept beside those in JSON", async () => {
    // A definition of a container with the property `image`, and nothing else.
    const entry = encodeField(1, "io.k8s.api.core.v1.Container");
    const schema = encodeField(2, encodeField(25, encodeField(1, encodeField(1, "image"))));
    const document = encodeField(9, encodeField(1, Buffer.concat([entry, schema])));
    const json = new Documents();
    let bodies = 0;
    const upstream: Upstream = {
      send: async (request) => {
        if (!String(request.headers["accept"]).includes("spec.v2@v1.0")) return json.send(request);
        const headers = { etag: '"F00F"' };
        if (request.headers["if-none-match"]?.includes('"F00F"')) return answer(304, headers, "");
        bodies += 1;
        const type = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
        return answer(200, { ...headers, "content-type": type }, document);
      },
    };
    const view = new OpenApiView();
    const accept = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
    const first = await get(view, upstream, "/openapi/v2", { accept });
    const inJson = await get(view, upstream, "/openapi/v2");
    const second = await get(view, upstream, "/openapi/v2", { accept });
    expect(first.bytes).toEqual(addImageSpecMessages(document));
    expect(first.bytes.includes("imageSpec")).toBe(true);
    expect(second).toEqual(first);
    expect(first.headers["etag"]).toMatch(/^"F00F\.imagespec-/u);
    expect(inJson.bytes.toString()).toContain('"imageSpec"');
    expect((await get(view, upstream, "/openapi/v2")).bytes).toEqual(inJson.bytes);
    expect([bodies, json.bodies]).toEqual([1, 1]);
  });

  test("of version 3 in protobuf are as they come, kept or not", async () => {
    const [view, upstream] = [new OpenApiView(), new Documents()];
    const accept = "application/com.github.proto-openapi.spec.v3@v1.0+protobuf";
    await get(view, upstream, v1);
    expect((await get(view, upstream, v1, { accept })).bytes.toString()).toBe("protobuf");
    const both = await get(view, upstream, v1, { accept: `${accept},application/json` });
    expect(both.headers["content-type"]).toBe("application/json");
  });

  test("without containers stay as they are", async () => {
    const path = "/openapi/v3/apis/events.k8s.io/v1";
    expect((await get(new OpenApiView(), new Documents(), path)).bytes.toString()).toBe(documents[path]);
  });

  test("that are not there", async () => {
    expect(await get(new OpenApiView(), new Documents(), "/openapi/v3/none")).toMatchObject({ status: 404 });
  });

  test("that are large are compressed", async () => {
    const large = JSON.stringify({ definitions: schemas, info: "x".repeat(200_000) });
    const upstream: Upstream = {
      send: async () => answer(200, { "content-type": "application/json", vary: "Accept" }, large),
    };
    const found = await get(new OpenApiView(), upstream, "/openapi/v2", { "accept-encoding": "gzip" });
    expect(found.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept, Accept-Encoding" });
    expect(gunzipSync(found.bytes).toString()).toContain('"imageSpec"');
  });

  test.each(["/openapi/v3", "/openapi/v2", v1])("a HEAD of %s is not theirs", (target) => {
    const info = readRequestInfo("HEAD", target);
    const { signal } = new AbortController();
    const request: ApiRequest = { method: "HEAD", target, info, headers: {}, body: undefined, signal };
    expect(new OpenApiView().answer(request, new Documents())).toBeUndefined();
  });
});

describe("imageSpec in a document", () => {
  test.each([
    { form: "v3", path: v1, at: ["components", "schemas"], prefix: "#/components/schemas/" },
    { form: "v2", path: "/openapi/v2", at: ["definitions"], prefix: "#/definitions/" },
  ] as const)("of $form", ({ form, path, at, prefix }) => {
    const text = documents[path] ?? "";
    const edited = addImageSpecSchemas(Buffer.from(text), form).toString();
    const found = at.reduce<unknown>(
      (value, key) => (value as Record<string, unknown>)[key],
      JSON.parse(edited),
    );
    const named = found as Record<string, { required?: string[]; properties: Record<string, unknown> }>;
    for (const name of ["Container", "EphemeralContainer"]) {
      const schema = named[`io.k8s.api.core.v1.${name}`];
      expect(Object.keys(schema?.properties ?? {})).toEqual(["image", "imageSpec", "name"]);
      expect(schema?.properties["imageSpec"]).toMatchObject({ "x-kubernetes-patch-strategy": "retainKeys" });
      expect(schema?.required).toEqual(["name"]);
    }
    expect(named["io.k8s.api.core.v1.ContainerImage"]).toEqual(container);
    const references = [...edited.matchAll(/"\$ref":"(?<target>[^"]*)"/gu)].map(
      (match) => match.groups?.["target"],
    );
    expect(references).toHaveLength(4);
    for (const target of references) expect(named).toHaveProperty([target?.slice(prefix.length) ?? ""]);
  });

  test.each([
    { name: "that has it", text: documents[v1]?.replace('"name":{', '"imageSpec":{},"name":{') ?? "" },
    { name: "that breaks off", text: documents[v1]?.slice(0, -1) ?? "" },
    { name: "of another form", text: documents["/openapi/v2"] ?? "" },
    { name: "without anything", text: "" },
    { name: "that is a list", text: "[]" },
  ])("stays as it is $name", ({ text }) => {
    expect(addImageSpecSchemas(Buffer.from(text), "v3").toString()).toBe(text);
  });
});
