import { getEventListeners, once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createTempDir, type TempDir } from "../../../test/support/temp-dir.ts";
import { createLogger } from "../../core/log.ts";
import { parseEvent } from "../event/parse-event.ts";
import type { Clock } from "../../core/clock.ts";
import { createAddressGuard } from "../../core/address-guard.ts";
import { createHttpTransport } from "../transport/http-transport.ts";
import { openEventQueue } from "./event-queue.ts";
import { type EventRecorder, type EventRecorderOptions, openEventRecorder } from "./event-recorder.ts";
import type { PostOutcome } from "./event-post.ts";
import type { KubernetesEvent } from "./kubernetes-event.ts";
import type { Occurrence, RecordedObject } from "./recorded-object.ts";

let folder: TempDir;
let server: Server;
let url = "";
/** What the server gets, and what it answers, the last one from then on. */
let bodies: string[] = [];
let answers: number[] = [];
const lines: string[] = [];
const outcomes: PostOutcome[] = [];
const kubernetesEvents: KubernetesEvent[] = [];
/** How long was waited between attempts; nobody waits. */
const waits: number[] = [];
let opened: EventRecorder[] = [];

const clock: Clock = {
  nowMs: () => Date.UTC(2026, 10, 22, 8),
  after: (delayMs, callback) => {
    waits.push(delayMs);
    const immediate = setImmediate(callback);
    return () => clearImmediate(immediate);
  },
};

