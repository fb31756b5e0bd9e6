import * as fc from "fast-check";
import { expect, test } from "vitest";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { type RequestFate, SimulatedLease } from "../../../test/support/simulated-lease.ts";
import type { Clock } from "../../core/clock.ts";
import { createLogger } from "../../core/log.ts";
import { LeaderElection, type Leadership } from "./leader-election.ts";

const log = createLogger({ level: "error", format: "text", write: () => undefined });

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Network {
  /** How often a request, or its answer, is lost. */
  readonly lossRate: number;
  /** How often one is under way for up to a minute. */
  readonly slowRate: number;
  /** How long the others are, at most. */
  readonly delayMs: number;
}

/** A process with a clock of its own, which may be killed. */
class Candidate {
  readonly identity: string;
  readonly #world: World;
  readonly #clock: Clock;
  #term: Leadership | undefined;
  isKilled = false;
  cutUntilMs = 0;

  constructor(identity: string, world: World, skewMs: number, rate: number) {
    this.identity = identity;
    this.#world = world;
    const { clock } = world;
    const startMs = clock.nowMs();
    this.#clock = {
      nowMs: () => startMs + skewMs + (clock.nowMs() - startMs) * rate,
      after: (delayMs, callback) =>
        clock.after(delayMs / rate, () => {
          if (!this.isKilled) callback();
        }),
    };
    void this.#live();
  }

  get leads(): boolean {
    return !this.isKilled && this.#term?.signal.aborted === false;
  }

  release(): void {
    void this.#term?.release(10_000);
  }

  async #live(): Promise<void> {
    const { random, lease } = this.#world;
    const port = lease.port(() => this.#fate());
    const never = new AbortController().signal;
    for (;;) {
      const election = new LeaderElection({
        identity: this.identity,
        lease: port,
        clock: this.#clock,
        log,
        random,
      });
      const term = await election.acquire(never);
      this.#term = term;
      this.#world.terms += 1;
      this.#world.check();
      const { promise, resolve } = Promise.withResolvers<void>();
      term.signal.addEventListener("abort", () => resolve());
      if (!term.signal.aborted) await promise;
    }
  }

  #fate(): RequestFate {
    const { random, network, clock } = this.#world;
    const isCut = this.isKilled || clock.nowMs() < this.cutUntilMs;
    const way = (): number | undefined => {
      if (isCut || random() < network.lossRate) return undefined;
      return Math.ceil(random() * (random() < network.slowRate ? 60_000 : network.delayMs));
    };
    return { thereMs: way(), backMs: way() };
  }
}

class World {
  readonly clock = new FakeClock();
  readonly lease = new SimulatedLease(this.clock);
  readonly random: () => number;
  readonly network: Network;
  readonly candidates: Candidate[] = [];
  terms = 0;
  readonly violations: string[] = [];

  constructor(seed: number, network: Network) {
    this.random = randomFrom(seed);
    this.network = network;
    this.lease.onWrite = ({ holderIdentity }, before) => {
      // Before the lease can be another's, its holder has ended.
      if (before === undefined || before.holderIdentity === holderIdentity) return;
      const former = this.candidates.find(({ identity }) => identity === before.holderIdentity);
      if (former?.leads === true) {
        this.violations.push(`${holderIdentity} took the lease from ${former.identity}, which leads`);
      }
    };
  }

  join(skewMs: number = 0, rate: number = 1): void {
    this.candidates.push(new Candidate(`candidate-${this.candidates.length}`, this, skewMs, rate));
  }

  leaders(): readonly Candidate[] {
    return this.candidates.filter(({ leads }) => leads);
  }

  check(): void {
    const names = this.leaders().map(({ identity }) => identity);
    if (names.length > 1) this.violations.push(`${names.join(" and ")} lead at once`);
  }
}

const clocks = fc.record({
  skewMs: fc.integer({ min: -86_400_000, max: 86_400_000 }),
  // The slowest and the fastest differ by less than 35 from 30 seconds.
  rate: fc.double({ min: 0.94, max: 1.06, noNaN: true }),
});
const networks = fc.record({
  lossRate: fc.constantFrom(0, 0.1, 0.3),
  slowRate: fc.constantFrom(0, 0.1, 0.3),
  delayMs: fc.constantFrom(1, 100, 3000),
});
const troubles = fc.record({
  afterMs: fc.integer({ min: 0, max: 60_000 }),
  what: fc.constantFrom("kill", "cut", "release"),
  /** Mostly whoever leads. */
  whom: fc.constantFrom("leader", "leader", "anyone"),
  lastsMs: fc.integer({ min: 0, max: 90_000 }),
});
let termsInAll = 0;

test("there are never two leaders, whatever the network and the clocks do", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer(),
      networks,
      fc.array(clocks, { minLength: 2, maxLength: 5 }),
      fc.array(troubles, { maxLength: 8 }),
      async (seed, network, clocks, troubles) => {
        const world = new World(seed, network);
        for (const { skewMs, rate } of clocks) world.join(skewMs, rate);
        for (const { afterMs, what, whom, lastsMs } of troubles) {
          await world.clock.advance(afterMs);
          const living = world.candidates.filter(({ isKilled }) => !isKilled);
          const [leader] = world.leaders();
          const anyone = living[Math.floor(world.random() * living.length)];
          const candidate = whom === "leader" ? leader : anyone;
          if (candidate === undefined) continue;
          if (what === "cut") candidate.cutUntilMs = world.clock.nowMs() + lastsMs;
          else if (what === "release") candidate.release();
          else {
            candidate.isKilled = true;
            world.join();
          }
        }
        await world.clock.advance(120_000);
        expect(world.violations).toEqual([]);
        termsInAll += world.terms;
      },
    ),
    { seed: 20261122, numRuns: 150 },
  );
  // Or nothing was tried.
  expect(termsInAll).toBeGreaterThan(300);
}, 60_000);

test("after a kill another leads within the lease's duration and a retry period", async () => {
  const delayMs = 50;
  await fc.assert(
    fc.asyncProperty(
      fc.integer(),
      fc.integer({ min: 2, max: 5 }),
      fc.integer({ min: 0, max: 60_000 }),
      async (seed, count, killMs) => {
        const world = new World(seed, { lossRate: 0, slowRate: 0, delayMs });
        for (let index = 0; index < count; index++) world.join(index * 3_600_000);
        await world.clock.advance(1000 + killMs);
        const [leader] = world.leaders();
        expect(leader).toBeDefined();
        if (leader !== undefined) leader.isKilled = true;
        expect(world.leaders()).toEqual([]);
        // The requests of a renewal, a look and a take, there and back.
        await world.clock.advance(35_000 + 5000 + 6 * delayMs);
        expect(world.leaders()).toHaveLength(1);
        expect(world.violations).toEqual([]);
      },
    ),
    { seed: 20261122, numRuns: 100 },
  );
}, 60_000);
