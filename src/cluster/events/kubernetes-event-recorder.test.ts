import { beforeEach, describe, expect, test } from "vitest";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { type ErrorCode, FairleadError } from "../../core/error.ts";
import { createLogger } from "../../core/log.ts";
import type { KubernetesEvent } from "../../notification/recorder/kubernetes-event.ts";
import type { Patch } from "../api/api-client.ts";
import type { ApiObject, ObjectName, ResourceType } from "../api/api-object.ts";
import { KubernetesEventRecorder } from "./kubernetes-event-recorder.ts";

interface StoredEvent extends ApiObject {
  readonly message: string;
  readonly count: number;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
}

/** What the next requests fail of; `lost`: it is done, and the answer does not come. */
type Fault = ErrorCode | FairleadError | "lost" | undefined;

/** What another attempt may not fail of. */
const passing: ReadonlySet<Fault> = new Set<Fault>([
  "upstream-unreachable",
  "upstream-failed",
  "timeout",
  "credentials-invalid",
  "object-conflict",
]);

class StandInApi {
  readonly events = new Map<string, StoredEvent>();
  readonly requests: string[] = [];
  faults: Fault[] = [];
  /** What all requests fail of, once there are no others. */
  fault: Fault = undefined;
  /** Requests wait for it. */
  gate: Promise<void> = Promise.resolve();

  async create<Item extends ApiObject>(_type: ResourceType, object: object): Promise<Item> {
    const event = object as StoredEvent;
    return this.#answer("create", () => {
      const key = `${event.metadata.namespace}/${event.metadata.name}`;
      if (this.events.has(key)) throw new FairleadError("object-conflict", "there is one");
      this.events.set(key, event);
      return event;
    });
  }

  async patch<Item extends ApiObject>(_type: ResourceType, name: ObjectName, patch: Patch): Promise<Item> {
    return this.#answer("patch", () => {
      const key = `${name.namespace}/${name.name}`;
      const event = this.events.get(key);
      if (event === undefined) throw new FairleadError("object-missing", "there is none");
      const changed = Object.assign({ ...event }, patch.body);
      this.events.set(key, changed);
      return changed;
    });
  }

  get stored(): readonly StoredEvent[] {
    return [...this.events.values()];
  }

  async #answer<Item extends ApiObject>(verb: string, act: () => ApiObject): Promise<Item> {
    this.requests.push(verb);
    await this.gate;
    const fault = this.faults.length > 0 ? this.faults.shift() : this.fault;
    if (fault instanceof FairleadError) throw fault;
    if (fault !== undefined && fault !== "lost")
      throw new FairleadError(fault, "a fault", { retryable: passing.has(fault) });
    const object = act();
    if (fault === "lost") throw new FairleadError("timeout", "no answer", { retryable: true });
    return object as Item;
  }
}

let clock: FakeClock;
let api: StandInApi;
let lines: string[];
let recorder: KubernetesEventRecorder;

beforeEach(() => {
  clock = new FakeClock(Date.parse("2026-08-01T10:00:00.250Z"));
  api = new StandInApi();
  lines = [];
  recorder = new KubernetesEventRecorder({
    api,
    reporter: { controller: "image-reflector-controller", instance: "image-reflector-0" },
    log: createLogger({ level: "debug", format: "text", write: (line) => lines.push(line) }),
    clock,
    random: () => 0.5,
  });
});

const policy = {
  apiVersion: "image.toolkit.fluxcd.io/v1",
  kind: "ImagePolicy",
  namespace: "apps",
  name: "podinfo",
  uid: "7a1f",
  resourceVersion: "12",
};

function event(changes: Partial<KubernetesEvent> = {}): KubernetesEvent {
  return {
    involvedObject: policy,
    type: "Normal",
    reason: "Succeeded",
    message: "found 3 tags",
    annotations: {},
    ...changes,
  };
}

function many(from: number, to: number): readonly KubernetesEvent[] {
  return Array.from({ length: to - from }, (_, index) =>
    event({ message: `message ${from + index}`, annotations: { "a/b": `${index}` } }),
  );
}

function reasons(count: number): readonly KubernetesEvent[] {
  return Array.from({ length: count }, (_, index) => event({ reason: `Reason${index}` }));
}

async function record(...events: readonly KubernetesEvent[]): Promise<void> {
  for (const each of events) {
    recorder.record(each);
    await clock.advance(0);
  }
}

