import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type AciStore, openAciStore } from "../../src/imagespec/service/aci/aci-store.ts";
import { createRandom } from "../support/random.ts";
import { withTempDir } from "../support/temp-dir.ts";

const kills = 30;
const writers = 2;
const writer = path.join(import.meta.dirname, "../support/aci-store-writer.ts");

test(
  `a store whose ${writers} writers are killed ${kills} times holds what it says, and nothing else`,
  async () =>
    withTempDir(async (folder) => {
      const random = createRandom("kill");
      for (let round = 0; round < kills; round += 1) {
        const stored = await Promise.all(
          Array.from({ length: writers }, async (_, index) =>
            writeAndKill(folder, `w${round}x${index}`, 20 + random.below(150)),
          ),
        );
        const store = await openAciStore(folder);
        try {
          await check(store, folder);
          // What was told to be stored last is there: it is on disk when it is told.
          for (const line of stored.flat()) {
            const [tag = "", id = ""] = line.split(" ");
            expect(store.tryTag("x.example/top", tag)).toBe(id);
          }
        } finally {
          store.close();
        }
      }
    }),
  300_000,
);

/** Runs a writer for a while once it is ready, and gives the last line of it that nothing can have undone. */
async function writeAndKill(folder: string, seed: string, lifeMs: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [writer, folder, seed], { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  const output = createInterface(child.stdout);
  output.on("line", (line) => lines.push(line));
  const ended = once(child, "close");
  await once(output, "line");
  await sleep(lifeMs);
  child.kill("SIGKILL");
  await ended;
  return lines.filter((line) => line !== "ready").slice(-1);
}

async function check(store: AciStore, folder: string): Promise<void> {
  const images = store.images();
  const ids = images.map(({ id }) => id);
  expect((await readdir(path.join(folder, "images"))).toSorted()).toEqual(ids.toSorted());
  expect(await readdir(path.join(folder, "work"))).toHaveLength(1);
  for (const { id, imageBytes, dependencies, tags } of images) {
    const file = await store.openImage(id);
    const bytes = await file.readFile();
    await file.close();
    expect(`sha512-${createHash("sha512").update(bytes).digest("hex")}`).toBe(id);
    expect(bytes.length).toBe(imageBytes);
    for (const needed of dependencies) expect(ids).toContain(needed);
    expect(tags.length > 0 || images.some((image) => image.dependencies.includes(id))).toBe(true);
  }
}
