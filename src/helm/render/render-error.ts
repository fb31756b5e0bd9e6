import { FairleadError } from "../../core/error.ts";
import type { HelmVersion } from "../chart/chart.ts";
import { fromBytes } from "../go/utf8.ts";
import { warningMarks } from "../functions/helm-functions.ts";
import { TemplateExecError } from "../template/exec-error.ts";
import type { TemplateParseError } from "../template/template-error.ts";

/** What Helm says of a template that cannot be parsed (pkg/engine/engine.go, cleanupParseError). */
export function parseFailure(error: TemplateParseError): FairleadError {
  const [, location = "", ...others] = error.message.split(": ");
  return renderFailure(`parse error at (${location}): ${others.at(-1) ?? location}`, location, error);
}

/**
 * What Helm says of an error in a template: of `fail` and `required` their message with its place, else the
 * whole chain of places, which Helm 4 sets out on lines of their own (cleanupExecError, reformatExecErrorMsg).
 * @param error anything that the execution threw; what is not of the templates comes back as it is
 */
export function executionFailure(error: Error, helm: HelmVersion): Error {
  if (error instanceof FairleadError) return error;
  if (!(error instanceof TemplateExecError)) return renderFailure(error.message, "", error);
  const [, location, rest] = splitFirst(error.message);
  const warning = warningIn(rest);
  if (warning !== undefined) {
    return renderFailure(`execution error at (${location}): ${warning}`, location, error);
  }
  const message = helm === "helm3" ? undefined : describeChain(error);
  return renderFailure(message ?? error.message, location, error);
}

/** The text before the first `: `, before the second, and what remains. */
function splitFirst(message: string): [string, string, string] {
  const first = message.indexOf(": ");
  const second = first === -1 ? -1 : message.indexOf(": ", first + 2);
  if (second === -1) return [message, "", ""];
  return [message.slice(0, first), message.slice(first + 2, second), message.slice(second + 2)];
}

function warningIn(text: string): string | undefined {
  const { start, end } = warningMarks;
  const from = text.indexOf(start);
  const to = text.lastIndexOf(end);
  return from === -1 || to < from + start.length ? undefined : text.slice(from + start.length, to);
}

/** @param location as text/template has it, `shop/templates/web.yaml:3:5` */
function renderFailure(message: string, location: string, cause: Error): FairleadError {
  const [, file, line] = /^(.*?):([0-9]+)(?::[0-9]+)?$/su.exec(location) ?? [];
  const where = file === undefined ? {} : { file: fromBytes(file), line: Number(line) };
  return new FairleadError("render-failed", fromBytes(message), { where, cause });
}

/** A step of a chain of errors, as Helm 4 sets it out. */
interface Step {
  readonly location: string;
  readonly executed: string;
  readonly message: string;
}

/** Undefined where the chain ends in an error that is not of a template: Helm 4 then says what Helm 3 says. */
function describeChain(error: Error): string | undefined {
  const lines: string[] = [];
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    const step = tryParseStep(current.message);
    if (step === undefined) return undefined;
    const text = formatStep(step);
    if (lines.at(-1) !== text) lines.push(text);
  }
  return lines.join("").trim();
}

function tryParseStep(message: string): Step | undefined {
  const prefix = "template: ";
  if (!message.startsWith(prefix)) return undefined;
  const rest = message.slice(prefix.length);
  if (rest.startsWith("no template ")) return { location: "", executed: "", message };
  return tryParseExecuting(rest) ?? tryParseSimple(rest);
}

/** `name:1:2: executing "name" at <.x>: what is wrong`. */
function tryParseExecuting(rest: string): Step | undefined {
  const mark = rest.indexOf(": executing ");
  if (mark === -1) return undefined;
  const after = rest.slice(mark + ": executing ".length);
  const nameEnd = after.indexOf('"', 1);
  if (!after.startsWith('"') || nameEnd === -1) return undefined;
  const at = after.slice(nameEnd + 1);
  const expressionEnd = at.indexOf(">: ");
  if (!at.startsWith(" at <") || expressionEnd < 5) return undefined;
  return {
    location: rest.slice(0, mark),
    executed: `executing ${after.slice(0, nameEnd + 1)} at <${at.slice(5, expressionEnd)}>:`,
    message: beforeNext(at.slice(expressionEnd + 3)),
  };
}

function tryParseSimple(rest: string): Step | undefined {
  const separator = rest.lastIndexOf(": ");
  if (separator === -1) return undefined;
  return { location: rest.slice(0, separator), executed: "", message: beforeNext(rest.slice(separator + 2)) };
}

/** Without the error that follows in the chain. */
function beforeNext(message: string): string {
  const next = message.indexOf(" template:");
  return next === -1 ? message : message.slice(0, next);
}

function formatStep({ location, executed, message }: Step): string {
  return [
    location === "" ? "" : `${location}\n  `,
    executed === "" ? "" : `${executed}\n    `,
    message === "" ? "" : `${message}\n`,
  ].join("");
}
