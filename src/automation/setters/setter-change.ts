/** The Kubernetes object that a text belongs to, as far as it says. */
export interface ChangedObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** One scalar that gets another value. */
export interface SetterChange {
  /** From 1. */
  readonly line: number;
  readonly object: ChangedObject;
  /** As the marker names it: `ns:policy`, or `ns:policy:part`. */
  readonly setter: string;
  /** Without the line ends of a block scalar. */
  readonly oldValue: string;
  readonly newValue: string;
}
