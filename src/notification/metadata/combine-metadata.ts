import type { NotificationEvent } from "../event.ts";
import type { Alert } from "../objects/alert.ts";
import { eventPrefix, knownKeys, objectPrefix } from "./metadata-keys.ts";

/** Where metadata comes from, from the lowest precedence to the highest (RFC-0008), in Flux's words. */
export const metadataSources = [
  "involved object annotations",
  "Alert object .spec.eventMetadata",
  "Alert object .spec.summary",
  "involved object controller metadata",
] as const;

export type MetadataSource = (typeof metadataSources)[number];

/** A key that more than one source gives, equal values included. */
export interface MetadataConflict {
  readonly key: string;
  /** From the lowest precedence to the highest: the last one won. */
  readonly sources: readonly MetadataSource[];
}

export interface CombinedMetadata {
  /** Keys without prefixes, sorted. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The source that gave each key its value. */
  readonly origins: Readonly<Record<string, MetadataSource>>;
  /** Sorted by key. */
  readonly conflicts: readonly MetadataConflict[];
  /** Whether the Alert has the deprecated `.spec.summary`. */
  readonly usesSummary: boolean;
}

/**
 * Puts together the metadata that an Alert's notifications carry, by RFC-0008's order of precedence.
 * @param event its metadata cleaned, and without the token
 */
export function combineMetadata(event: NotificationEvent, { spec }: Pick<Alert, "spec">): CombinedMetadata {
  const { eventMetadata, summary = "" } = spec;
  const layers: readonly Readonly<Record<string, string>>[] = [
    withoutPrefix(event.metadata, eventPrefix),
    eventMetadata,
    summary === "" ? {} : { [knownKeys.summary]: summary },
    withoutPrefix(event.metadata, objectPrefix(event.involvedObject)),
  ];
  const given = new Map<string, { value: string; readonly sources: MetadataSource[] }>();
  for (const [index, source] of metadataSources.entries()) {
    for (const [key, value] of Object.entries(layers[index] ?? {})) {
      const known = given.get(key);
      if (known === undefined) given.set(key, { value, sources: [source] });
      else {
        known.value = value;
        known.sources.push(source);
      }
    }
  }
  const metadata = Object.create(null) as Record<string, string>;
  const origins = Object.create(null) as Record<string, MetadataSource>;
  const conflicts: MetadataConflict[] = [];
  for (const [key, { value, sources }] of [...given].toSorted(byKey)) {
    metadata[key] = value;
    const winner = sources.at(-1);
    if (winner !== undefined) origins[key] = winner;
    if (sources.length > 1) conflicts.push({ key, sources });
  }
  return { metadata, origins, conflicts, usesSummary: summary !== "" };
}

function withoutPrefix(
  metadata: Readonly<Record<string, string>>,
  prefix: string,
): Readonly<Record<string, string>> {
  const stripped = Object.create(null) as Record<string, string>;
  for (const [key, value] of Object.entries(metadata)) {
    if (key.startsWith(prefix)) stripped[key.slice(prefix.length)] = value;
  }
  return stripped;
}

/** By UTF-8, as Go compares. */
function byKey([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