beforeEach(async () => {
  folder = await createTempDir("recorder");
  for (const list of [lines, outcomes, kubernetesEvents, waits]) list.length = 0;
  [bodies, answers, opened] = [[], [], []];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      bodies.push(Buffer.concat(chunks).toString());
      const status = answers.length > 1 ? answers.shift() : answers[0];
      if (status === 0) request.socket.destroy();
      else response.writeHead(status ?? 202).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterEach(async () => {
  for (const recorder of opened) await recorder.close().catch(() => undefined);
  server.closeAllConnections();
  server.close();
  await folder.remove();
});

async function open(options: Partial<EventRecorderOptions> = {}): Promise<EventRecorder> {
  const recorder = await openEventRecorder({
    url,
    transport: createHttpTransport({ guard: createAddressGuard({ allowLoopback: true }), timeoutMs: 5000 }),
    reporter: { controller: "sample-controller", instance: "sample-instance" },
    logger: createLogger({ level: "info", format: "text", write: (line) => lines.push(line) }),
    kubernetesEvents: { record: (event) => kubernetesEvents.push(event) },
    onOutcome: (outcome) => outcomes.push(outcome),
    clock,
    ...options,
  });
  opened.push(recorder);
  return recorder;
}

const object: RecordedObject = {
  apiVersion: "helm.toolkit.fluxcd.io/v2",
  kind: "HelmRelease",
  namespace: "apps",
  name: "podinfo",
  annotations: {},
};
const occurrence = (message: string): Occurrence => ({ type: "Normal", reason: "Test", message });
const messages = (): string[] => bodies.map((body) => parseEvent(Buffer.from(body)).message);

interface Sample {
  readonly name: string;
  readonly object: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: Partial<RecordedObject>;
  };
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

function readSample(name: string): string {
  return readFileSync(new URL(`../../../test/conformance/notification/${name}`, import.meta.url), "utf8");
}

describe("as Flux's recorder", () => {
  const samples = JSON.parse(readSample("samples.json")) as readonly Sample[];
  const requests = readSample("requests.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly body?: string; readonly kubernetes: KubernetesEvent });

  test.each(samples.map((sample, index) => [sample.name, sample, requests[index]] as const))(
    "%s",
    async (_name, { object: manifest, type, reason, message, annotations }, expected) => {
      const recorder = await open();
      const { apiVersion, kind, metadata } = manifest;
      const { name = "", namespace = "", annotations: own = {}, ...ids } = metadata;
      const known = ["Normal", "Warning", "Trace"].find((word) => word === type) ?? "Normal";
      recorder.record(
        { apiVersion, kind, namespace, name, ...ids, annotations: own },
        { type: known as Occurrence["type"], reason, message, metadata: annotations },
      );
      await recorder.flush();
      expect(bodies).toEqual(expected?.body === undefined ? [] : [expected.body]);
      const [event] = kubernetesEvents;
      expect({ ...event?.annotations }).toEqual(expected?.kubernetes.annotations ?? {});
      expect(event).toMatchObject({ reason, message });
      expect(event?.type).toBe(type === "Anything" ? "Normal" : expected?.kubernetes.type);
    },
  );
});

describe("what the server answers", () => {
  test.each<[answers: readonly number[], posts: number, kinds: readonly string[]]>([
    [[200], 1, ["sent"]],
    [[429], 1, ["duplicate"]],
    [[400], 1, ["refused"]],
    [[413], 1, ["refused"]],
    [[501], 1, ["refused"]],
    [[301], 1, ["refused"]],
    [[500, 503, 0, 202], 4, ["sent"]],
    [[500], 5, ["failed"]],
  ])("%j", async (given, posts, kinds) => {
    answers = [...given];
    const recorder = await open({ maxAttempts: 5 });
    recorder.record(object, occurrence("a"));
    await recorder.flush();
    expect(bodies).toHaveLength(posts);
    expect(outcomes.map(({ kind }) => kind)).toEqual(kinds);
    expect(waits).toEqual([1000, 2000, 4000, 8000].slice(0, posts - 1));
  });

  test("keeps the order where one fails", async () => {
    answers = [500, 202];
    const recorder = await open();
    for (const message of ["a", "b", "c"]) recorder.record(object, occurrence(message));
    await recorder.flush();
    expect(messages()).toEqual(["a", "a", "b", "c"]);
  });
});

describe("the queue", () => {
  test("survives the process", async () => {
    const file = join(folder.path, "events.db");
    answers = [503];
    const first = await open({ file });
    first.record(object, occurrence("a"));
    first.record(object, occurrence("b"));
    await first.close();
    answers = [202];
    bodies = [];
    const second = await open({ file });
    second.record(object, occurrence("c"));
    await second.flush();
    expect(messages()).toEqual(["a", "b", "c"]);
  });

  test("may be emptied by another process", async () => {
    const file = join(folder.path, "events.db");
    answers = [503];
    const recorder = await open({ file });
    recorder.record(object, occurrence("a"));
    await expect.poll(() => bodies.length).toBeGreaterThan(0);
    const other = await openEventQueue(file);
    other.remove(other.first()?.id ?? 0);
    other.close();
    await recorder.flush();
    expect(outcomes).toEqual([]);
  });

  test("is bounded", async () => {
    const recorder = await open({ maxQueued: 2 });
    for (const message of ["a", "b", "c"]) recorder.record(object, occurrence(message));
    await recorder.flush();
    expect(messages()).toEqual(["a", "b"]);
    expect(lines).toEqual(['error: an event is dropped reason="the queue is full"']);
  });

  test("does not take what the server would not", async () => {
    const recorder = await open();
    recorder.record(object, occurrence("x".repeat(3 * 1024 * 1024)));
    await recorder.flush();
    expect(bodies).toEqual([]);
    expect(outcomes).toEqual([{ kind: "refused", reason: "it is larger than 3145728 bytes" }]);
  });

  test("is left when somebody wants to wait no longer", async () => {
    answers = [503];
    const recorder = await open();
    recorder.record(object, occurrence("a"));
    const stop = new AbortController();
    const flushed = recorder.flush(stop.signal);
    stop.abort();
    await expect(flushed).rejects.toThrow(expect.objectContaining({ code: "aborted" }));
  });
});

test("what waits leaves nothing behind", async () => {
  const listening = vi.spyOn(AbortSignal.prototype, "addEventListener");
  onTestFinished(() => listening.mockRestore());
  answers = [...Array.from({ length: 20 }, () => 500), 202];
  const recorder = await open();
  const { signal } = new AbortController();
  recorder.record(object, occurrence("a"));
  await recorder.flush(signal);
  const left = listening.mock.contexts.map((each) => getEventListeners(each as AbortSignal, "abort").length);
  expect(listening.mock.calls.length).toBeGreaterThan(20);
  expect(Math.max(...left)).toBeLessThan(2);
});

test("nothing that is wrong reaches the caller", async () => {
  const recorder = await open({
    kubernetesEvents: {
      record: () => {
        throw new Error("no cluster");
      },
    },
  });
  recorder.record(object, occurrence("a"));
  expect(lines).toEqual(['error: unable to record event error="no cluster"']);
});

test("without a server events are Kubernetes Events alone", async () => {
  const recorder = await open({ url: undefined });
  recorder.record(object, occurrence("a"));
  await recorder.flush();
  expect(kubernetesEvents).toHaveLength(1);
  expect(bodies).toEqual([]);
});
