import { spawnSync } from "node:child_process";
import { FairleadError } from "../src/core/error.ts";

/** A program with its arguments, run as a process of its own. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

export interface PairOptions {
  /** Pairs that are run and not counted, so that both find their files in the system's cache. */
  readonly warmUps: number;
  readonly pairs: number;
}

export interface PairTimes {
  readonly firstMs: number;
  readonly secondMs: number;
  /** The median of each pair's own ratio, first to second: what slows the machine slows both of a pair. */
  readonly ratio: number;
}

/** The medians of pairs that were measured in turn. */
export function timesOf(pairs: readonly (readonly [firstMs: number, secondMs: number])[]): PairTimes {
  return {
    firstMs: median(pairs.map(([firstMs]) => firstMs)),
    secondMs: median(pairs.map(([, secondMs]) => secondMs)),
    ratio: median(pairs.map(([firstMs, secondMs]) => firstMs / secondMs)),
  };
}

/**
 * Runs two commands in turn, A B A B, each time as a cold process, and gives the medians of their wall times.
 * @throws FairleadError `tool-failed` when one of them ends with a code other than 0.
 */
export function measurePair(first: Command, second: Command, { warmUps, pairs }: PairOptions): PairTimes {
  const times: [number, number][] = [];
  for (let round = 0; round < warmUps + pairs; round++) {
    const firstMs = wallTimeMs(first);
    const secondMs = wallTimeMs(second);
    if (round >= warmUps) times.push([firstMs, secondMs]);
  }
  return timesOf(times);
}

/**
 * Runs a command once and gives its wall time.
 * @throws FairleadError `tool-failed` when it ends with a code other than 0.
 */
export function wallTimeMs({ program, args }: Command): number {
  const startMs = performance.now();
  const { status, stderr, error } = spawnSync(program, args, {
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  const wallMs = performance.now() - startMs;
  if (status === 0) return wallMs;
  throw new FairleadError("tool-failed", `${program} ${args.join(" ")} failed: ${error?.message ?? stderr}`);
}

/** The middle of the values, or the mean of the two in the middle; NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(middle)] ?? Number.NaN;
  return (low + high) / 2;
}
