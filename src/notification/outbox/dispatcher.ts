import type { DispatcherOptions } from "./attempt.ts";
import { DestinationQueue } from "./destination-queue.ts";
import { Pace } from "./pace.ts";

/** Brings what is in the outbox to its destinations, each at its own pace. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #queues = new Map<string, DestinationQueue>();
  readonly #pace = new Pace();
  readonly #breakOff = new AbortController();
  #isStopped = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /** Takes up what an earlier process has left. @throws FairleadError `state-invalid` */
  start(): void {
    this.wake(this.#options.outbox.destinations());
  }

  /** Looks after destinations that something is to be delivered to. */
  wake(destinations: Iterable<string>): void {
    if (this.#isStopped) return;
    for (const destination of destinations) this.#queueOf(destination).pump();
  }

  /** Deliveries that are being sent. */
  get active(): number {
    return [...this.#queues.values()].reduce((sum, { active }) => sum + active, 0);
  }

  /**
   * Begins nothing more, and waits for what is being sent; what takes longer is broken off and stays queued.
   * @param graceMs how long to wait
   */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    for (const queue of this.#queues.values()) queue.stop();
    const idle = Promise.all([...this.#queues.values()].map(async (queue) => queue.idle()));
    const cancel = this.#options.clock.after(graceMs, () => this.#breakOff.abort());
    await idle;
    cancel();
  }

  #queueOf(destination: string): DestinationQueue {
    const known = this.#queues.get(destination);
    if (known !== undefined) return known;
    const queue = new DestinationQueue(destination, this.#options, this.#pace, this.#breakOff.signal);
    this.#queues.set(destination, queue);
    return queue;
  }
}
