import { describe, expect, test } from "vitest";
import { FakeClock } from "../../../test/support/fake-clock.ts";
import { type RequestFate, SimulatedLease } from "../../../test/support/simulated-lease.ts";
import { createLogger } from "../../core/log.ts";
import { LeaderElection, type Leadership, type LeaderElectionOptions } from "./leader-election.ts";
import type { LeaseRecord } from "./lease.ts";

const log = createLogger({ level: "error", format: "text", write: () => undefined });

/** Candidates for one lease, and who leads. */
class Bench {
  readonly clock = new FakeClock();
  readonly lease = new SimulatedLease(this.clock);
  readonly leading = new Map<string, Leadership>();
  readonly stopping = new AbortController();

  join(identity: string, fate?: () => RequestFate, options: Partial<LeaderElectionOptions> = {}): void {
    const election = new LeaderElection({
      identity,
      lease: this.lease.port(fate),
      clock: this.clock,
      log,
      random: () => 1,
      ...options,
    });
    election.acquire(this.stopping.signal).then(
      (leadership) => void this.leading.set(identity, leadership),
      () => undefined,
    );
  }

  leads(identity: string): boolean {
    return this.leading.get(identity)?.signal.aborted === false;
  }

  /** How long it takes until something is so. */
  async until(isSo: () => boolean, maxMs: number = 600_000): Promise<number> {
    const sinceMs = this.clock.nowMs();
    await this.clock.advance(0);
    while (!isSo() && this.clock.nowMs() < sinceMs + maxMs) await this.clock.advance(100);
    expect(isSo()).toBe(true);
    return this.clock.nowMs() - sinceMs;
  }
}

/** As another program would have written it; its clock is wrong. */
function recordOf(changes: Partial<LeaseRecord> = {}): LeaseRecord {
  return {
    holderIdentity: "other",
    leaseDurationSeconds: 15,
    acquireTime: new Date("2000-01-01T00:00:00Z"),
    renewTime: new Date("2000-01-01T00:00:00Z"),
    leaseTransitions: 7,
    ...changes,
  };
}

describe("taking the lease", () => {
  test("the first candidate makes it, and renews it", async () => {
    const bench = new Bench();
    const startMs = bench.clock.nowMs();
    bench.join("a");
    await bench.clock.advance(0);
    expect(bench.leads("a")).toBe(true);
    expect(bench.lease.stored?.record).toEqual({
      holderIdentity: "a",
      leaseDurationSeconds: 35,
      acquireTime: new Date(startMs),
      renewTime: new Date(startMs),
      leaseTransitions: 0,
    });
    await bench.clock.advance(600_000);
    expect(bench.leads("a")).toBe(true);
    expect(bench.lease.stored?.record).toMatchObject({
      acquireTime: new Date(startMs),
      renewTime: new Date(startMs + 600_000),
      leaseTransitions: 0,
    });
    // Renewed by what is known of it, without a look.
    expect(bench.lease.requests.filter((verb) => verb !== "update")).toEqual(["get", "create"]);
  });

  test("of many that begin at once, one gets it", async () => {
    const bench = new Bench();
    const names = Array.from({ length: 10 }, (_, index) => `candidate-${index}`);
    for (const name of names) bench.join(name, () => ({ thereMs: 10, backMs: 10 }));
    await bench.clock.advance(60_000);
    expect(names.filter((name) => bench.leads(name))).toHaveLength(1);
  });

  const rows: readonly { name: string; record: LeaseRecord; takenMs: number }[] = [
    { name: "one of nobody is free", record: recordOf({ holderIdentity: "" }), takenMs: 0 },
    { name: "times from long ago count for nothing", record: recordOf(), takenMs: 15_000 },
    {
      name: "and neither do times to come",
      record: recordOf({ renewTime: new Date("2100-01-01T00:00:00Z") }),
      takenMs: 15_000,
    },
    {
      name: "its holder's own duration counts",
      record: recordOf({ leaseDurationSeconds: 60 }),
      takenMs: 60_000,
    },
    { name: "where it says none, ours does", record: recordOf({ leaseDurationSeconds: 0 }), takenMs: 35_000 },
    {
      name: "what this candidate itself has taken is its own",
      record: recordOf({ holderIdentity: "a" }),
      takenMs: 0,
    },
  ];
  test.each(rows)("$name", async ({ record, takenMs }) => {
    const bench = new Bench();
    bench.lease.put(record);
    bench.join("a");
    expect(await bench.until(() => bench.leads("a"))).toBe(takenMs);
    const isOwn = record.holderIdentity === "a";
    expect(bench.lease.stored?.record).toMatchObject({
      holderIdentity: "a",
      leaseDurationSeconds: 35,
      leaseTransitions: isOwn ? 7 : 8,
    });
  });

  test("a lease that is renewed is not taken", async () => {
    const bench = new Bench();
    bench.lease.put(recordOf());
    bench.join("a");
    for (let times = 1; times < 20; times++) {
      await bench.clock.advance(12_000);
      bench.lease.put(recordOf({ renewTime: new Date(times) }));
    }
    expect(bench.leads("a")).toBe(false);
  });

  test("who is asked to stop waits no more", async () => {
    const bench = new Bench();
    bench.lease.put(recordOf());
    const election = new LeaderElection({
      identity: "a",
      lease: bench.lease.port(),
      clock: bench.clock,
      log,
    });
    const acquired = election.acquire(bench.stopping.signal);
    await bench.clock.advance(1000);
    bench.stopping.abort(new Error("enough"));
    await expect(acquired).rejects.toThrow("enough");
  });
});

