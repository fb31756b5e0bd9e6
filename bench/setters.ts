import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { applySetters } from "../src/automation/setters/apply-setters.ts";
import type { SetterPolicies } from "../src/automation/setters/setter-value.ts";
import { type Command, measurePair, median, wallTimeMs } from "./process-pair.ts";
import { fairlead } from "./programs.ts";
import { formatMs, type BenchRow } from "./row.ts";

const unmarkedFiles = 20_000;
/** Looking through files without markers takes at most so many times as long as grep does. */
const grepBar = 3;
const pairs = 11;

const markedFiles = 2000;
/** That many files, all of which change, take at most this. */
const markedBarMs = 1000;
const runs = 9;

const fewKeys = 1000;
const manyKeys = 8000;
/** A key of a large mapping takes at most so many times as long as one of a small mapping. */
const linearBar = 1.5;
const rounds = 25;

/** Updates of trees and of one large file. */
export async function benchSetters(): Promise<BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "fairlead-bench-"));
  try {
    return [await benchUnmarked(folder), await benchMarked(folder), benchKeys()];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function benchUnmarked(folder: string): Promise<BenchRow> {
  const tree = path.join(folder, "unmarked");
  const text = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: plain\ndata:\n${"  key: a value of some length\n".repeat(32)}`;
  await writeTree(tree, unmarkedFiles, text);
  const objects = await writePolicy(path.join(folder, "policy"), "1.0.0");
  // grep ends with 1 where nothing matches.
  const grep: Command = { program: "sh", args: ["-c", `grep -rl '$imagepolicy' '${tree}' || true`] };
  const update = fairlead("update", tree, "--config", objects);
  const { firstMs, secondMs, ratio } = measurePair(update, grep, { warmUps: 2, pairs });
  return {
    what: "cold update, nothing marked",
    chart: `${unmarkedFiles} files of 1 kB`,
    fairlead: formatMs(firstMs),
    measured: `${ratio.toFixed(1)} times grep -rl (${formatMs(secondMs)})`,
    bar: `≤ ${grepBar.toFixed(1)}`,
    isMet: ratio <= grepBar,
  };
}

async function benchMarked(folder: string): Promise<BenchRow> {
  const padding = "    - { name: LEVEL, value: info } # keep\n".repeat(8);
  const text = `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: shop\nspec:\n  env:\n${padding}  image: ghcr.io/acme/shop:0 # {"$imagepolicy": "apps:shop"}\n`;
  const objects = await writePolicy(path.join(folder, "marked-policy"), "2.0.0");
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    // Each in a tree of its own: file systems take long to make files where many have just been replaced.
    const tree = path.join(folder, `marked${run}`);
    await writeTree(tree, markedFiles, text);
    times.push(wallTimeMs(fairlead("update", tree, "--config", objects)));
  }
  const ms = median(times);
  return {
    what: "cold update, everything changes",
    chart: `${markedFiles} files`,
    fairlead: formatMs(ms),
    measured: formatMs(ms),
    bar: `≤ ${formatMs(markedBarMs)}`,
    isMet: ms <= markedBarMs,
  };
}

function benchKeys(): BenchRow {
  const [few, many] = [textOf(fewKeys), textOf(manyKeys)];
  const times = Array.from(
    { length: rounds },
    () => [timeMs(few) / fewKeys, timeMs(many) / manyKeys] as const,
  );
  const counted = times.slice(5);
  const ratio = median(counted.map(([one, other]) => other / one));
  return {
    what: "warm update of one mapping",
    chart: `${manyKeys} marked keys`,
    fairlead: formatMs(median(counted.map(([, other]) => other)) * manyKeys),
    measured: `${ratio.toFixed(2)} times as long a key as with ${fewKeys}`,
    bar: `≤ ${linearBar.toFixed(1)}`,
    isMet: ratio <= linearBar,
  };
}

const policies: SetterPolicies = new Map([
  ["apps/shop", { latest: { name: "ghcr.io/acme/shop", tag: "v2", attributes: {} }, attributeNames: [] }],
]);

function textOf(keys: number): string {
  const lines = Array.from(
    { length: keys },
    (_, key) => `key${key}: v1 # {"$imagepolicy": "apps:shop:tag"}\n`,
  );
  return lines.join("");
}

function timeMs(text: string): number {
  const startMs = performance.now();
  applySetters(text, policies, "large.yaml");
  return performance.now() - startMs;
}

async function writeTree(tree: string, count: number, text: string): Promise<void> {
  for (let index = 0; index < count; index++) {
    const folder = path.join(tree, `folder${Math.floor(index / 100)}`);
    if (index % 100 === 0) await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, `file${index}.yaml`), text);
  }
}

/** A folder of objects with one policy that has chosen a tag. */
async function writePolicy(folder: string, tag: string): Promise<string> {
  const policy = {
    apiVersion: "image.toolkit.fluxcd.io/v1",
    kind: "ImagePolicy",
    metadata: { name: "shop", namespace: "apps" },
    spec: { imageRepositoryRef: { name: "shop" }, policy: { semver: { range: "*" } } },
    status: { latestRef: { name: "ghcr.io/acme/shop", tag } },
  };
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "policy.yaml"), JSON.stringify(policy));
  return folder;
}