describe("an event", () => {
  test("is written as client-go's recorder writes it", async () => {
    const annotations = { "image.toolkit.fluxcd.io/revision": "6.9.0" };
    recorder.record(event({ annotations }));
    expect(api.requests).toEqual([]);
    expect(await recorder.flush(1000)).toBe(true);
    const nanoseconds = (BigInt(clock.nowMs()) * 1_000_000n).toString(16);
    expect(api.stored).toEqual([
      {
        apiVersion: "v1",
        kind: "Event",
        metadata: { name: `podinfo.${nanoseconds}`, namespace: "apps", annotations },
        involvedObject: policy,
        type: "Normal",
        reason: "Succeeded",
        message: "found 3 tags",
        firstTimestamp: "2026-08-01T10:00:00Z",
        lastTimestamp: "2026-08-01T10:00:00Z",
        count: 1,
        source: { component: "image-reflector-controller" },
        reportingComponent: "image-reflector-controller",
        reportingInstance: "image-reflector-0",
      },
    ]);
    expect(nanoseconds).toHaveLength(16);
  });

  test.each<[what: string, changes: Partial<KubernetesEvent>, expected: object]>([
    [
      "of an object without a namespace is in default",
      { involvedObject: { kind: "Namespace", namespace: "", name: "apps" } },
      { metadata: { namespace: "default" }, involvedObject: { kind: "Namespace", name: "apps" } },
    ],
    [
      "has no longer name than objects may have",
      { involvedObject: { ...policy, name: `${"a".repeat(235)}.${"b".repeat(17)}` } },
      { metadata: { name: expect.stringMatching(/^a{235}\.[0-9a-f]{16}$/u) as string } },
    ],
    [
      "has a message of at most 1024 bytes, cut between characters",
      { message: "é".repeat(600) },
      { message: `${"é".repeat(510)}…` },
    ],
    ["may be a warning", { type: "Warning" }, { type: "Warning" }],
  ])("%s", async (_what, changes, expected) => {
    await record(event(changes));
    expect(api.stored).toHaveLength(1);
    expect(api.stored[0]).toMatchObject(expected);
  });

  test("that is one of several at once has a name of its own", async () => {
    for (const message of ["a", "b", "c"]) recorder.record(event({ message }));
    await recorder.flush(1000);
    expect(api.stored.map(({ message }) => message)).toEqual(["a", "b", "c"]);
    expect(api.requests).toEqual(["create", "create", "create"]);
  });
});

describe("what happens again", () => {
  test("is counted in one event", async () => {
    await record(event());
    await clock.advance(90_000);
    await record(event(), event());
    expect(api.requests).toEqual(["create", "patch", "patch"]);
    expect(api.stored).toMatchObject([
      { count: 3, firstTimestamp: "2026-08-01T10:00:00Z", lastTimestamp: "2026-08-01T10:01:30Z" },
    ]);
  });

  test("while it waits is sent once", async () => {
    for (let index = 0; index < 20; index++) recorder.record(event());
    await recorder.flush(1000);
    expect(api.requests).toEqual(["create"]);
    expect(api.stored).toMatchObject([{ count: 20 }]);
  });

  test("while it is sent is sent once more", async () => {
    const open = Promise.withResolvers<void>();
    api.gate = open.promise;
    await record(event(), event(), event());
    expect(api.requests).toEqual(["create"]);
    open.resolve();
    await recorder.flush(1000);
    expect(api.requests).toEqual(["create", "patch"]);
    expect(api.stored).toMatchObject([{ count: 3 }]);
  });

  test.each<[what: string, changes: Partial<KubernetesEvent>]>([
    ["another reason", { reason: "Failed" }],
    ["another type", { type: "Warning" }],
    ["another message", { message: "found 4 tags" }],
    ["another object", { involvedObject: { ...policy, name: "other" } }],
    ["another object of the same name", { involvedObject: { ...policy, uid: "8b2e" } }],
    ["another kind", { involvedObject: { ...policy, kind: "ImageRepository" } }],
  ])("is not %s", async (_what, changes) => {
    await record(event(), event(changes));
    expect(api.stored.map(({ count }) => count)).toEqual([1, 1]);
  });

  test("to an object of another version is the same", async () => {
    await record(event(), event({ involvedObject: { ...policy, resourceVersion: "13" } }));
    expect(api.stored.map(({ count }) => count)).toEqual([2]);
  });

  test.each<Fault>(["object-missing", "object-conflict"])(
    "makes another event where the one before says %s",
    async (fault) => {
      await record(event());
      api.faults = [fault];
      api.events.clear();
      await record(event());
      await record(event());
      expect(api.requests).toEqual(["create", "patch", "create", "patch"]);
      expect(api.stored).toMatchObject([{ count: 3, firstTimestamp: "2026-08-01T10:00:00Z" }]);
    },
  );
});

describe("what is much alike", () => {
  test("is combined from the tenth on", async () => {
    await record(...many(0, 12));
    const messages = many(0, 9).map(({ message }) => message);
    expect(api.stored.map(({ message }) => message)).toEqual([
      ...messages,
      "(combined from similar events): message 11",
    ]);
    expect(api.stored.at(-1)).toMatchObject({ count: 3 });
    expect(api.stored.at(-1)?.metadata).not.toHaveProperty("annotations");
  });

  test.each<[minutes: number, combined: number]>([
    [10, 1],
    [10.1, 0],
  ])("%d minutes after the last one: %d combined", async (minutes, combined) => {
    await record(...many(0, 9));
    await clock.advance(minutes * 60_000);
    await record(...many(9, 10));
    expect(api.stored.filter(({ message }) => message.startsWith("(combined")).length).toBe(combined);
  });
});

