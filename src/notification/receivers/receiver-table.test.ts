import { beforeEach, expect, test } from "vitest";
import { FairleadError } from "../../core/error.ts";
import type { Secret } from "../../objects/secret.ts";
import type { SecretReader } from "../objects/notification-snapshot.ts";
import type { Receiver } from "../objects/receiver.ts";
import { ReceiverTable } from "./receiver-table.ts";
import { webhookPath } from "./webhook-path.ts";

const namespace = "apps";
const refreshMs = 5_000;
let nowMs: number;
let stored: Map<string, Secret>;
/** What reading throws. */
let failure: FairleadError | undefined;
let reads: number;
let table: ReceiverTable;

const secrets: SecretReader = {
  get: async ({ name }) => {
    reads += 1;
    await Promise.resolve();
    if (failure !== undefined) throw failure;
    return stored.get(name);
  },
};

beforeEach(() => {
  nowMs = 0;
  stored = new Map();
  failure = undefined;
  reads = 0;
  table = new ReceiverTable(() => nowMs);
});

function meta(name: string): Receiver["meta"] {
  return { namespace, name, labels: {}, annotations: {}, generation: 1, where: {} };
}

function receiver(name: string): Receiver {
  const spec = {
    type: "generic",
    intervalMs: 600_000,
    events: [],
    resources: [],
    secretRef: { name },
    oidcProviders: [],
    suspend: false,
  } as const;
  return { kind: "Receiver", meta: meta(name), spec };
}

function store(name: string, token: string): void {
  stored.set(name, { kind: "Secret", meta: meta(name), type: "Opaque", data: { token: Buffer.from(token) } });
}

async function load(...all: readonly Receiver[]): Promise<readonly string[]> {
  const receivers = new Map(all.map((each) => [`${namespace}/${each.meta.name}`, each]));
  return (await table.load({ receivers, secrets })).map(
    ({
      receiver: {
        meta: { name },
      },
    }) => name,
  );
}

async function found(token: string, name = "hook"): Promise<string | undefined> {
  return (await table.tryFind(webhookPath(token, name, namespace)))?.secret["token"];
}

test("a rotated token moves a Receiver, and the old path is none any more", async () => {
  store("hook", "old");
  await load(receiver("hook"));
  expect(await found("old")).toBe("old");
  store("hook", "new");
  expect(await found("old")).toBeUndefined();
  expect(await found("new")).toBe("new");
});

test("a new path is found before anybody has called the old one", async () => {
  store("hook", "old");
  await load(receiver("hook"));
  store("hook", "new");
  expect(await found("new")).toBe("new");
});

test("a Secret that comes makes a Receiver ready, and one that goes ends it", async () => {
  await load(receiver("hook"));
  expect(await found("t")).toBeUndefined();
  store("hook", "t");
  nowMs += refreshMs;
  expect(await found("t")).toBe("t");
  stored.clear();
  expect(await found("t")).toBeUndefined();
});

test("whoever calls paths that are none has Secrets read now and then, and never for what can be none", async () => {
  for (const name of ["a", "b", "c"]) store(name, name);
  await load(receiver("a"), receiver("b"), receiver("c"));
  reads = 0;
  for (let index = 0; index < 100; index++) {
    expect(await found(`guess ${index}`)).toBeUndefined();
    nowMs += 100;
  }
  expect(reads).toBe(3 * 2);
  nowMs += refreshMs;
  for (const path of ["/", "/hook/", "/hook/abc", `${webhookPath("x", "a", namespace)}/x`]) {
    expect(await table.tryFind(path)).toBeUndefined();
  }
  expect(reads).toBe(3 * 2);
});

test("those that have not changed are not prepared anew", async () => {
  const [first, second] = [receiver("a"), receiver("b")];
  store("a", "a");
  store("b", "b");
  expect(await load(first, second)).toEqual(["a", "b"]);
  reads = 0;
  expect(await load(first, { ...second })).toEqual(["b"]);
  expect(reads).toBe(1);
  expect(await load(first)).toEqual([]);
  expect(await found("b", "b")).toBeUndefined();
});

test("a Secret that cannot be read is no other Secret", async () => {
  store("hook", "t");
  await load(receiver("hook"));
  failure = new FairleadError("upstream-unreachable", "no", { retryable: true });
  await expect(found("t")).rejects.toBe(failure);
  expect(await found("other")).toBeUndefined();
  failure = undefined;
  expect(await found("t")).toBe("t");
});

test("one whose Secret could not be read at first is found later", async () => {
  store("hook", "t");
  failure = new FairleadError("upstream-unreachable", "no", { retryable: true });
  const [prepared] = await table.load({ receivers: new Map([["apps/hook", receiver("hook")]]), secrets });
  expect(prepared?.problem).toEqual({ reason: "TokenNotFound", message: "no" });
  failure = undefined;
  expect(await found("t")).toBe("t");
});
