/** A Kubernetes label selector. */
export interface LabelSelector {
  readonly matchLabels: Labels;
  readonly matchExpressions: readonly LabelRequirement[];
}

export interface LabelRequirement {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
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
    default:
      return value === undefined;
  }
}

function valueOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
