import { messageOf } from "../../core/error.ts";
import type { FieldProblem } from "../../objects/field-reader.ts";
import type { KubernetesObject, ObjectKind } from "../../objects/object-kind.ts";
import { readObject } from "../../objects/read-object.ts";
import { isYamlMap } from "../../yaml/value.ts";
import type { ApiObject } from "../api/api-object.ts";

/** An object as it was read: undefined where its problems are no mere warnings. */
export interface ReadResult<Read> {
  readonly object: Read | undefined;
  readonly problems: readonly FieldProblem[];
}

/** Reads the objects of a kind, each state of them once. */
export class ObjectReader<Read extends KubernetesObject> {
  readonly #kinds: ReadonlyMap<string, ObjectKind<Read>>;
  readonly #known = new WeakMap<ApiObject, ReadResult<Read>>();

  constructor(kind: string, reads: ObjectKind<Read>) {
    this.#kinds = new Map([[kind, reads]]);
  }

  /** What an object of the API server says; nothing is thrown. */
  read(raw: ApiObject): ReadResult<Read> {
    const known = this.#known.get(raw);
    if (known !== undefined) return known;
    const result = this.#read(raw);
    this.#known.set(raw, result);
    return result;
  }

  #read(raw: ApiObject): ReadResult<Read> {
    try {
      const read = isYamlMap(raw) ? readObject<Read>(raw, {}, this.#kinds) : undefined;
      if (read === undefined) return { object: undefined, problems: [problem("is of another kind")] };
      const { object, problems } = read;
      return { object, problems: problems.filter(({ isWarning }) => isWarning !== true) };
    } catch (error) {
      return { object: undefined, problems: [problem(messageOf(error))] };
    }
  }
}

function problem(message: string): FieldProblem {
  return { path: [], message };
}
