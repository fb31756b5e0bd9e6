/** The error with which the execution of a template ends; the message is text/template's own. */
export class TemplateExecError extends Error {
  override readonly name = "TemplateExecError";
  /** The name of the template that was executed. */
  readonly template: string;

  constructor(template: string, message: string, cause?: Error) {
    super(message, cause === undefined ? undefined : { cause });
    this.template = template;
  }
}
