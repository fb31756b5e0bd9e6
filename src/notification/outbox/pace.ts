/** Deliveries that are begun in one turn of the event loop, so that events are taken in between. */
const beginsPerTurn = 8;

/** Shared by all destinations: who may begin a delivery in this turn. */
export class Pace {
  #left = beginsPerTurn;
  #isResetDue = false;

  /** Takes one of this turn's, unless none is left. */
  tryTake(): boolean {
    if (!this.#isResetDue) {
      this.#isResetDue = true;
      setImmediate(() => {
        this.#isResetDue = false;
        this.#left = beginsPerTurn;
      });
    }
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}
