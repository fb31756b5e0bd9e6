import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { run } from "../../core/process.ts";
import { createTempDir } from "../../../test/support/temp-dir.ts";
import { openState } from "./automation-state.ts";
import { sortTags, tagChecksum } from "./tag-list.ts";

const folder = await createTempDir("state");
let count = 0;
const freshFile = (): string => join(folder.path, `${count++}.db`);
const app = { namespace: "flux-system", name: "app" };
const ready = { type: "Ready", status: "True", reason: "Succeeded", message: "fine" } as const;

afterAll(() => folder.remove());

describe("the state", () => {
  test("keeps what is put, across processes", async () => {
    const file = freshFile();
    const first = await openState(file);
    const latestRef = { name: "img", tag: "1", attributes: { pr: "7" } };
    first.putStatus("ImagePolicy", app, { conditions: [ready], latestRef });
    first.putStatus("ImagePolicy", { ...app, name: "other" }, { conditions: [] });
    first.putTags(app, { conditions: [], canonicalImageName: "img" }, ["b", "a"]);
    first.close();
    const second = await openState(file, { readOnly: true });
    expect(second.status("ImagePolicy", app)).toEqual({ conditions: [ready], latestRef });
    expect(second.statuses("ImagePolicy").map(({ name }) => name)).toEqual(["app", "other"]);
    expect(second.status("ImageRepository", app)).toEqual({ conditions: [], canonicalImageName: "img" });
    expect(second.tags(app)).toEqual(["b", "a"]);
    expect(second.tags({ ...app, name: "none" })).toEqual([]);
    expect(second.status("ImageUpdateAutomation", app)).toBeUndefined();
    second.close();
  });

  test("replaces what was put, and forgets what nothing names", async () => {
    const state = await openState(undefined);
    state.putTags(app, { conditions: [] }, ["a"]);
    state.putTags(app, { conditions: [ready] }, []);
    expect(state.tags(app)).toEqual([]);
    state.putTags({ ...app, name: "gone" }, { conditions: [] }, ["a"]);
    state.putStatus("ImagePolicy", { ...app, name: "gone" }, { conditions: [] });
    state.prune("ImageRepository", [app]);
    expect(state.statuses("ImageRepository")).toEqual([{ ...app, status: { conditions: [ready] } }]);
    expect(state.tags({ ...app, name: "gone" })).toEqual([]);
    expect(state.statuses("ImagePolicy")).toHaveLength(1);
    state.close();
  });

  test("holds 100,000 tags in little space", async () => {
    const file = freshFile();
    const tags = sortTags(
      Array.from({ length: 100_000 }, (_, index) => `main-${index}-${(index * 7919) % 1e6}`),
    );
    const state = await openState(file);
    state.putTags(app, { conditions: [] }, tags);
    expect(state.tags(app)).toEqual(tags);
    state.close();
    expect((await stat(file)).size).toBeLessThan(1_000_000);
  });

  test("is shared by two processes", async () => {
    const file = freshFile();
    const states = [await openState(file), await openState(file)];
    for (let index = 0; index < 20; index++) {
      states[index % 2]?.putStatus("ImagePolicy", { ...app, name: `p${index}` }, { conditions: [] });
    }
    expect(states[0]?.statuses("ImagePolicy")).toHaveLength(20);
    for (const state of states) state.close();
  });

  test("survives a process that is killed while it writes", async () => {
    const file = freshFile();
    (await openState(file)).close();
    const script = `
      const { openState } = await import(${JSON.stringify(new URL("automation-state.ts", import.meta.url).href)});
      const state = await openState(process.argv[1]);
      for (let count = 0; ; count++) {
        state.putTags({ namespace: "n", name: "r" }, { conditions: [], canonicalImageName: String(count) },
          Array.from({ length: 500 }, (_, index) => count + "-" + index));
        if (count === 20) setTimeout(() => process.kill(process.pid, "SIGKILL"));
        if (count >= 20) await new Promise(setImmediate);
      }`;
    const killed = await run(process.execPath, ["--input-type=module", "-e", script, file]);
    expect(killed.exitCode).not.toBe(0);
    const state = await openState(file);
    const name = { namespace: "n", name: "r" };
    const written = state.status("ImageRepository", name)?.canonicalImageName ?? "";
    expect(Number(written)).toBeGreaterThanOrEqual(20);
    expect(state.tags(name)[0]).toBe(`${written}-0`);
    state.close();
  });
});

describe("a file is refused", () => {
  test.each<[name: string, make: (file: string) => Promise<void> | void, message: RegExp]>([
    [
      "of a newer fairlead",
      (file) => change(file, "PRAGMA user_version = 99"),
      /version 99, from a newer fairlead/u,
    ],
    [
      "of another program",
      (file) => change(file, "PRAGMA application_id = 7"),
      /database of something else/u,
    ],
    [
      "with tables and no name",
      (file) => sqlite(file, "CREATE TABLE other (a)"),
      /database of something else/u,
    ],
    [
      "that is no database",
      (file) => writeFile(file, "no database, and long enough to be one".repeat(100)),
      /not a database/u,
    ],
    ["that is a folder", (file) => mkdir(file), /unable to open/u],
  ])("%s", async (_name, make, message) => {
    const file = freshFile();
    await make(file);
    await expect(openState(file)).rejects.toThrow(message);
    await expect(openState(file)).rejects.toThrow(
      expect.objectContaining({ code: "state-invalid", where: { file } }),
    );
  });

  test("that is damaged", async () => {
    const file = freshFile();
    const state = await openState(file);
    state.putTags(
      app,
      { conditions: [] },
      sortTags(Array.from({ length: 5000 }, (_, index) => `tag-${index}`)),
    );
    state.close();
    const bytes = await readFile(file);
    bytes.fill(0xff, 8192);
    await writeFile(file, bytes);
    const damaged = await openState(file);
    expect(() => damaged.tags(app)).toThrow(expect.objectContaining({ code: "state-invalid" }));
    damaged.close();
  });

  test("that is not there, where it is only read", async () => {
    await expect(openState(freshFile(), { readOnly: true })).rejects.toThrow(
      expect.objectContaining({ code: "state-invalid" }),
    );
  });
});

test.each<[tags: readonly string[], checksum: string]>([
  // From Go's hash/adler32 over json.Marshal of the list.
  [[], "18153657"],
  [["v1.0.0", "latest"], "820446557"],
])("the checksum of %j", (tags, checksum) => {
  expect(tagChecksum(tags)).toBe(checksum);
});

async function change(file: string, sql: string): Promise<void> {
  (await openState(file)).close();
  sqlite(file, sql);
}

function sqlite(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

test("requests are kept by kind and object until the object is gone", async () => {
  const state = await openState(undefined);
  state.putRequest("ImageRepository", app, "1");
  state.putRequest("ImageRepository", app, "2");
  expect(state.request("ImageRepository", app)).toBe("2");
  expect(state.request("ImagePolicy", app)).toBeUndefined();
  state.prune("ImageRepository", []);
  expect(state.request("ImageRepository", app)).toBeUndefined();
  state.close();
});
