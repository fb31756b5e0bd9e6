import type { ValuePath } from "../../yaml/value-path.ts";

/** A rendered object with texts that no value reaches, as it is found again among other manifests. */
export interface ResidualObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The template that renders it, as helm's `# Source:` line names it. */
  readonly template?: string;
  /** What `helm.sh/hook` says, for a hook. */
  readonly hook?: string;
  readonly fields: readonly ResidualField[];
}

/** A text of an object, with what is to be changed in it. */
export interface ResidualField {
  readonly path: ValuePath;
  /** The container that the text belongs to, which may have come to stand elsewhere in its list. */
  readonly container?: string;
  /** True where the text is in base64. */
  readonly encoded?: true;
  readonly changes: readonly ResidualChange[];
}

/** A name to be replaced. */
export interface ResidualChange {
  /** As rendered with the override. */
  readonly from: string;
  readonly to: string;
  /** Where it stands in a longer text; absent where it is the whole text. */
  readonly occurrence?: Occurrence;
}

/** Of the places of a text at which either name of a change stands, the one that is meant, from 0. */
export interface Occurrence {
  readonly index: number;
  readonly of: number;
}
