import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type SeenDelivery, useNotificationServer } from "../../../test/support/notification-server.ts";
import type { ProviderSettings, ProviderType } from "./provider.ts";

interface FluxRequest {
  readonly type: ProviderType;
  readonly severity: "info" | "error";
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
}

const file = new URL("../../../test/conformance/providers/requests.jsonl", import.meta.url);
const requests = readFileSync(file, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as FluxRequest);
const server = useNotificationServer();

/** As the Go program has them. */
function settingsOf(type: ProviderType): Partial<ProviderSettings> {
  const token = { secret: { token: "tok" } };
  const hook = { address: server.url("/hook") };
  const repository = { address: server.url("/org/repo.git"), commitStatus: "ctx", uid: "uid-1", ...token };
  const settings: Partial<Record<ProviderType, Partial<ProviderSettings>>> = {
    generic: { ...hook, headers: { "X-A": "b" } },
    "generic-hmac": { ...hook, secret: { token: "key" } },
    slack: { ...hook, ...token, channel: "general" },
    discord: { ...hook, channel: "general" },
    rocket: { ...hook, channel: "general" },
    msteams: hook,
    googlechat: hook,
    webex: { ...hook, ...token, channel: "room" },
    lark: hook,
    matrix: { address: server.url(""), channel: "!room:example.org", ...token },
    zulip: {
      address: server.url(""),
      channel: "stream/topic",
      secret: { username: "bot@x", password: "pw" },
    },
    grafana: { address: server.url("/api/annotations"), secret: { username: "u", password: "pw" } },
    alertmanager: { address: server.url("/api/v2/alerts"), ...token },
    opsgenie: { address: server.url("/v2/alerts"), ...token },
    pagerduty: { address: server.url(""), channel: "routing" },
    datadog: { address: server.url(""), ...token },
    sentry: { address: server.url("/base/7").replace("//", "//key:sec@"), channel: "prod" },
    otel: {
      address: server.url("/v1/traces"),
      headers: { "X-A": "b" },
      secret: { username: "u", password: "tok" },
    },
    gitlab: { ...repository, address: server.url("/org/sub/re.po.git") },
    bitbucketserver: { ...repository, address: server.url("/ctx/scm/proj/repo.git") },
  };
  return settings[type] ?? repository;
}

/** Members that are added on purpose. */
const additions: Partial<Record<ProviderType, readonly string[]>> = {
  matrix: ["m.mentions"],
  opsgenie: ["alias"],
};

describe.each([...new Set(requests.map(({ type }) => type))])("%s", (type) => {
  test.each(["info", "error"] as const)("sends what Flux sends for an event of %s", async (severity) => {
    answerAll();
    const message =
      severity === "info"
        ? "Deployment/default/podinfo configured\nService/default/podinfo created"
        : "timeout waiting";
    const reason = severity === "info" ? "ReconciliationSucceeded" : "HealthCheckFailed";
    const metadata = {
      revision: "main@sha1:5394cb7f48332b2de7c17dd8b8384bbc84b7e738",
      summary: "staging cluster",
      change_request: "42",
    };
    const sent = await server.deliver(type, {
      event: { severity, message, reason },
      notification: { metadata },
      settings: settingsOf(type),
    });
    const expected = requests.filter(
      (request) => request.type === type && request.severity === severity && !isOfLibrary(request.path),
    );
    expect(sent.map(shapeOf)).toEqual(expected.map(shapeOfFlux));
  });
});

/** What Gitea's library asks for itself. */
function isOfLibrary(path: string): boolean {
  return path === "/api/v1/version";
}

function answerAll(): void {
  const sha = "5394cb7f48332b2de7c17dd8b8384bbc84b7e738";
  const builds = `/ctx/rest/api/latest/projects/proj/repos/repo/commits/${sha}/builds`;
  server.answer(`GET ${builds}`, { status: 404 });
  server.answer("POST /api/v1/messages", { body: { result: "success" } });
  server.answer("GET /api/v3/user", { body: { login: "flux" } });
  server.answer("GET /api/v1/user", { body: { login: "flux" } });
  server.answer("GET /api/v4/user", { body: { username: "flux" } });
}

