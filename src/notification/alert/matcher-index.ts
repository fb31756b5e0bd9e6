import type { NotificationEvent } from "../event.ts";
import type { AlertMatcher } from "./alert-matcher.ts";

/** Finds the Alerts that name an object, among many that name others. */
export class MatcherIndex {
  readonly #matchers: readonly AlertMatcher[];
  /** Positions in the order of the Alerts, by `namespace/kind/name`; the name may be `*`. */
  readonly #positions = new Map<string, number[]>();

  constructor(matchers: readonly AlertMatcher[]) {
    this.#matchers = matchers;
    for (const [position, { alert }] of matchers.entries()) {
      const { meta, spec } = alert;
      const keys = spec.eventSources.map(({ namespace = meta.namespace, kind, name }) =>
        keyOf({ namespace, kind, name }),
      );
      for (const key of new Set(keys)) {
        const known = this.#positions.get(key);
        if (known === undefined) this.#positions.set(key, [position]);
        else known.push(position);
      }
    }
  }

  /** Those whose sources name the object of an event, in the order of the Alerts; the others do not match. */
  candidates({ involvedObject }: NotificationEvent): readonly AlertMatcher[] {
    const named = this.#positions.get(keyOf(involvedObject)) ?? [];
    const all = this.#positions.get(keyOf({ ...involvedObject, name: "*" })) ?? [];
    const positions = new Set([...named, ...all]);
    return [...positions]
      .toSorted((left, right) => left - right)
      .flatMap((position) => this.#matchers[position] ?? []);
  }
}

function keyOf(object: { readonly namespace: string; readonly kind: string; readonly name: string }): string {
  return `${object.namespace}/${object.kind}/${object.name}`;
}
