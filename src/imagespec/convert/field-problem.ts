/** What is wrong with a field, as Kubernetes tells it in the causes of a Status. */
export interface FieldProblem {
  /** Kubernetes's cause type (`k8s.io/apimachinery`, `pkg/util/validation/field/errors.go`). */
  readonly reason:
    | "FieldValueRequired"
    | "FieldValueInvalid"
    | "FieldValueForbidden"
    | "FieldValueTypeInvalid";
  /** Such as `spec.template.spec.containers[0].imageSpec.dockerImage.tag`. */
  readonly field: string;
  /** What is to be read behind the field, without it. */
  readonly message: string;
}

/** A problem in one line, as `kubectl` shows it. */
export function formatFieldProblem({ field, message }: FieldProblem): string {
  return `${field}: ${message}`;
}

/** A required field that is missing. */
export function required(field: string, detail: string): FieldProblem {
  return { reason: "FieldValueRequired", field, message: `Required value: ${detail}` };
}

/** A field that must not be set here. */
export function forbidden(field: string, detail: string): FieldProblem {
  return { reason: "FieldValueForbidden", field, message: `Forbidden: ${detail}` };
}

/** A field whose value breaks a rule. */
export function invalid(field: string, value: unknown, detail: string): FieldProblem {
  return { reason: "FieldValueInvalid", field, message: `Invalid value: ${shown(value)}: ${detail}` };
}

/** A field of another type. */
export function wrongType(field: string, value: unknown, type: string): FieldProblem {
  return {
    reason: "FieldValueTypeInvalid",
    field,
    message: `Invalid value: ${shown(value)}: must be ${type}`,
  };
}

function shown(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? "null").slice(0, 200);
  } catch {
    // What is nested too deep, as anyone may write it into an annotation.
    return "…";
  }
}
