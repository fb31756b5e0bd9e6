import { createHash } from "node:crypto";
import { FairleadError } from "../../core/error.ts";
import { mapConcurrent } from "../../core/pool.ts";
import type { Secret } from "../../objects/secret.ts";
import type { NotificationSnapshot, SecretReader } from "../objects/notification-snapshot.ts";
import type { Receiver } from "../objects/receiver.ts";
import { prepareReceiver, type PreparedReceiver } from "./prepare-receiver.ts";

type Snapshot = Pick<NotificationSnapshot, "receivers" | "secrets">;

/** Whoever calls paths that are none has Secrets read no more often. */
const minRefreshMs = 5_000;
const readsAtATime = 16;
const pathPattern = /^\/hook\/[0-9a-f]{64}$/u;

/** The Receivers that are in force, by their paths, which change with the tokens in their Secrets. */
export class ReceiverTable {
  readonly #nowMs: () => number;
  #secrets: SecretReader | undefined;
  #receivers: ReadonlyMap<Receiver, PreparedReceiver> = new Map();
  /** By the digests of the paths, so that the time of a look-up tells nothing of them. */
  #byPath: ReadonlyMap<string, PreparedReceiver> = new Map();
  #refreshedMs = -Infinity;
  /** Changes of the table follow one another. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * Takes what is in force from now on. One that cannot be prepared is told as such, and does not stop the others.
   * @returns those that were not prepared before
   */
  async load({ receivers, secrets }: Snapshot): Promise<readonly PreparedReceiver[]> {
    return this.#change(async () => {
      const known = secrets === this.#secrets ? this.#receivers : new Map<Receiver, PreparedReceiver>();
      const added: PreparedReceiver[] = [];
      const prepared = await mapConcurrent([...receivers.values()], readsAtATime, async (receiver) => {
        const before = known.get(receiver);
        if (before !== undefined) return before;
        const made = await prepareAnyway(receiver, secrets);
        added.push(made);
        return made;
      });
      this.#secrets = secrets;
      this.#set(prepared);
      return added;
    });
  }

  /** The Receiver of a path by the Secret that it has now, if there is one. @throws FairleadError where it cannot be read */
  async tryFind(path: string): Promise<PreparedReceiver | undefined> {
    const found = this.#byPath.get(digestOf(path));
    if (found === undefined) {
      if (!this.#mayBeNew(path)) return undefined;
      this.#refreshedMs = this.#nowMs();
      await this.#change(async () => this.#refresh());
      return this.#byPath.get(digestOf(path));
    }
    const source = await readSecret(found.receiver, this.#secrets);
    if (source === found.source) return found;
    await this.#change(async () => this.#refresh(found));
    return this.#byPath.get(digestOf(path));
  }

  /** A token may have been rotated since it was read. */
  #mayBeNew(path: string): boolean {
    const isDue = this.#nowMs() - this.#refreshedMs >= minRefreshMs;
    return isDue && this.#receivers.size > 0 && pathPattern.test(path);
  }

  /** Prepares those anew whose Secret is another. @param only default: all */
  async #refresh(only?: PreparedReceiver): Promise<void> {
    const secrets = this.#secrets;
    if (secrets === undefined) return;
    const prepared = await mapConcurrent([...this.#receivers.values()], readsAtATime, async (before) => {
      if (only !== undefined && only !== before) return before;
      try {
        const source = await readSecret(before.receiver, secrets);
        return source === before.source ? before : await prepareReceiver(before.receiver, source);
      } catch (error) {
        if (!(error instanceof FairleadError)) throw error;
        return before;
      }
    });
    this.#set(prepared);
  }

  #set(prepared: readonly PreparedReceiver[]): void {
    this.#receivers = new Map(prepared.map((each) => [each.receiver, each]));
    this.#byPath = new Map(
      prepared.flatMap((each) => (each.path === undefined ? [] : [[digestOf(each.path), each] as const])),
    );
  }

  async #change<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#changing.then(work);
    this.#changing = done.catch(() => undefined);
    return done;
  }
}

/** A Secret that cannot be read for now is one that is not known for now. */
async function prepareAnyway(receiver: Receiver, secrets: SecretReader): Promise<PreparedReceiver> {
  try {
    return await prepareReceiver(receiver, await readSecret(receiver, secrets));
  } catch (error) {
    if (!(error instanceof FairleadError)) throw error;
    const problem = { reason: "TokenNotFound", message: error.message } as const;
    return { receiver, source: undefined, secret: {}, oidc: new Map(), resources: [], problem };
  }
}

async function readSecret(
  { spec, meta: { namespace } }: Receiver,
  secrets: SecretReader | undefined,
): Promise<Secret | undefined> {
  const name = spec.secretRef?.name;
  return name === undefined ? undefined : secrets?.get({ namespace, name });
}

function digestOf(path: string): string {
  return createHash("sha256").update(path).digest("base64");
}
