import { maxYamlDepth, type NodeProperties, type YamlHandler } from "./handler.ts";
import type { Cursor } from "./cursor.ts";
import { readScalar, shortTag } from "./tagged-scalar.ts";
import type { ValuePath } from "./value-path.ts";
import { createYamlMap, isYamlList, isYamlMap, type YamlValue } from "./value.ts";

/** A key that its map holds more than once; the last one wins. */
export interface DuplicateKey {
  readonly path: ValuePath;
  /** Offset of the later key. */
  readonly offset: number;
}

/** For each list and map of a document, the offsets where its items and keys are written. */
export type EntryOffsets = Map<YamlValue, Map<string | number, number>>;

/** A finished node with what an alias to it costs. */
interface Constructed {
  readonly value: YamlValue;
  /** The key it would be, for scalars only: a list or a map cannot be a key. */
  readonly key?: () => string;
  /** Nodes in it, aliases expanded. */
  readonly size: number;
  /** Levels of collections in it, aliases expanded. */
  readonly height: number;
  readonly isAlias: boolean;
  readonly offset: number;
}

interface Frame {
  readonly list: YamlValue[] | undefined;
  readonly map: Record<string, YamlValue> | undefined;
  readonly anchor: string | undefined;
  readonly offset: number;
  /** The key whose value comes next. */
  key: string | undefined;
  keyOffset: number;
  /** `<<` was read and its value comes next. */
  merging: boolean;
  /** Keys that came from a merge, which may be set again without being a duplicate. */
  merged: Set<string> | undefined;
  size: number;
  height: number;
}

/**
 * Builds a document's value as Helm gets it from sigs.k8s.io/yaml: YAML to Go values by go.yaml.in/yaml/v2,
 * then to JSON and back. So tags on collections mean nothing, an unknown tag makes a string, keys become
 * strings, a null key, an infinity and NaN are errors, and `<<` sets its keys where it stands, over those
 * before it. Aliases share their value, and their nodes are counted again.
 */
export class DocumentBuilder implements YamlHandler {
  readonly duplicates: DuplicateKey[] = [];
  private readonly frames: Frame[] = [];
  private readonly anchors = new Map<string, Constructed | undefined>();
  private readonly cursor: Cursor;
  private readonly maxNodes: number;
  private readonly entryOffsets: EntryOffsets | undefined;
  private root: YamlValue = null;
  /** Where the node at hand stands. */
  private offset = 0;
  private nodes = 0;
  private aliasedNodes = 0;

  /** @param entryOffsets filled where it is given */
  constructor(cursor: Cursor, maxNodes: number, entryOffsets?: EntryOffsets) {
    this.cursor = cursor;
    this.maxNodes = maxNodes;
    this.entryOffsets = entryOffsets;
  }

  get value(): YamlValue {
    return this.root;
  }

  open(kind: "list" | "map", { anchor }: NodeProperties, offset: number): void {
    this.offset = offset;
    // Known while it is open, so that an alias within it is seen to contain itself.
    if (anchor !== undefined) this.anchors.set(anchor, undefined);
    this.frames.push({
      list: kind === "list" ? [] : undefined,
      map: kind === "map" ? createYamlMap() : undefined,
      anchor,
      offset,
      key: undefined,
      keyOffset: offset,
      merging: false,
      merged: undefined,
      size: 1,
      height: 1,
    });
    this.count(1);
  }

  close(): void {
    const frame = this.frames.pop() as Frame;
    const value = frame.list ?? frame.map ?? null;
    const { size, height, offset } = frame;
    this.finish({ value, size, height, isAlias: false, offset }, frame.anchor);
  }

  scalar(text: string, plain: boolean, properties: NodeProperties, offset: number): void {
    this.offset = offset;
    const tag = shortTag(properties.tag);
    const frame = this.frames.at(-1);
    if (frame !== undefined && text === "<<" && awaitsKey(frame) && isMergeTag(tag, plain)) {
      frame.merging = true;
      return;
    }
    this.count(1);
    const { value, key } = readScalar(text, tag ?? (plain ? undefined : "str"), (message) =>
      this.fail(message),
    );
    this.finish({ value, key, size: 1, height: 0, isAlias: false, offset }, properties.anchor);
  }

