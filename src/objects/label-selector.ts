/** A Kubernetes label selector. */
export interface LabelSelector {
  readonly matchLabels: Labels;
  readonly matchExpressions: readonly LabelRequirement[];
}

export interface LabelRequirement {
  readonly key: string;
  /** Lt and Gt compare whole numbers; only selectors that are texts have them. */
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist" | "Lt" | "Gt";
  readonly values: readonly string[];
}

export type Labels = Readonly<Record<string, string>>;

/** Whether labels are selected, as Kubernetes selects; no selector selects all. */
export function matchesSelector(labels: Labels, selector: LabelSelector | undefined): boolean {
  if (selector === undefined) return true;
  return (
    Object.entries(selector.matchLabels).every(([key, value]) => valueOf(labels, key) === value) &&
    selector.matchExpressions.every((requirement) => isMet(requirement, labels))
  );
}

function isMet({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const value = valueOf(labels, key);
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "Lt":
    case "Gt":
      return isBeyond(operator, asInt64(value ?? ""), asInt64(values[0] ?? ""));
    default:
      return value === undefined;
  }
}

function isBeyond(operator: "Lt" | "Gt", value: bigint | undefined, limit: bigint | undefined): boolean {
  if (value === undefined || limit === undefined) return false;
  return operator === "Lt" ? value < limit : value > limit;
}

/** The number that a label's value spells; undefined where it spells none, or one beyond 64 bits. */
export function asInt64(value: string): bigint | undefined {
  if (!/^[0-9]+$/u.test(value)) return undefined;
  const number = BigInt(value);
  return number < 2n ** 63n ? number : undefined;
}

function valueOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