interface Shape {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

const comparedHeaders = [
  "authorization",
  "dd-api-key",
  "gotk-component",
  "private-token",
  "x-a",
  "x-atlassian-token",
  "x-requested-with",
  "x-signature",
];

function shapeOf(seen: SeenDelivery): Shape {
  const { pathname, searchParams } = new URL(seen.path, server.url(""));
  searchParams.delete("page");
  const query = Object.fromEntries(searchParams);
  const type = requests.find(({ path }) => path.split("?", 1)[0] === pathname)?.type;
  const body = seen.body.replaceAll(server.url(""), "http://flux.test");
  return {
    method: seen.method,
    path: pathname,
    query,
    headers: Object.fromEntries(comparedHeaders.map((name) => [name, seen.headers[name]])),
    body: comparable(body, seen.headers["content-type"] ?? "", additionsAt(type, pathname)),
  };
}

function additionsAt(type: ProviderType | undefined, path: string): readonly string[] {
  if (path.startsWith("/_matrix")) return additions["matrix"] ?? [];
  return type === undefined ? [] : (additions[type] ?? []);
}

function shapeOfFlux(request: FluxRequest): Shape {
  const { pathname, searchParams } = new URL(request.path, "http://flux.test");
  searchParams.delete("page");
  // GitHub has one order for the comments of one issue, whatever is asked for.
  if (request.type === "githubpullrequestcomment") {
    searchParams.delete("sort");
    searchParams.delete("direction");
  }
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, values]) => [name.toLowerCase(), values.join(", ")]),
  );
  const contentType = headers["content-type"] ?? "";
  return {
    method: request.method,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(comparedHeaders.map((name) => [name, headers[name]])),
    body: comparable(request.body, contentType.includes("sentry") ? "application/json" : contentType, []),
  };
}

/** A body without order among what Flux takes from a map, and without what differs from run to run. */
function comparable(body: string, contentType: string, added: readonly string[]): unknown {
  if (contentType.includes("form")) return Object.fromEntries(new URLSearchParams(body));
  if (contentType.includes("sentry")) return comparable(body.split("\n")[2] ?? "", "application/json", added);
  if (body === "") return "";
  return JSON.parse(body, (key, value: unknown) => {
    if (added.includes(key) || isOfRun.has(key)) return undefined;
    if (typeof value === "string") return enumNames.get(value) ?? decodeId(key, withSortedLines(value));
    return isOfMap.has(key) && Array.isArray(value)
      ? value.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1))
      : value;
  });
}

const isOfMap: ReadonlySet<string> = new Set(["attributes", "fields", "facts", "tags", "widgets"]);
/** Times and IDs that are made anew, and what Sentry's library says of itself and its machine. */
const isOfRun: ReadonlySet<string> = new Set([
  "endTimeUnixNano",
  "event_id",
  "platform",
  "server_name",
  "spanId",
  "span_id",
  "trace_id",
]);
const enumNames: ReadonlyMap<string, number> = new Map([
  ["SPAN_KIND_INTERNAL", 1],
  ["STATUS_CODE_OK", 1],
  ["STATUS_CODE_ERROR", 2],
]);

function decodeId(key: string, value: string): string {
  return key === "traceId" && value.endsWith("=") ? Buffer.from(value, "base64").toString("hex") : value;
}

/** Lines of metadata in a text, in order. */
function withSortedLines(text: string): string {
  const isLine = /^(?:>\*\*|- |(?:change_request|revision|summary): )/u;
  const lines = text.split("\n");
  const sorted = lines.filter((line) => isLine.test(line)).toSorted();
  return lines.map((line) => (isLine.test(line) ? (sorted.shift() ?? "") : line)).join("\n");
}