describe("of one object", () => {
  test("at most 25 events go out at once, and then one in five minutes", async () => {
    await record(...reasons(30));
    expect(api.stored).toHaveLength(25);
    await record(event({ involvedObject: { ...policy, name: "other" } }));
    expect(api.stored).toHaveLength(26);
    await clock.advance(5 * 60_000);
    await record(event({ reason: "Later" }), event({ reason: "Latest" }));
    expect(api.stored).toHaveLength(27);
    expect(recorder.dropped).toBe(0);
    expect(lines.filter((line) => line.startsWith("debug: an object has too many events"))).toHaveLength(6);
  });

  test("what was not sent is told when it happens again", async () => {
    await record(...reasons(26));
    await clock.advance(5 * 60_000);
    await record(event({ reason: "Reason25" }));
    expect(api.stored.at(-1)).toMatchObject({ reason: "Reason25", count: 2 });
    expect(api.requests).not.toContain("patch");
  });
});

describe("a server", () => {
  test("that cannot be reached is asked again, at first after a part of the time", async () => {
    api.faults = ["upstream-unreachable", "timeout", "upstream-failed"];
    await record(event(), event({ message: "next" }));
    expect(api.requests).toHaveLength(1);
    await clock.advance(4_999);
    expect(api.requests).toHaveLength(1);
    await clock.advance(1);
    expect(api.requests).toHaveLength(2);
    await clock.advance(20_000);
    expect(api.stored.map(({ message }) => message)).toEqual(["found 3 tags", "next"]);
  });

  test("that stays away is given up after twelve attempts", async () => {
    api.fault = "upstream-unreachable";
    await record(event());
    await clock.advance(10 * 60_000);
    expect(api.requests).toHaveLength(12);
    expect(recorder.dropped).toBe(1);
    expect(lines.at(-1)).toMatch(/^warn: an event is dropped .*why="a fault"/u);
    api.fault = undefined;
    await record(event());
    expect(api.stored).toMatchObject([{ count: 2 }]);
  });

  test("whose answer is lost is not told twice", async () => {
    api.faults = ["lost"];
    await record(event());
    await record(event());
    await clock.advance(10_000);
    expect(api.stored).toMatchObject([{ count: 2 }]);
    expect(api.requests).toEqual(["create", "create", "patch", "patch"]);
  });

  test.each<[string, Fault]>([
    [
      "has just come back and denies access",
      new FairleadError("access-denied", "not yet", { retryable: true }),
    ],
    ["is not asked, as the token cannot be read,", "credentials-invalid"],
  ])("that %s is asked again", async (_name, fault) => {
    api.faults = [fault];
    await record(event());
    await clock.advance(5_000);
    expect(api.stored).toHaveLength(1);
  });

  test("that has an event of this name gets another", async () => {
    api.faults = ["object-conflict"];
    await record(event());
    expect(api.requests).toEqual(["create", "create"]);
    expect(api.stored).toHaveLength(1);
  });

  test.each<[code: ErrorCode, level: string]>([
    ["object-missing", "debug"],
    ["access-denied", "warn"],
    ["object-invalid", "warn"],
    ["internal", "warn"],
  ])("that says %s is not asked again", async (code, level) => {
    api.fault = code;
    await record(event());
    await clock.advance(60_000);
    expect(api.requests).toEqual(["create"]);
    expect(lines).toEqual([
      `${level}: an event is dropped kind=ImagePolicy object=apps/podinfo reason=Succeeded why="a fault"`,
    ]);
  });

  test("that is away does not fill the memory", async () => {
    api.fault = "upstream-unreachable";
    for (let index = 0; index < 1500; index++) {
      recorder.record(event({ involvedObject: { ...policy, name: `policy-${index}` } }));
    }
    await clock.advance(0);
    expect(recorder.dropped).toBe(500);
    expect(lines.filter((line) => line.startsWith("warn"))).toHaveLength(1);
    api.fault = undefined;
    await clock.advance(10_000);
    // Whatever is being sent is no longer one that waits.
    expect(api.stored).toHaveLength(1000);
    expect(api.stored.at(-1)?.metadata.name).toMatch(/^policy-1499\./u);
  });
});

describe("at the end", () => {
  test("nobody waits longer than they want to", async () => {
    api.fault = "upstream-unreachable";
    await record(event());
    const flushed = recorder.flush(2000);
    await clock.advance(2000);
    expect(await flushed).toBe(false);
    await recorder.close();
    await record(event({ message: "later" }));
    expect(api.requests).toHaveLength(1);
  });

  test("what is sent in this moment counts as waiting", async () => {
    const open = Promise.withResolvers<void>();
    api.gate = open.promise;
    recorder.record(event());
    const flushed = recorder.flush(1000);
    await clock.advance(1000);
    expect(await flushed).toBe(false);
    open.resolve();
    expect(await recorder.flush(1000)).toBe(true);
    expect(await recorder.flush(1000)).toBe(true);
  });
});
