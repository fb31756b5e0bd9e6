import { createHmac } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startHttpServer, type TestServer } from "../../../test/support/http-server.ts";
import {
  receiver,
  type RunningServer,
  startNotificationServer,
  writeObjects,
} from "../../../test/support/served-notifications.ts";
import { secret } from "../../../test/support/flux-objects.ts";
import { createTempDir, type TempDir } from "../../../test/support/temp-dir.ts";
import type { DeliveryTransport } from "../providers/provider.ts";
import { checkGoogleToken } from "./google-token.ts";
import { IdTokenVerifier } from "./id-token.ts";
import { webhookPath } from "./webhook-path.ts";

const token = "s3cr3t-token";
let folder: TempDir;
let running: RunningServer | undefined;
let issuer: TestServer | undefined;

beforeEach(async () => {
  folder = await createTempDir("receivers");
});

afterEach(async () => {
  await running?.server.stop(1000);
  await issuer?.stop();
  await folder.remove();
  running = undefined;
  issuer = undefined;
});

const repository = (name: string, labels: object = {}): object => ({
  apiVersion: "image.toolkit.fluxcd.io/v1",
  kind: "ImageRepository",
  metadata: { name, namespace: "apps", labels },
  spec: { image: "ghcr.io/org/app", interval: "1h" },
});

const resources = [{ kind: "ImageRepository", name: "app" }];

async function serve(spec: object, data: Readonly<Record<string, string>> = {}): Promise<RunningServer> {
  await writeObjects(folder.path, [
    receiver("hook", { resources, secretRef: { name: "hook" }, ...spec }),
    secret({ name: "hook", namespace: "apps" }, { token, ...data }),
    repository("app"),
    repository("web", { team: "a" }),
    repository("api", { team: "b" }),
  ]);
  running = await startNotificationServer(folder.path);
  return running;
}

interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly path?: string;
}

async function call(
  { receivers }: RunningServer,
  { headers = {}, body = "{}", path = hookPath }: Call,
): Promise<number> {
  const response = await fetch(receivers + path, { method: "POST", headers, body });
  expect(await response.text()).toBe("");
  return response.status;
}

const hookPath = webhookPath(token, "hook", "apps");
const json = { "content-type": "application/json" };
const hmac = (algorithm: string, body: string, key = token): string =>
  createHmac(algorithm, key).update(body).digest("hex");
const signed = (name: string, algorithm: string, body = "{}"): Record<string, string> => ({
  ...json,
  [name]: `${algorithm}=${hmac(algorithm, body)}`,
});
const cdEvent = JSON.stringify({
  context: {
    version: "0.4.1",
    id: "1",
    source: "s",
    type: "dev.cdevents.change.merged.0.2.0",
    timestamp: "2026-08-01T00:00:00Z",
  },
  subject: { id: "1", content: {} },
});

test.each<[token: string, name: string, namespace: string, digest: string]>([
  [
    "token",
    "github-receiver",
    "flux-system",
    "8ed710969b945c0dc10d6d0b5084e120ec2228353d1fe42d56be5ba88500e684",
  ],
  ["", "my-receiver", "apps", "ef5e98159177ed7ccd146a05663ac3d8a8ddfb888baa08138c5dcdec53d60a26"],
])("the path of %j, %s and %s", (given, name, namespace, digest) => {
  expect(webhookPath(given, name, namespace)).toBe(`/hook/${digest}`);
});

