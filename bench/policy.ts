import { spawnSync } from "node:child_process";
import path from "node:path";
import { selectLatest, type SelectionSpec } from "../src/automation/policy/select-latest.ts";
import { FairleadError } from "../src/core/error.ts";
import { withTempDir } from "../test/support/temp-dir.ts";
import { median, timesOf } from "./process-pair.ts";
import { formatMs, type BenchRow } from "./row.ts";

const tagCount = 10_000;
/** A policy takes at most this many times as long as Flux's rules in Go. */
const bar = 2;
const warmUps = 20;
const pairs = 15;
const roundsOfPair = 5;

interface Kind {
  readonly name: string;
  readonly spec: SelectionSpec;
  readonly tagAt: (index: number) => string;
}

const kinds: readonly Kind[] = [
  {
    name: "numerical with a pattern",
    spec: {
      choice: { kind: "numerical", order: "asc" },
      filterTags: { pattern: "^main-[a-f0-9]+-(?P<ts>[0-9]+)$", extract: "$ts" },
    },
    tagAt: (index) => `main-${hash(index)}-${1_600_000_000 + index * 31}`,
  },
  {
    name: "numerical with RFC-0005's pattern",
    spec: {
      choice: { kind: "numerical", order: "asc" },
      filterTags: { pattern: String.raw`^pr-(?P<pr>.*)-(?P<ts>\d*)-(?P<sha1>.*)$`, extract: "$ts" },
    },
    tagAt: (index) => `pr-${index % 997}-${1_600_000_000 + index * 31}-${hash(index)}`,
  },
  {
    name: "semver",
    spec: { choice: { kind: "semver", range: ">=1.0.0-0 <9" } },
    tagAt: (index) => `v${index % 13}.${index % 101}.${index}${index % 5 === 0 ? `-rc.${index % 7}` : ""}`,
  },
];

/** Policies on 10,000 tags, with code that is compiled, beside Flux's rules in Go, timed in the same run. */
export async function benchPolicies(): Promise<readonly BenchRow[]> {
  return withTempDir(async (folder) => {
    const oracle = path.join(folder, "policy");
    const source = path.join(import.meta.dirname, "../test/conformance/policy");
    runProgram("go", ["build", "-o", oracle, "."], { cwd: source });
    return kinds.map((kind) => benchKind(kind, oracle));
  });
}

function benchKind({ name, spec, tagAt }: Kind, oracle: string): BenchRow {
  const tags = Array.from({ length: tagCount }, (_, index) => tagAt(index));
  const chosen = selectLatest(spec, tags).tag;
  for (let round = 0; round < warmUps; round++) timeOnceMs(spec, tags);
  const { firstMs, secondMs, ratio } = timesOf(
    Array.from({ length: pairs }, () => {
      const ours = median(Array.from({ length: roundsOfPair }, () => timeOnceMs(spec, tags)));
      return [ours, timeOfGoMs(oracle, spec, tags, chosen)] as const;
    }),
  );
  return {
    what: `policy, ${name}`,
    chart: `${tagCount} tags`,
    fairlead: formatMs(firstMs),
    helm: formatMs(secondMs),
    measured: `${ratio.toFixed(2)} of Go's time`,
    bar: `≤ ${bar.toFixed(2)}`,
    isMet: ratio <= bar,
  };
}

function timeOnceMs(spec: SelectionSpec, tags: readonly string[]): number {
  const startMs = performance.now();
  selectLatest(spec, tags);
  return performance.now() - startMs;
}

/** The median of the later rounds, the first of which warm Go up as well. */
function timeOfGoMs(
  oracle: string,
  { choice, filterTags }: SelectionSpec,
  tags: readonly string[],
  chosen: string,
): number {
  const input = JSON.stringify({ ...choice, ...filterTags, tags, rounds: 2 * roundsOfPair });
  const { latest, ms } = JSON.parse(runProgram(oracle, ["time"], { input })) as {
    readonly latest: string;
    readonly ms: readonly number[];
  };
  if (latest !== chosen) throw new FairleadError("internal", `Go chooses ${latest}, fairlead ${chosen}`);
  return median(ms.slice(roundsOfPair));
}

function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly input?: string },
): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { ...options, encoding: "utf8" });
  if (status === 0) return stdout;
  throw new FairleadError("tool-failed", `${program} ${args.join(" ")} failed: ${error?.message ?? stderr}`);
}

/** Seven digits that look like those of a commit. */
function hash(index: number): string {
  return ((index * 2_654_435_761) % 0x1_0000_0000).toString(16).padStart(8, "0").slice(0, 7);
}
