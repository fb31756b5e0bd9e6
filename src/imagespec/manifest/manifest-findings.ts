import type { Diagnostic, DiagnosticCode, Severity } from "../../core/diagnostic.ts";
import { FairleadError } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import type { FieldProblem } from "../convert/field-problem.ts";
import type { Place } from "./place.ts";
import { readWrittenDocuments, type WrittenDocuments } from "./written-document.ts";

const renderHint =
  "this looks like a template: render it first, as by `fairlead render` or `helm template`, and convert what comes out";

/** What is found in one file. */
export class ManifestFindings {
  readonly diagnostics: Diagnostic[] = [];
  readonly #file: string;
  #documents: WrittenDocuments | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  get hasErrors(): boolean {
    return this.diagnostics.some(({ severity }) => severity === "error");
  }

  /** Reads the file's text; undefined, and told, where it is malformed. */
  tryRead(text: string): WrittenDocuments | undefined {
    try {
      this.#documents = readWrittenDocuments(text, this.#file);
      return this.#documents;
    } catch (error) {
      if (!(error instanceof FairleadError)) throw error;
      const hint = /\{\{.*\}\}/u.test(text) ? renderHint : error.hint;
      this.diagnostics.push({
        code: "file-unparsable",
        severity: "error",
        message: error.message,
        where: error.where,
        ...(hint !== undefined && { hint }),
      });
      return undefined;
    }
  }

  /** A broken rule, at the nearest thing that is written. */
  tellProblem(container: Place, { field, message }: FieldProblem): void {
    this.tell("image-spec-invalid", "error", nearest(container, field), message, { field });
  }

  /** An image that cannot be parsed. */
  tellUnreadable(place: Place, image: string): void {
    const message = `image '${excerpt(image)}' cannot be parsed`;
    const hint = image.includes("{{") ? renderHint : undefined;
    this.tell("reference-unparsable", "warning", place, message, { hint });
  }

  /** A container that cannot be edited. @param why the end of the sentence */
  tellRefused(container: Place, why: string): void {
    this.tell("unsupported-structure", "warning", container, `the container ${why}`);
  }

  /** Edits that would do something else than they should. */
  tellUnproven(): void {
    this.diagnostics.push({
      code: "unsupported-structure",
      severity: "warning",
      message: "the file is written in a way that cannot be edited safely",
      where: { file: this.#file },
    });
  }

  /** A finding at a place. @param options.field where it is not that of the place */
  tell(
    code: DiagnosticCode,
    severity: Severity,
    place: Place,
    message: string,
    { field = place.field, hint }: { readonly field?: string; readonly hint?: string | undefined } = {},
  ): void {
    const position = this.#documents?.cursor.where(place.offset) ?? { file: this.#file };
    this.diagnostics.push({
      code,
      severity,
      message,
      where: { ...position, valuePath: field },
      ...(hint !== undefined && { hint }),
    });
  }
}

/** What is written of a field, or of the nearest thing around it. */
function nearest(container: Place, field: string): Place {
  let place = container;
  for (const key of field.slice(container.field.length + 1).split(".")) {
    const child = place.child(key);
    if (child.value === undefined) return place;
    place = child;
  }
  return place;
}