describe("a request is let through", () => {
  test.each<[name: string, spec: object, request: Call]>([
    ["generic", { type: "generic" }, { body: "no JSON" }],
    ["generic-hmac by SHA-1", { type: "generic-hmac" }, { headers: signed("x-signature", "sha1") }],
    ["generic-hmac by SHA-256", { type: "generic-hmac" }, { headers: signed("x-signature", "sha256") }],
    ["generic-hmac by SHA-512", { type: "generic-hmac" }, { headers: signed("x-signature", "sha512") }],
    ["github", { type: "github" }, { headers: signed("x-hub-signature", "sha1") }],
    ["github by SHA-256", { type: "github" }, { headers: signed("x-hub-signature-256", "sha256") }],
    [
      "github's newer signature first",
      { type: "github" },
      { headers: { ...signed("x-hub-signature-256", "sha256"), "x-hub-signature": "sha1=00" } },
    ],
    [
      "github, of an event that counts",
      { type: "github", events: ["PUSH"] },
      { headers: { ...signed("x-hub-signature", "sha1"), "x-github-event": "push" } },
    ],
    [
      "gitlab",
      { type: "gitlab", events: ["Push Hook"] },
      { headers: { "x-gitlab-token": token, "x-gitlab-event": "push hook" } },
    ],
    [
      "bitbucket",
      { type: "bitbucket", events: ["repo:refs_changed"] },
      { headers: { ...signed("x-hub-signature", "sha256"), "x-event-key": "repo:refs_changed" } },
    ],
    ["harbor", { type: "harbor" }, { headers: { authorization: token } }],
    ["dockerhub", { type: "dockerhub" }, {}],
    ["quay", { type: "quay" }, {}],
    ["acr", { type: "acr" }, {}],
    ["nexus", { type: "nexus" }, { headers: { "x-nexus-webhook-signature": hmac("sha1", "{}") } }],
    [
      "cdevents",
      { type: "cdevents", events: ["dev.cdevents.change.merged.0.2.0"] },
      { body: cdEvent, headers: { "ce-type": "dev.cdevents.change.merged.0.2.0" } },
    ],
    ["with a query", { type: "generic" }, { path: `${hookPath}?a=b` }],
  ])("%s", async (_name, spec, request) => {
    const on = await serve(spec);
    expect(await call(on, request)).toBe(200);
    expect(on.triggered).toMatchObject([{ kind: "ImageRepository", namespace: "apps", name: "app" }]);
    expect(Date.parse(on.triggered[0]?.requestedAt ?? "")).toBeGreaterThan(0);
  });
});

describe("a request is refused with 400", () => {
  test.each<[name: string, spec: object, request: Call]>([
    ["generic-hmac without a signature", { type: "generic-hmac" }, {}],
    [
      "generic-hmac of another body",
      { type: "generic-hmac" },
      { headers: signed("x-signature", "sha256"), body: "{} " },
    ],
    [
      "generic-hmac of an unknown kind",
      { type: "generic-hmac" },
      { headers: { "x-signature": `md5=${hmac("md5", "{}")}` } },
    ],
    [
      "generic-hmac cut short",
      { type: "generic-hmac" },
      { headers: { "x-signature": `sha256=${hmac("sha256", "{}").slice(0, 40)}` } },
    ],
    [
      "generic-hmac by another token",
      { type: "generic-hmac" },
      { headers: { "x-signature": `sha256=${hmac("sha256", "{}", "other")}` } },
    ],
    [
      "github as text",
      { type: "github" },
      { headers: { ...signed("x-hub-signature", "sha1"), "content-type": "text/plain" } },
    ],
    [
      "github, of another event",
      { type: "github", events: ["push"] },
      { headers: { ...signed("x-hub-signature", "sha1"), "x-github-event": "ping" } },
    ],
    ["gitlab without a token", { type: "gitlab" }, {}],
    ["gitlab with another token", { type: "gitlab" }, { headers: { "x-gitlab-token": "s3cr3t-tokem" } }],
    ["harbor with another token", { type: "harbor" }, { headers: { authorization: "x" } }],
    ["dockerhub without JSON", { type: "dockerhub" }, { body: "no" }],
    [
      "nexus with another signature",
      { type: "nexus" },
      { headers: { "x-nexus-webhook-signature": hmac("sha1", "[]") } },
    ],
    ["cdevents without a context", { type: "cdevents" }, { body: "{}" }],
    ["gcr without a token", { type: "gcr" }, {}],
  ])("%s", async (_name, spec, request) => {
    const on = await serve(spec, { email: "a@b", audience: "c" });
    expect(await call(on, request)).toBe(400);
    expect(on.triggered).toEqual([]);
    expect(on.log.join("\n")).not.toContain(token);
  });
});

