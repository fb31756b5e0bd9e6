import type { WrittenCollection, WrittenNode } from "../../yaml/written-nodes.ts";
import type { ChangedObject } from "./setter-change.ts";

type Field = keyof ChangedObject;

/**
 * Finds the Kubernetes objects that scalars belong to: documents, and the items of documents whose kind ends with
 * `List`.
 */
export class ChangedObjects {
  readonly #fields = new Map<WrittenCollection, Partial<Record<Field, string>>>();

  constructor(nodes: readonly WrittenNode[]) {
    for (const node of nodes) {
      const [owner, field] = placeOf(node);
      if (owner === undefined || field === undefined) continue;
      const fields = this.#fields.get(owner) ?? {};
      fields[field] = node.text;
      this.#fields.set(owner, fields);
    }
  }

  /** The object of a scalar; empty where it names neither a kind nor a name. */
  of({ parent }: WrittenNode): ChangedObject {
    const path: WrittenCollection[] = [];
    for (let at = parent; at !== undefined; at = at.parent) path.push(at);
    const root = path.at(-1);
    const item = path.at(-3);
    const document = (root === undefined ? undefined : this.#fields.get(root)) ?? {};
    const isItem = document.kind?.endsWith("List") === true && item !== undefined && isListItem(item);
    return (isItem ? this.#fields.get(item) : undefined) ?? document;
  }
}

/** The object that a scalar names a field of, and the field. */
function placeOf({ kind, isKey, key, parent, text }: WrittenNode): [WrittenCollection?, Field?] {
  if (kind !== "scalar" || isKey || key === undefined || parent === undefined || text === "") return [];
  if (key === "kind" || key === "apiVersion") return isObject(parent) ? [parent, key] : [];
  if (key !== "name" && key !== "namespace") return [];
  const owner = parent.key === "metadata" ? parent.parent : undefined;
  return owner !== undefined && isObject(owner) ? [owner, key] : [];
}

function isObject(collection: WrittenCollection): boolean {
  return collection.parent === undefined || isListItem(collection);
}

function isListItem({ parent }: WrittenCollection): boolean {
  return parent?.key === "items" && parent.parent?.parent === undefined && parent.parent !== undefined;
}
