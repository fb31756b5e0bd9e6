/** A schema that cannot be used; the message is what Helm prints of it. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
  /** What can be done about it. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
