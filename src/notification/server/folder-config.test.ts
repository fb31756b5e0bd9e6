import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { alert, fluxObjects } from "../../../test/support/flux-objects.ts";
import { createTempDir, type TempDir } from "../../../test/support/temp-dir.ts";
import { createLogger } from "../../core/log.ts";
import { FolderConfig } from "./folder-config.ts";

const waitMs = { timeout: 10_000, interval: 5 };
const spec = { providerRef: { name: "hook" }, eventSources: [{ kind: "GitRepository", name: "*" }] };
const log = createLogger({ level: "error", format: "text", write: () => undefined });

describe("the objects of a folder", () => {
  let temporary: TempDir;
  let folder: string;
  let config: FolderConfig | undefined;
  let loaded: readonly string[];
  let failures: number;

  beforeEach(async () => {
    temporary = await createTempDir("folder-config");
    folder = path.join(temporary.path, "objects");
    await mkdir(folder);
    await replace("first");
  });

  afterEach(async () => {
    await config?.stop();
    await temporary.remove();
  });

  async function start(pollMs: number): Promise<void> {
    failures = 0;
    config = new FolderConfig({ paths: [folder], pollMs, onDiagnostics: () => undefined, log });
    await config.start({
      loaded: async ({ alerts }) => {
        loaded = [...alerts.keys()];
        return Promise.resolve();
      },
      failed: () => void failures++,
    });
  }

  /** Puts another file in the place of the one that there is, as editors do. */
  async function replace(name: string): Promise<void> {
    const written = path.join(temporary.path, "written");
    await writeFile(written, fluxObjects([alert({ name, namespace: "apps" }, spec)]));
    await rename(written, path.join(folder, "a.json"));
  }

  test("a file that is replaced again and again is seen before anybody looks", async () => {
    await start(60_000);
    expect(loaded).toEqual(["apps/first"]);
    for (const name of ["second", "third"]) {
      await replace(name);
      await expect.poll(() => loaded, waitMs).toEqual([`apps/${name}`]);
    }
  });

  test("a folder that is gone is told once, and leaves all as it is until it is back", async () => {
    await start(20);
    await rm(folder, { recursive: true });
    await expect.poll(() => failures, waitMs).toBe(1);
    await sleep(200);
    expect([failures, loaded]).toEqual([1, ["apps/first"]]);
    await mkdir(folder);
    await replace("second");
    await expect.poll(() => loaded, waitMs).toEqual(["apps/second"]);
  });
});
