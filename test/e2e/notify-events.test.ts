import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseEvent } from "../../src/notification/event/parse-event.ts";
import { runInProcess } from "../support/cli.ts";
import { startHttpServer, type TestServer } from "../support/http-server.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";

let folder: TempDir;
let server: TestServer;
let status = 202;
const bodies: Buffer[] = [];

const release = `
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: podinfo
  namespace: flux-system
  annotations:
    event.toolkit.fluxcd.io/deploymentID: e076e315-5a48-41c3-81c8-8d8bdee7d74d
`;

const config = `
apiVersion: notification.toolkit.fluxcd.io/v1beta3
kind: Provider
metadata: {name: slack, namespace: flux-system}
spec: {type: slack, channel: general, secretRef: {name: slack}}
---
apiVersion: v1
kind: Secret
metadata: {name: slack, namespace: flux-system}
stringData: {address: "https://hooks.example.com/services/T0/B0/topsecret"}
---
apiVersion: notification.toolkit.fluxcd.io/v1beta3
kind: Alert
metadata: {name: all, namespace: flux-system}
spec:
  providerRef: {name: slack}
  eventMetadata: {deploymentID: cluster}
  eventSources: [{kind: HelmRelease, name: '*'}]
---
apiVersion: notification.toolkit.fluxcd.io/v1
kind: Alert
metadata: {name: next, namespace: flux-system}
spec: {providerRef: {name: slack}, summary: x1, eventSources: [{kind: HelmRelease, name: '*'}]}
`;

const words = ["--reason", "Deployed", "--message", "done"];
const fileOf = (name: string): string => path.join(folder.path, name);
const send = async (...args: readonly string[]): ReturnType<typeof runInProcess> =>
  runInProcess("fairlead", ["notify", "send", "-f", fileOf("release.yaml"), ...words, ...args]);

beforeAll(async () => {
  folder = await createTempDir("notify");
  await writeFile(fileOf("release.yaml"), release);
  await writeFile(fileOf("config.yaml"), config);
  server = await startHttpServer((request, response) => {
    request.on("data", (chunk: Buffer) => bodies.push(chunk));
    request.on("end", () => response.writeHead(status).end());
  });
});

afterAll(async () => {
  await server.stop();
  await folder.remove();
});

describe("notify send", () => {
  test("prints an event with the annotations of its object", async () => {
    const { exitCode, stdout, stderr } = await send("--metadata", "helm.toolkit.fluxcd.io/revision=6.5.0");
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(parseEvent(Buffer.from(stdout))).toMatchObject({
      involvedObject: { kind: "HelmRelease", namespace: "flux-system", name: "podinfo" },
      severity: "info",
      metadata: {
        "event.toolkit.fluxcd.io/deploymentID": "e076e315-5a48-41c3-81c8-8d8bdee7d74d",
        "helm.toolkit.fluxcd.io/revision": "6.5.0",
      },
    });
  });

  test.each<[status: number, exitCode: number, told: string]>([
    [202, 0, ""],
    [429, 0, "warn: the server has had this event already\n"],
    [400, 1, "error: the event is not sent: the server answers 400\n"],
  ])("ends after %i with %i", async (given, expected, told) => {
    status = given;
    bodies.length = 0;
    const { exitCode, stdout, stderr } = await send("--severity", "error", "--to", server.url);
    expect([exitCode, stdout, stderr]).toEqual([expected, "", told]);
    expect(parseEvent(Buffer.concat(bodies))).toMatchObject({ severity: "error", message: "done" });
  });

  test("sends no trace", async () => {
    const { exitCode, stderr } = await send("--severity", "trace", "--to", server.url);
    expect([exitCode, stderr]).toEqual([0, "warn: traces are not sent severity=trace\n"]);
  });

  test.each<[name: string, manifest: string, args: readonly string[], told: RegExp]>([
    ["two objects", `${release}---${release}`, [], /holds 2 objects instead of one/u],
    [
      "no namespace",
      "{apiVersion: v1, kind: Node, metadata: {name: a}}",
      [],
      /metadata.namespace is required/u,
    ],
    ["no kind", "{apiVersion: v1, metadata: {name: a, namespace: b}}", [], /kind is required/u],
    ["wrong metadata", release, ["--metadata", "x"], /--metadata must be KEY=VALUE/u],
    ["another URL", release, ["--to", "ftp://secret@host"], /--to must be a URL with http or https/u],
  ])("refuses %s", async (_name, manifest, args, told) => {
    const given = ["notify", "send", "-f", "-", ...words, ...args];
    const { exitCode, stdout, stderr } = await runInProcess("fairlead", given, Buffer.from(manifest));
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(told);
    expect(stderr).not.toContain("secret");
  });
});

describe("notify explain", () => {
  test("tells what would be sent, and no secret", async () => {
    const event = Buffer.from((await send()).stdout);
    const given = ["notify", "explain", "-f", "-", "--config", fileOf("config.yaml")];
    const text = await runInProcess("fairlead", given, event);
    expect(text.exitCode).toBe(0);
    expect(text.stdout).toContain(
      "deploymentID = cluster  (Alert object .spec.eventMetadata, over involved object annotations)",
    );
    expect(text.stdout).toContain("POST https://hooks.example.com[redacted]");
    expect(text.stderr).toContain("spec.summary is no field of Alert v1");
    expect(text.stderr).toContain("use spec.eventMetadata.summary");
    const json = await runInProcess("fairlead", [...given, "--output", "json"], event);
    expect(JSON.parse(json.stdout)).toMatchObject({ alerts: [{ alert: "flux-system/all", isMatch: true }] });
    expect(text.stdout + text.stderr + json.stdout).not.toContain("topsecret");
  });

  test.each<[name: string, event: string, args: readonly string[], told: RegExp]>([
    ["no Alerts", "{}", [], /no Alerts are named/u],
    ["no event", "[]", ["--config", "."], /the event is no JSON object/u],
  ])("refuses %s", async (_name, event, args, told) => {
    const given = ["notify", "explain", "-f", "-", ...args];
    const { exitCode, stderr } = await runInProcess("fairlead", given, Buffer.from(event));
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(told);
  });
});