describe("losing the lease", () => {
  const rows: readonly { name: string; fate: RequestFate }[] = [
    { name: "requests are lost", fate: { thereMs: undefined, backMs: undefined } },
    { name: "answers are lost", fate: { thereMs: 10, backMs: undefined } },
    { name: "answers come late", fate: { thereMs: 10, backMs: 20_000 } },
  ];
  test.each(rows)("the leader ends in time where $name", async ({ fate }) => {
    const bench = new Bench();
    let isCut = false;
    bench.join("a", () => (isCut ? fate : { thereMs: 0, backMs: 0 }));
    await bench.clock.advance(12_000);
    isCut = true;
    // The last renewal was after ten seconds.
    expect(await bench.until(() => !bench.leads("a"))).toBe(28_000);
    expect(bench.leading.get("a")?.signal.reason).toMatchObject({ code: "aborted" });
  });

  const cut: RequestFate = { thereMs: undefined, backMs: undefined };

  test("a take that took long counts from when it was sent", async () => {
    const bench = new Bench();
    let fate: RequestFate = { thereMs: 0, backMs: 7000 };
    bench.lease.put(recordOf({ holderIdentity: "" }));
    bench.join("a", () => fate);
    // A look and a record.
    expect(await bench.until(() => bench.leads("a"))).toBe(14_000);
    fate = cut;
    expect(await bench.until(() => !bench.leads("a"))).toBe(30_000 - 14_000);
  });

  test("so does a renewal", async () => {
    const bench = new Bench();
    let fate: RequestFate = { thereMs: 0, backMs: 0 };
    bench.join("a", () => fate);
    await bench.clock.advance(1000);
    fate = { thereMs: 0, backMs: 14_000 };
    await bench.clock.advance(5000);
    fate = cut;
    expect(await bench.until(() => !bench.leads("a"))).toBe(5000 + 30_000 - 6000);
  });

  test("a passing failure costs nothing", async () => {
    const bench = new Bench();
    let isCut = false;
    bench.join("a", () => (isCut ? { thereMs: 1, backMs: undefined } : { thereMs: 0, backMs: 0 }));
    await bench.clock.advance(10_000);
    isCut = true;
    await bench.clock.advance(20_000);
    isCut = false;
    await bench.clock.advance(60_000);
    expect(bench.leads("a")).toBe(true);
    expect(bench.lease.stored?.record.leaseTransitions).toBe(0);
  });

  test("a leader that finds another's record ends at its next renewal", async () => {
    const bench = new Bench();
    bench.join("a");
    await bench.clock.advance(12_000);
    bench.lease.put(recordOf());
    expect(await bench.until(() => !bench.leads("a"))).toBe(3000);
    expect(bench.lease.stored?.record.holderIdentity).toBe("other");
  });

  test("what somebody else writes into it, or that it is gone, is mended", async () => {
    const bench = new Bench();
    bench.join("a");
    await bench.clock.advance(1000);
    bench.lease.put({ ...recordOf({ holderIdentity: "a" }) });
    await bench.clock.advance(10_000);
    bench.lease.stored = undefined;
    await bench.clock.advance(10_000);
    expect(bench.leads("a")).toBe(true);
    expect(bench.lease.stored).toMatchObject({ record: { holderIdentity: "a" } });
  });
});

describe("giving it back", () => {
  test("the next one leads within the retry period", async () => {
    const bench = new Bench();
    bench.join("a");
    await bench.clock.advance(1);
    bench.join("b");
    await bench.clock.advance(60_000);
    const released = bench.leading.get("a")?.release(5000);
    expect(bench.leads("a")).toBe(false);
    await bench.clock.advance(0);
    await released;
    expect(bench.lease.stored?.record).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 });
    expect(await bench.until(() => bench.leads("b"))).toBeLessThanOrEqual(5000);
    expect(bench.lease.stored?.record.leaseTransitions).toBe(1);
  });

  test("not where it is another's already", async () => {
    const bench = new Bench();
    bench.join("a");
    await bench.clock.advance(1000);
    bench.lease.put(recordOf());
    const released = bench.leading.get("a")?.release(5000);
    await bench.clock.advance(0);
    await released;
    expect(bench.lease.stored?.record).toEqual(recordOf());
  });

  test("who does not reach the API server is not held up", async () => {
    const bench = new Bench();
    let isCut = false;
    bench.join("a", () => (isCut ? { thereMs: undefined, backMs: undefined } : { thereMs: 0, backMs: 0 }));
    await bench.clock.advance(7000);
    isCut = true;
    await bench.clock.advance(4000);
    let isReleased = false;
    const released = bench.leading.get("a")?.release(5000);
    void released?.then(() => (isReleased = true));
    await bench.clock.advance(4999);
    expect(isReleased).toBe(false);
    await bench.clock.advance(1);
    expect(isReleased).toBe(true);
  });
});

test.each([
  { leaseDurationMs: 30_000 },
  { renewDeadlineMs: 5000 },
  { retryPeriodMs: 0 },
  { retryPeriodMs: Number.NaN },
])("durations that do not fit together are refused: %o", (durations) => {
  const bench = new Bench();
  expect(() => bench.join("a", undefined, { durations })).toThrow(
    expect.objectContaining({ code: "config-invalid" }),
  );
});
