/** Deliveries that are begun in one turn of the event loop, so that events are taken in between. */
const beginsPerTurn = 8;

/** Shared by all destinations: who may begin a delivery in this turn. */
export class Pace {
  #left = beginsPerTurn;
  #scheduled: NodeJS.Immediate | undefined;

  /** Takes one of this turn's, unless none is left. */
  tryTake(): boolean {
    this.#scheduled ??= setImmediate(() => {
      this.#scheduled = undefined;
      this.#left = beginsPerTurn;
    });
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}
