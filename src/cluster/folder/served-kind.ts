import { FairleadError } from "../../core/error.ts";
import type { Clock } from "../../core/clock.ts";
import type { ApiObject, WatchEvent } from "../api/api-object.ts";
import type { FolderKind } from "./folder-kinds.ts";
import type { Held } from "./live-object.ts";
import type { Selection } from "./selection.ts";

/** What became of one object. */
export interface Change {
  readonly version: number;
  /** Undefined: it is new. */
  readonly before: Held | undefined;
  /** Undefined: it is gone. */
  readonly after: Held | undefined;
}

export interface ServedWatch {
  readonly subject: string;
  readonly selects: Selection;
  /** It begins after it. */
  readonly version: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Who watches from an older version than these many changes ago has to list anew. */
const maxHistory = 2_000;
const bookmarkMs = 60_000;

/** The objects of a kind, and what happened to them of late. */
export class ServedKind {
  readonly name: string;
  readonly kind: FolderKind;
  readonly #clock: Clock;
  /** By namespace and name, in the order they came. */
  readonly #objects = new Map<string, Held>();
  readonly #history: Change[] = [];
  /** The newest version whose change is no longer in the history. */
  #forgotten: number;
  readonly #watches = new Set<() => void>();
  #isClosed = false;

  /** @param version of the last change before it is there: nobody can watch from before */
  constructor(name: string, kind: FolderKind, version: number, clock: Clock) {
    this.name = name;
    this.kind = kind;
    this.#forgotten = version;
    this.#clock = clock;
  }

  /** All objects, in the order they came. */
  get all(): Iterable<Held> {
    return this.#objects.values();
  }

  get size(): number {
    return this.#objects.size;
  }

  find(namespace: string | undefined, name: string): Held | undefined {
    return this.#objects.get(`${namespace ?? ""}/${name}`);
  }

  /** The objects by namespace and name. */
  list(selects: Selection): readonly ApiObject[] {
    return Array.from(this.#objects)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([, { object }]) => object)
      .filter(selects);
  }

  /** Takes what changes nothing that is served. */
  hold(held: Held): void {
    this.#objects.set(keyOf(held.object), held);
  }

  /** Takes a change, and tells those who watch. */
  publish(change: Change): void {
    const { before, after } = change;
    if (after !== undefined) this.hold(after);
    else if (before !== undefined) this.#objects.delete(keyOf(before.object));
    this.#history.push(change);
    if (this.#history.length > maxHistory)
      this.#forgotten = this.#history.shift()?.version ?? this.#forgotten;
    this.#wakeAll();
  }

  /** Ends all watches. */
  close(): void {
    this.#isClosed = true;
    this.#wakeAll();
  }

  /**
   * What happens from now on, until its time is over; it ends with a bookmark.
   * @param current the version of the last change of any kind
   * @throws FairleadError `version-expired`, `aborted`
   */
  async *watch(watch: ServedWatch, current: () => number): AsyncGenerator<WatchEvent<ApiObject>> {
    const { subject, selects, timeoutMs, signal } = watch;
    let { version } = watch;
    let isOver = false;
    let isBookmarkDue = false;
    let isWoken = false;
    let resume = nothing;
    const wake = (): void => {
      isWoken = true;
      resume();
    };
    const cancelEnd = this.#clock.after(timeoutMs, () => {
      isOver = true;
      wake();
    });
    let cancelBookmark = nothing;
    const scheduleBookmark = (): void => {
      isBookmarkDue = false;
      cancelBookmark = this.#clock.after(bookmarkMs, () => {
        isBookmarkDue = true;
        wake();
      });
    };
    const failIfEnded = (): void => {
      if (signal.aborted || this.#isClosed) throw new FairleadError("aborted", `${subject} was stopped`);
    };
    scheduleBookmark();
    this.#watches.add(wake);
    signal.addEventListener("abort", wake);
    try {
      for (;;) {
        isWoken = false;
        failIfEnded();
        const seen = current();
        for (const event of this.#eventsAfter(version, selects, subject)) {
          yield event;
          failIfEnded();
        }
        version = seen;
        if (isBookmarkDue || isOver) yield { type: "BOOKMARK", resourceVersion: String(version) };
        if (isOver) return;
        if (isBookmarkDue) scheduleBookmark();
        await new Promise<void>((resolve) => {
          resume = resolve;
          if (isWoken) resolve();
        });
      }
    } finally {
      cancelEnd();
      cancelBookmark();
      this.#watches.delete(wake);
      signal.removeEventListener("abort", wake);
    }
  }

  #eventsAfter(version: number, selects: Selection, subject: string): readonly WatchEvent<ApiObject>[] {
    if (version < this.#forgotten) {
      throw new FairleadError("version-expired", `${subject} begins at a version that is too old`, {
        retryable: true,
      });
    }
    const first = this.#history.findLastIndex((change) => change.version <= version) + 1;
    return this.#history.slice(first).flatMap((change) => eventOf(change, selects) ?? []);
  }

  #wakeAll(): void {
    for (const wake of this.#watches) wake();
  }
}

const nothing = (): void => undefined;

function keyOf({ metadata: { namespace, name } }: ApiObject): string {
  return `${namespace ?? ""}/${name}`;
}

/** A change as those see it who select some objects; undefined where it is not about these. */
function eventOf({ version, before, after }: Change, selects: Selection): WatchEvent<ApiObject> | undefined {
  const was = before !== undefined && selects(before.object) ? before.object : undefined;
  const is = after !== undefined && selects(after.object) ? after.object : undefined;
  if (is !== undefined) return { type: was === undefined ? "ADDED" : "MODIFIED", object: is };
  if (was === undefined) return undefined;
  const metadata = { ...was.metadata, resourceVersion: String(version) };
  return { type: "DELETED", object: { ...was, metadata } };
}
