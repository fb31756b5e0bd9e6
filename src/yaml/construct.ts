import { maxYamlDepth, type NodeProperties, type YamlHandler } from "./handler.ts";
import type { Cursor } from "./cursor.ts";
import { record, type Records, type ScalarRange } from "./records.ts";
import { readScalar, shortTag } from "./tagged-scalar.ts";
import type { ValuePath } from "./value-path.ts";
import { createYamlMap, isYamlList, isYamlMap, type YamlValue } from "./value.ts";

/** A key that its map holds more than once; the last one wins. */
export interface DuplicateKey {
  readonly path: ValuePath;
  /** Offset of the later key. */
  readonly offset: number;
}

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
  /** Where a scalar is written, if that is recorded; elsewhere for an alias. */
  readonly range: ScalarRange | undefined;
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
  private readonly records: Records;
  private root: YamlValue = null;
  /** Where the node at hand stands. */
  private offset = 0;
  private nodes = 0;
  private aliasedNodes = 0;

  /** @param records filled where they are given */
  constructor(cursor: Cursor, maxNodes: number, records: Records = {}) {
    this.cursor = cursor;
    this.maxNodes = maxNodes;
    this.records = records;
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
    this.finish({ value, size, height, isAlias: false, offset, range: undefined }, frame.anchor);
  }

  scalar(text: string, plain: boolean, properties: NodeProperties, offset: number, end: number): void {
    this.offset = offset;
    const tag = shortTag(properties.tag);
    const frame = this.frames.at(-1);
    if (frame !== undefined && text === "<<" && awaitsKey(frame) && isMergeTag(tag, plain)) {
      frame.merging = true;
      return;
    }
    this.count(1);
    const { value, key } = readScalar(text, tag ?? (plain ? undefined : "str"), (message, problem) =>
      this.fail(message, problem),
    );
    const range = this.records.scalars === undefined ? undefined : { start: offset, end };
    this.finish({ value, key, size: 1, height: 0, isAlias: false, offset, range }, properties.anchor);
  }

  alias(name: string, offset: number): void {
    this.offset = offset;
    const target = this.anchors.get(name);
    if (target === undefined) {
      throw this.anchors.has(name)
        ? this.fail(`anchor "${name}" contains itself`, `yaml: anchor '${name}' value contains itself`)
        : this.fail(`unknown anchor "${name}" referenced`, `yaml: unknown anchor '${name}' referenced`);
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
      const name = Number.isNaN(node.value) ? "NaN" : node.value > 0 ? "+Inf" : "-Inf";
      throw this.fail(
        "infinity and NaN cannot be held in JSON, and so not in Helm's values",
        `json: unsupported value: ${name}`,
      );
    }
    if (frame === undefined) {
      this.root = node.value;
      return;
    }
    frame.size += node.size;
    frame.height = Math.max(frame.height, node.height + 1);
    if (frame.list !== undefined) {
      record(this.records.entries, frame.list, frame.list.length, node.offset);
      record(this.records.scalars, frame.list, frame.list.length, node.range);
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
        throw this.cursor.fail(node.offset, "a list or a map cannot be a key; is a template to be quoted?", {
          invalidKey: node.value,
        });
      }
      frame.key = node.key();
      frame.keyOffset = node.offset;
      if (frame.key in map && frame.merged?.has(frame.key) !== true) {
        this.duplicates.push({ path: this.path(), offset: this.offset });
      }
    } else {
      map[frame.key] = node.value;
      record(this.records.entries, map, frame.key, frame.keyOffset);
      record(this.records.scalars, map, frame.key, node.range);
      frame.key = undefined;
    }
  }

  private merge(frame: Frame, map: Record<string, YamlValue>, node: Constructed): void {
    // Of several maps the first wins, so it is set last.
    const sources = isYamlList(node.value) && !node.isAlias ? node.value.toReversed() : [node.value];
    for (const source of sources) {
      if (!isYamlMap(source)) {
        throw this.fail(
          "a merge (<<) needs a map or a list of maps",
          "yaml: map merge requires map or sequence of maps as the value",
        );
      }
      for (const key of Object.keys(source)) {
        if (!(key in map)) (frame.merged ??= new Set()).add(key);
        map[key] = source[key] ?? null;
        const { entries, scalars } = this.records;
        record(entries, map, key, entries?.get(source)?.get(key) ?? node.offset);
        record(scalars, map, key, scalars?.get(source)?.get(key));
      }
    }
  }

  private count(nodes: number): void {
    this.nodes += nodes;
    if (this.nodes > this.maxNodes) throw this.exceed(`the document has more than ${this.maxNodes} nodes`);
    const share = this.aliasedNodes / this.nodes;
    if (this.aliasedNodes > 100 && this.nodes > 1000 && share > maxAliasShare(this.nodes)) {
      throw this.exceed(
        "too much of the document consists of aliases, which Helm refuses too",
        "yaml: document contains excessive aliasing",
      );
    }
  }

  /** The path of the key at hand. */
  private path(): ValuePath {
    return this.frames.map((frame) => frame.list?.length ?? frame.key ?? "<<");
  }

  private fail(message: string, problem: string): Error {
    return this.cursor.fail(this.offset, message, problem);
  }

  private exceed(message: string, problem?: string): Error {
    return this.cursor.exceed(this.offset, message, problem);
  }
}

/** The part of a document that may come from aliases: 99 %, of more than 400,000 nodes less and less. */
function maxAliasShare(nodes: number): number {
  return nodes <= 400_000 ? 0.99 : Math.max(0.99 - (0.89 * (nodes - 400_000)) / 3_600_000, 0.1);
}

function awaitsKey(frame: Frame): boolean {
  return frame.map !== undefined && frame.key === undefined && !frame.merging;
}

function isMergeTag(tag: string | undefined, plain: boolean): boolean {
  return tag === undefined ? plain : tag === "merge" || tag === "!";
}
