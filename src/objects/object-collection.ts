import type { Diagnostic } from "../core/diagnostic.ts";
import { formatWhere } from "../core/error.ts";
import type { KubernetesObject } from "./object-kind.ts";

/** Gathers objects and what is found in them; of two objects with one name the first counts. */
export class ObjectCollection<Read extends KubernetesObject> {
  readonly #objects = new Map<string, Read>();
  readonly #diagnostics: Diagnostic[] = [];

  /** The objects in the order they came. */
  get objects(): readonly Read[] {
    return [...this.#objects.values()];
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  /** Notes findings. */
  tell(...diagnostics: readonly Diagnostic[]): void {
    this.#diagnostics.push(...diagnostics);
  }

  /** Takes an object, or a finding `object-invalid` where its name, such as `Secret default/a`, is taken. */
  add(name: string, object: Read): void {
    const first = this.#objects.get(name);
    if (first === undefined) {
      this.#objects.set(name, object);
      return;
    }
    this.tell({
      code: "object-invalid",
      severity: "error",
      message: `${name} is given more than once; the first one counts, at ${formatWhere(first.meta.where)}`,
      where: object.meta.where,
    });
  }
}