describe("a status tells", () => {
  test.each<[name: string, spec: object, request: Call, status: number]>([
    ["another path", { type: "generic" }, { path: "/hook/else" }, 404],
    ["a Receiver that is suspended", { type: "generic", suspend: true }, {}, 503],
    ["an expression that is none", { type: "generic", resourceFilter: "req." }, {}, 503],
    ["an expression of another type", { type: "generic", resourceFilter: "'a'" }, {}, 503],
    [
      "an expression that fails",
      { type: "generic", resourceFilter: "req.missing == 'x'" },
      { headers: json },
      500,
    ],
    [
      "an object that is not known",
      { type: "generic", resources: [{ kind: "ImageRepository", name: "none" }] },
      {},
      500,
    ],
    ["a body that is too large", { type: "generic" }, { body: "x".repeat(3 * 1024 * 1024 + 1) }, 413],
  ])("%s", async (_name, spec, request, status) => {
    const on = await serve(spec);
    expect(await call(on, request)).toBe(status);
    expect(on.triggered).toEqual([]);
  });

  test("no path for a Secret without a token", async () => {
    const on = await serve({ type: "generic" }, { token: "" });
    expect(await call(on, { path: webhookPath("", "hook", "apps") })).toBe(404);
    expect(on.log.join("\n")).toContain("TokenNotFound");
  });
});

describe("filters", () => {
  test.each<[name: string, spec: object, body: object, names: readonly string[]]>([
    [
      "by labels",
      { resources: [{ kind: "ImageRepository", name: "*", matchLabels: { team: "a" } }] },
      {},
      ["web"],
    ],
    [
      "by the body",
      {
        resources: [
          { kind: "ImageRepository", name: "*", matchLabels: { team: "a" } },
          { kind: "ImageRepository", name: "app" },
        ],
        resourceFilter: "req.tag.split('/').last().value().split(':').first().value() == res.metadata.name",
      },
      { tag: "ghcr.io/org/web:v1" },
      ["web"],
    ],
    [
      "both must hold",
      {
        resources: [
          { kind: "ImageRepository", name: "app", filter: "req.count > 1" },
          { kind: "ImageRepository", name: "web", filter: "req.count > 3" },
        ],
        resourceFilter: "res.metadata.name.matches('^[a-z]+$')",
      },
      { count: 2 },
      ["app"],
    ],
  ])("%s", async (_name, spec, body, names) => {
    const on = await serve({ type: "generic", ...spec });
    expect(await call(on, { headers: json, body: JSON.stringify(body) })).toBe(200);
    expect(on.triggered.map(({ name }) => name)).toEqual(names);
  });
});

test.each<[type: string, names: readonly string[]]>([
  ["application/vnd.docker.distribution.events.v1+json", ["app"]],
  ["Application/CloudEvents+JSON; charset=utf-8", ["app"]],
  ["text/plain", []],
])("filters see a body of type %s", async (type, names) => {
  const on = await serve({ type: "generic", resourceFilter: "has(req.tag)" });
  expect(await call(on, { headers: { "content-type": type }, body: '{"tag": "v1"}' })).toBe(200);
  expect(on.triggered.map(({ name }) => name)).toEqual(names);
  const isTold = on.log.some((line) => line.includes("concerns no object receiver=apps/hook"));
  expect(isTold).toBe(names.length === 0);
});

