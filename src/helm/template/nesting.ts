import { FairleadError } from "../../core/error.ts";

/** How deep actions and parentheses stand in each other: what parses and executes them must not run out of stack. */
export class Nesting {
  readonly #name: string;
  readonly #limit: number;
  #depth = 0;

  constructor(name: string, limit: number) {
    this.#name = name;
    this.#limit = limit;
  }

  /** @throws FairleadError `limit-exceeded` */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > this.#limit) {
      throw new FairleadError("limit-exceeded", `the template nests deeper than ${this.#limit} levels`, {
        where: { file: this.#name },
      });
    }
  }

  leave(): void {
    this.#depth -= 1;
  }
}
