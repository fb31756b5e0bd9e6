import type { ErrorCode, FairleadError } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";

/** What an informer does. */
export type InformerPhase = "list" | "watch";

/** Tells of the failures of an informer: of each cause once, and then in debug until the informer is well again. */
export class FailureLog {
  readonly #log: Logger;
  readonly #resource: string;
  readonly #told: Readonly<Record<InformerPhase, Set<ErrorCode>>> = { list: new Set(), watch: new Set() };

  /** @param resource of which kind it keeps a copy */
  constructor(log: Logger, resource: string) {
    this.#log = log;
    this.#resource = resource;
  }

  /** @param lists whether it lists all objects again */
  failed(phase: InformerPhase, { code, message, hint }: FairleadError, lists: boolean): void {
    const fields = { resource: this.#resource, code, error: message, hint, lists };
    const told = this.#told[phase];
    // Versions expire in the course of things.
    if (code === "version-expired") this.#log.info("an informer begins again", fields);
    else if (told.has(code)) this.#log.debug("an informer begins again", fields);
    else {
      told.add(code);
      this.#log.warn("an informer begins again", fields);
    }
  }

  /** A list is no proof that a watch does not fail; a watch comes after a list. */
  succeeded(phase: InformerPhase): void {
    const { list, watch } = this.#told;
    const hasTold = list.size + watch.size > 0;
    list.clear();
    if (phase === "watch") watch.clear();
    if (hasTold && watch.size === 0) {
      this.#log.info("an informer is well again", { resource: this.#resource });
    }
  }
}
