import { FairleadError } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { formatPointer } from "./parse-json.ts";
import {
  cloneJson,
  cloneObject,
  equalJson,
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from "./value.ts";

/** What Kubernetes takes at most of a JSON patch (`k8s.io/apiserver`, `maxJSONPatchOperations`). */
const maxOperations = 10_000;
/** Copies that double a value again and again are how a small patch makes a large object. */
const maxCopiedNodes = 1_000_000;

/**
 * Applies a JSON patch (RFC 6902) to a copy of a document.
 * @throws FairleadError `input-invalid` for what is no patch, or for an operation that fails, a `test` among them
 */
export function applyJsonPatch(document: JsonObject, patch: JsonValue): JsonObject {
  if (!isJsonArray(patch)) throw refuse("a JSON patch is a list of operations");
  if (patch.length > maxOperations) throw refuse(`a JSON patch has at most ${maxOperations} operations`);
  const patched = new PatchedDocument(document);
  for (const operation of patch) patched.apply(operation);
  return patched.root;
}

class PatchedDocument {
  root: JsonObject;
  #copiedNodes = 0;

  constructor(document: JsonObject) {
    this.root = cloneObject(document);
  }

  apply(operation: JsonValue): void {
    if (!isJsonObject(operation)) throw refuse("an operation is an object");
    const path = readPointer(operation, "path");
    const name = operation.get("op");
    switch (name) {
      case "add":
        this.#add(path, cloneJson(valueOf(operation)));
        break;
      case "remove":
        this.#remove(path);
        break;
      case "replace":
        this.#get(path);
        this.#set(path, cloneJson(valueOf(operation)));
        break;
      case "move": {
        const from = readPointer(operation, "from");
        if (isWithin(path, from)) throw refuse("a value cannot be moved into itself");
        const moved = this.#get(from);
        this.#remove(from);
        this.#add(path, moved);
        break;
      }
      case "copy": {
        const copied = this.#get(readPointer(operation, "from"));
        this.#copiedNodes += countNodes(copied);
        if (this.#copiedNodes > maxCopiedNodes) throw refuse("the operations copy too much");
        this.#add(path, cloneJson(copied));
        break;
      }
      case "test":
        if (!equalJson(this.#get(path), operation.get("value") ?? null)) {
          throw refuse(`the test of ${excerpt(formatPointer(path))} failed`);
        }
        break;
      default:
        throw refuse(`there is no operation ${JSON.stringify(name ?? null)}`);
    }
  }

  #get(path: readonly string[]): JsonValue {
    let value: JsonValue = this.root;
    for (const key of path) {
      const member: JsonValue | undefined = isJsonArray(value)
        ? value[readIndex(key, value.length - 1)]
        : isJsonObject(value)
          ? value.get(key)
          : undefined;
      if (member === undefined) throw refuse(`there is no ${excerpt(formatPointer(path))}`);
      value = member;
    }
    return value;
  }

  #add(path: readonly string[], value: JsonValue): void {
    const parent = this.#parentOf(path);
    const key = path.at(-1) ?? "";
    if (isJsonArray(parent)) {
      parent.splice(key === "-" ? parent.length : readIndex(key, parent.length), 0, value);
    } else {
      this.#set(path, value);
    }
  }

  #set(path: readonly string[], value: JsonValue): void {
    const key = path.at(-1);
    if (key === undefined) {
      if (!isJsonObject(value)) throw refuse("the document stays an object");
      this.root = value;
      return;
    }
    const parent = this.#parentOf(path);
    if (isJsonArray(parent)) parent[readIndex(key, parent.length - 1)] = value;
    else parent.set(key, value);
  }

  #remove(path: readonly string[]): void {
    this.#get(path);
    const parent = this.#parentOf(path);
    const key = path.at(-1) ?? "";
    if (isJsonArray(parent)) parent.splice(readIndex(key, parent.length - 1), 1);
    else parent.delete(key);
  }

  #parentOf(path: readonly string[]): JsonArray | JsonObject {
    const parent = this.#get(path.slice(0, -1));
    if (isJsonArray(parent) || isJsonObject(parent)) return parent;
    throw refuse(`there is no place for ${excerpt(formatPointer(path))}`);
  }
}

/** Applies a merge patch (RFC 7396) to a document, which stays as it is. */
export function applyMergePatch(document: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return cloneJson(patch);
  const merged: JsonObject = isJsonObject(document) ? cloneObject(document) : new Map();
  for (const [key, value] of patch) {
    if (value === null) merged.delete(key);
    else merged.set(key, applyMergePatch(merged.get(key), value));
  }
  return merged;
}

/** The JSON patch that makes one document of another, element by element. */
export function diffJsonPatch(before: JsonObject, after: JsonObject): JsonArray {
  const operations: JsonArray = [];
  collectChanges([], before, after, operations);
  return operations;
}

function collectChanges(path: readonly string[], before: JsonValue, after: JsonValue, into: JsonArray): void {
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of before.keys()) {
      if (!after.has(key)) into.push(operation("remove", [...path, key]));
    }
    for (const [key, value] of after) {
      const old = before.get(key);
      if (old === undefined) into.push(operation("add", [...path, key], value));
      else collectChanges([...path, key], old, value, into);
    }
  } else if (isJsonArray(before) && isJsonArray(after) && before.length === after.length) {
    for (const [index, value] of after.entries()) {
      collectChanges([...path, String(index)], before[index] ?? null, value, into);
    }
  } else if (!equalJson(before, after)) {
    into.push(operation("replace", path, after));
  }
}

function operation(name: string, path: readonly string[], value?: JsonValue): JsonObject {
  const made: JsonObject = new Map([
    ["op", name],
    ["path", formatPointer(path)],
  ]);
  return value === undefined ? made : made.set("value", value);
}

/** The merge patch that makes one document of another. */
export function diffMergePatch(before: JsonObject, after: JsonObject): JsonObject {
  const patch: JsonObject = new Map();
  for (const key of before.keys()) if (!after.has(key)) patch.set(key, null);
  for (const [key, value] of after) {
    const old = before.get(key);
    if (isJsonObject(old) && isJsonObject(value)) {
      const inner = diffMergePatch(old, value);
      if (inner.size > 0) patch.set(key, inner);
    } else if (!equalJson(old, value)) {
      patch.set(key, value);
    }
  }
  return patch;
}

function valueOf(operation: JsonObject): JsonValue {
  const value = operation.get("value");
  if (value === undefined) throw refuse("the operation lacks its value");
  return value;
}

function readPointer(operation: JsonObject, member: string): readonly string[] {
  const pointer = operation.get(member);
  if (typeof pointer !== "string" || (pointer !== "" && !pointer.startsWith("/"))) {
    throw refuse(`the operation lacks its ${member}`);
  }
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function readIndex(key: string, max: number): number {
  const index = /^(?:0|[1-9][0-9]{0,8})$/u.test(key) ? Number(key) : -1;
  if (index === -1 || index > max) throw refuse(`there is no index '${excerpt(key, 40)}'`);
  return index;
}

function isWithin(path: readonly string[], outer: readonly string[]): boolean {
  return path.length > outer.length && outer.every((key, index) => path[index] === key);
}

function countNodes(value: JsonValue): number {
  if (isJsonArray(value)) return value.reduce<number>((sum, item) => sum + countNodes(item), 1);
  if (!isJsonObject(value)) return 1;
  return Array.from(value.values()).reduce<number>((sum, item) => sum + countNodes(item), 1);
}

function refuse(reason: string): FairleadError {
  return new FairleadError("input-invalid", reason);
}
