import { formatValuePath, type ValuePath } from "../../yaml/value-path.ts";
import { isYamlList, isYamlMap, type YamlValue } from "../../yaml/value.ts";
import { findEntry, type WrittenEntry, type WrittenMap, type WrittenNode } from "./written-node.ts";

/** Why what stands at a place cannot be edited there. */
export type Obstacle = "alias" | "anchor" | "merge" | "duplicate";

/** A value within a document, and where it is written. */
export class Place {
  readonly path: ValuePath;
  /** Undefined where there is nothing. */
  readonly value: YamlValue | undefined;
  /** Undefined where nothing is written, or it is written elsewhere. */
  readonly node: WrittenNode | undefined;
  readonly obstacle: Obstacle | undefined;
  /** Offset of it, or of the nearest thing around it that is written. */
  readonly offset: number;

  constructor(
    path: ValuePath,
    value: YamlValue | undefined,
    node: WrittenNode | undefined,
    around: { readonly obstacle?: Obstacle | undefined; readonly offset: number },
  ) {
    this.path = path;
    this.value = value;
    this.node = node;
    this.offset = node?.start ?? around.offset;
    this.obstacle = around.obstacle ?? obstacleOf(node);
  }

  /** The map that is written here. */
  get map(): WrittenMap | undefined {
    return this.node?.kind === "map" ? this.node : undefined;
  }

  /** Such as `spec.containers[0]`. */
  get field(): string {
    return formatValuePath(this.path);
  }

  /** How an entry of the map is written. */
  entry(key: string): WrittenEntry | undefined {
    return this.map === undefined ? undefined : findEntry(this.map, key);
  }

  /** What stands here under a key. */
  child(key: string): Place {
    const value = isYamlMap(this.value) && Object.hasOwn(this.value, key) ? this.value[key] : undefined;
    const node = this.entry(key)?.value;
    const isMissing = value !== undefined && node === undefined;
    const obstacle = this.obstacle ?? (isMissing ? whyMissing(this.map, key) : undefined);
    return new Place([...this.path, key], value, node, { obstacle, offset: this.offset });
  }

  /** The items of a list; none where this is no list. */
  items(): readonly Place[] {
    if (!isYamlList(this.value)) return [];
    const nodes = this.node?.kind === "list" ? this.node.items : [];
    return this.value.map((value, index) => new Place([...this.path, index], value, nodes[index], this));
  }
}

function obstacleOf(node: WrittenNode | undefined): Obstacle | undefined {
  if (node?.kind === "alias") return "alias";
  return node?.hasAnchor === true ? "anchor" : undefined;
}

function whyMissing(map: WrittenMap | undefined, key: string): Obstacle {
  const isWritten = map?.entries.some((entry) => entry.key.kind === "scalar" && entry.key.text === key);
  return isWritten === true ? "duplicate" : "merge";
}