describe("generic-oidc", () => {
  const path = webhookPath("", "hook", "apps");
  let keys: { publicKey: CryptoKey; privateKey: CryptoKey };

  async function serveOidc(changes: object = {}): Promise<RunningServer> {
    keys = await generateKeyPair("RS256", { extractable: true });
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: "1", alg: "RS256" };
    issuer = await startHttpServer((request, response) => {
      const url = issuer?.url ?? "";
      const document = request.url === "/keys" ? { keys: [jwk] } : { issuer: url, jwks_uri: `${url}/keys` };
      response.end(JSON.stringify(document));
    });
    const oidcProviders = [
      {
        issuerURL: issuer.url,
        variables: [{ name: "repo", expression: "claims.repository" }],
        validations: [{ expression: "vars.repo == 'org/app'", message: "another repository" }],
        ...changes,
      },
    ];
    await writeObjects(folder.path, [
      receiver("hook", {
        type: "generic-oidc",
        resources,
        oidcProviders,
        resourceFilter: "claims.ref == 'main'",
      }),
      repository("app"),
    ]);
    running = await startNotificationServer(folder.path);
    return running;
  }

  async function bearer(
    claims: object,
    options: { audience?: string; kid?: string; key?: CryptoKey; expires?: string } = {},
  ): Promise<Call> {
    const {
      audience = "notification-controller",
      kid = "1",
      key = keys.privateKey,
      expires = "1m",
    } = options;
    const jwt = await new SignJWT({ repository: "org/app", ref: "main", ...claims })
      .setProtectedHeader({ alg: "RS256", kid })
      .setIssuer(issuer?.url ?? "")
      .setAudience(audience)
      .setExpirationTime(expires)
      .sign(key);
    return { path, headers: { authorization: `Bearer ${jwt}` } };
  }

  test("lets through who shows a token that fulfils the validations", async () => {
    const on = await serveOidc();
    expect(await call(on, await bearer({}))).toBe(200);
    expect(on.triggered).toHaveLength(1);
  });

  test("gives its claims to the filters", async () => {
    const on = await serveOidc();
    expect(await call(on, await bearer({ ref: "other" }))).toBe(200);
    expect(on.triggered).toEqual([]);
  });

  test.each<[name: string, make: () => Promise<Call>]>([
    ["no token", async () => ({ path })],
    ["no JWT", async () => ({ path, headers: { authorization: "Bearer a.b.c" } })],
    ["another audience", async () => bearer({}, { audience: "other" })],
    ["an expired token", async () => bearer({}, { expires: "-5m" })],
    ["an unknown key", async () => bearer({}, { kid: "2" })],
    ["another's signature", async () => bearer({}, { key: (await generateKeyPair("RS256")).privateKey })],
    ["a broken validation", async () => bearer({ repository: "evil/app" })],
    [
      "no signature",
      async () => {
        const claims = {
          iss: issuer?.url,
          aud: "notification-controller",
          exp: 9_999_999_999,
          repository: "org/app",
        };
        return { path, headers: { authorization: `Bearer ${part({ alg: "none" })}.${part(claims)}.` } };
      },
    ],
  ])("refuses %s", async (_name, make) => {
    const on = await serveOidc();
    expect(await call(on, await make())).toBe(400);
    expect(on.triggered).toEqual([]);
  });
});

describe("gcr", () => {
  test.each<[name: string, claims: object, audience: string, isLetIn: boolean]>([
    ["the subscription's account", {}, "aud", true],
    ["another account", { email: "evil@example.com" }, "aud", false],
    ["an account that is not verified", { email_verified: false }, "aud", false],
    ["another audience", {}, "other", false],
    ["another issuer", { iss: "https://evil.example" }, "aud", false],
  ])("%s", async (_name, claims, audience, isLetIn) => {
    const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: "g" };
    const transport = keysOf("https://www.googleapis.com/oauth2/v3/certs", { keys: [jwk] });
    const jwt = await new SignJWT({
      iss: "https://accounts.google.com",
      email: "push@project.iam.gserviceaccount.com",
      email_verified: true,
      ...claims,
    })
      .setProtectedHeader({ alg: "RS256", kid: "g" })
      .setAudience(audience)
      .setExpirationTime("1m")
      .sign(privateKey);
    const checked = checkGoogleToken(
      { headers: { authorization: `Bearer ${jwt}` }, body: new Uint8Array() },
      {
        secret: { token, email: "push@project.iam.gserviceaccount.com", audience: "aud" },
        idTokens: new IdTokenVerifier({ transport, nowMs: () => Date.now() }),
      },
    );
    await (isLetIn
      ? expect(checked).resolves.toBeUndefined()
      : expect(checked).rejects.toThrow(expect.objectContaining({ code: "access-denied" })));
  });
});

/** A part of a JWT. */
function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

async function refuse(): Promise<void> {
  return Promise.reject(new Error("this is not HTTP"));
}

/** Answers as Google's own address does, which a test does not reach. */
function keysOf(url: string, document: object): DeliveryTransport {
  return {
    send: async (request) => {
      await Promise.resolve();
      expect(request.url).toBe(url);
      return { status: 200, headers: {}, body: JSON.stringify(document) };
    },
    publish: refuse,
    mail: refuse,
  };
}
