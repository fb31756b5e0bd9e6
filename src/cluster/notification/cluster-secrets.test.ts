import { expect, test } from "vitest";
import { FairleadError } from "../../core/error.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ObjectApi } from "../api/object-api.ts";
import { ClusterSecrets } from "./cluster-secrets.ts";

const name = { namespace: "apps", name: "chat" };

/** A cluster of one Secret; undefined: it is not there. */
function cluster(): {
  readonly secrets: ClusterSecrets;
  readonly asked: string[];
  readonly store: (data: Readonly<Record<string, string>> | undefined, version?: string) => void;
  readonly fail: (error: FairleadError) => void;
  readonly pass: (ms: number) => void;
} {
  let nowMs = 0;
  let stored: ApiObject | FairleadError | undefined;
  const asked: string[] = [];
  const get = async (_type: unknown, wanted: { readonly name: string }): Promise<ApiObject> => {
    asked.push(wanted.name);
    await Promise.resolve();
    if (stored instanceof FairleadError) throw stored;
    if (stored === undefined) throw new FairleadError("object-missing", "none");
    return stored;
  };
  return {
    // One object, whatever is asked for.
    secrets: new ClusterSecrets({ get: get as ObjectApi["get"] }, () => nowMs),
    asked,
    store: (data, version = "1") => {
      const metadata = { ...name, uid: "u", resourceVersion: version };
      stored = data === undefined ? undefined : ({ metadata, data } as ApiObject);
    },
    fail: (error) => void (stored = error),
    pass: (ms) => void (nowMs += ms),
  };
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

test("two thousand deliveries in a second are one GET", async () => {
  const { secrets, asked, store, pass } = cluster();
  store({ token: base64("a") });
  for (let index = 0; index < 20; index++) {
    const found = await Promise.all(Array.from({ length: 100 }, async () => secrets.get(name)));
    expect(found.every((secret) => String(secret?.data["token"]) === "a")).toBe(true);
    pass(50);
  }
  expect(asked).toEqual(["chat"]);
});

test("a rotated Secret is in force within ten seconds, at once for those who want it fresh", async () => {
  const { secrets, store, pass } = cluster();
  store({ token: base64("a") });
  await secrets.get(name);
  store({ token: base64("b") }, "2");
  expect(String((await secrets.get(name))?.data["token"])).toBe("a");
  pass(4_000);
  expect(String((await secrets.get(name))?.data["token"])).toBe("b");
  store({ token: base64("c") }, "3");
  expect(String((await secrets.getFresh(name))?.data["token"])).toBe("c");
  expect(String((await secrets.get(name))?.data["token"])).toBe("c");
});

test("one that has not changed is the same object", async () => {
  const { secrets, store, pass } = cluster();
  store({ token: base64("a") });
  const first = await secrets.get(name);
  pass(60_000);
  expect(await secrets.get(name)).toBe(first);
});

test("one that is not there, and then is", async () => {
  const { secrets, store, pass } = cluster();
  expect(await secrets.get(name)).toBeUndefined();
  store({ token: base64("a") });
  pass(4_000);
  expect(await secrets.get(name)).toBeDefined();
});

test("what cannot be read is told, and no value of it", async () => {
  const { secrets, store, fail, pass } = cluster();
  store({ token: "s3cret!" });
  const refused = await secrets.get(name).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "object-invalid" });
  expect(String(refused)).not.toContain("s3cret");
  pass(1_000);
  const unreachable = new FairleadError("upstream-unreachable", "no", { retryable: true });
  fail(unreachable);
  await expect(secrets.get(name)).rejects.toBe(unreachable);
});