  alias(name: string, offset: number): void {
    this.offset = offset;
    const target = this.anchors.get(name);
    if (target === undefined) {
      throw this.fail(
        this.anchors.has(name) ? `anchor "${name}" contains itself` : `unknown anchor "${name}" referenced`,
      );
    }
    if (this.frames.length + target.height > maxYamlDepth) {
      throw this.exceed(`aliases nest deeper than ${maxYamlDepth} levels`);
    }
    this.aliasedNodes += target.size;
    this.count(1 + target.size);
    this.finish({ ...target, size: target.size + 1, isAlias: true, offset }, undefined);
  }

  private finish(node: Constructed, anchor: string | undefined): void {
    if (anchor !== undefined) this.anchors.set(anchor, node);
    const frame = this.frames.at(-1);
    if (typeof node.value === "number" && !Number.isFinite(node.value) && !(frame && awaitsKey(frame))) {
      throw this.fail("infinity and NaN cannot be held in JSON, and so not in Helm's values");
    }
    if (frame === undefined) {
      this.root = node.value;
      return;
    }
    frame.size += node.size;
    frame.height = Math.max(frame.height, node.height + 1);
    if (frame.list !== undefined) {
      this.recordEntry(frame.list, frame.list.length, node.offset);
      frame.list.push(node.value);
    }
    if (frame.map !== undefined) this.addToMap(frame, frame.map, node);
  }

  private addToMap(frame: Frame, map: Record<string, YamlValue>, node: Constructed): void {
    if (frame.merging) {
      this.merge(frame, map, node);
      frame.merging = false;
    } else if (frame.key === undefined) {
      if (node.key === undefined) {
        throw this.cursor.fail(node.offset, "a list or a map cannot be a key; is a template to be quoted?");
      }
      frame.key = node.key();
      frame.keyOffset = node.offset;
      if (frame.key in map && frame.merged?.has(frame.key) !== true) {
        this.duplicates.push({ path: this.path(), offset: this.offset });
      }
    } else {
      map[frame.key] = node.value;
      this.recordEntry(map, frame.key, frame.keyOffset);
      frame.key = undefined;
    }
  }

  private merge(frame: Frame, map: Record<string, YamlValue>, node: Constructed): void {
    // Of several maps the first wins, so it is set last.
    const sources = isYamlList(node.value) && !node.isAlias ? node.value.toReversed() : [node.value];
    for (const source of sources) {
      if (!isYamlMap(source)) throw this.fail("a merge (<<) needs a map or a list of maps");
      for (const key of Object.keys(source)) {
        if (!(key in map)) (frame.merged ??= new Set()).add(key);
        map[key] = source[key] ?? null;
        this.recordEntry(map, key, this.entryOffsets?.get(source)?.get(key) ?? node.offset);
      }
    }
  }

  private recordEntry(container: YamlValue, key: string | number, offset: number): void {
    if (this.entryOffsets === undefined) return;
    const offsets = this.entryOffsets.get(container);
    if (offsets === undefined) this.entryOffsets.set(container, new Map([[key, offset]]));
    else offsets.set(key, offset);
  }

  private count(nodes: number): void {
    this.nodes += nodes;
    if (this.nodes > this.maxNodes) throw this.exceed(`the document has more than ${this.maxNodes} nodes`);
    if (this.aliasedNodes > 100 && this.nodes > 1000 && this.aliasedNodes / this.nodes > 0.99) {
      throw this.exceed("the document consists of aliases for more than 99 %, which Helm refuses too");
    }
  }

  /** The path of the key at hand. */
  private path(): ValuePath {
    return this.frames.map((frame) => frame.list?.length ?? frame.key ?? "<<");
  }

  private fail(message: string): Error {
    return this.cursor.fail(this.offset, message);
  }

  private exceed(message: string): Error {
    return this.cursor.exceed(this.offset, message);
  }
}

function awaitsKey(frame: Frame): boolean {
  return frame.map !== undefined && frame.key === undefined && !frame.merging;
}

function isMergeTag(tag: string | undefined, plain: boolean): boolean {
  return tag === undefined ? plain : tag === "merge" || tag === "!";
}
