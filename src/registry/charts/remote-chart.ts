import type { RequestOptions } from "../registry-api.ts";

/** A chart's archive as it came from a registry or repository, its digest checked where one is known. */
export interface RemoteChart {
  readonly archive: Uint8Array;
  /** Where it came from, for people: an address with the version that was chosen. */
  readonly location: string;
}

/** Which version of a chart is wanted. */
export interface VersionChoice {
  /** As the user gave it, for messages. */
  readonly wanted: string | undefined;
  /** Whether it is one version and no range: a registry need not list its tags for it. */
  readonly isExact: boolean;
  /** The newest fitting one; undefined where none fits. @throws FairleadError for a range that cannot be read */
  readonly choose: (versions: readonly string[]) => string | undefined;
}

export interface FetchChartOptions extends RequestOptions {
  readonly version: VersionChoice;
  /** What the archive may hold. */
  readonly maxBytes: number;
}
