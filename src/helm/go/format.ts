import { RenderBudget, type GoContext } from "./context.ts";
import { printedFrom } from "./cover.ts";
import { Formatter } from "./formatter.ts";
import { printScalar } from "./scalar-text.ts";
import { ValuePrinter } from "./value-printer.ts";
import { GoInteger, Tracked, untracked, type GoScalar, type GoValue, type Text } from "./value.ts";

/**
 * A text by a format and its operands (fmt.Sprintf). Strings under `%s`, `%v` and `%q` keep their exact spans, and
 * so does what of the format stands in the text.
 * @throws FairleadError `limit-exceeded`
 */
export function formatGo(format: Text, args: readonly GoValue[], context: GoContext): Text {
  return new Formatter(format, args, context.budget).run();
}

/**
 * The values one after another, with a space between two of which neither is a string (fmt.Sprint).
 * @param followsPointers prints what pointers point to, as actions do
 * @throws FairleadError `limit-exceeded`
 */
export function printGo(
  args: readonly GoValue[],
  budget: RenderBudget = new RenderBudget(),
  followsPointers = false,
): Text {
  const printer = new ValuePrinter(budget);
  let wasString = true;
  for (const arg of args) {
    const isString = typeof untracked(arg) === "string";
    if (!isString && !wasString) printer.write(" ");
    if (followsPointers) printer.printPointed(arg);
    else printer.print(arg);
    wasString = isString;
  }
  return printer.toText();
}

/**
 * The values with a space between each two, and a line feed (fmt.Sprintln).
 * @throws FairleadError `limit-exceeded`
 */
export function printlnGo(args: readonly GoValue[], budget: RenderBudget = new RenderBudget()): Text {
  const printer = new ValuePrinter(budget);
  for (const [index, arg] of args.entries()) {
    if (index > 0) printer.write(" ");
    printer.print(arg);
  }
  printer.write("\n");
  return printer.toText();
}

/**
 * What the action of a template prints: `%v`, with a pointer followed.
 * @param budget pays for what is printed of a list, map or struct; a scalar's text has been paid for already
 * @throws FairleadError `limit-exceeded`
 */
export function printValue(value: GoValue, budget: RenderBudget = new RenderBudget()): Text {
  if (typeof value === "string") return value;
  if (value instanceof Tracked) {
    return typeof value.value === "string" ? (value as Text) : printedFrom(printScalar(value.value), value);
  }
  if (isScalar(value)) return printScalar(value);
  const printer = new ValuePrinter(budget);
  printer.printPointed(value);
  return printer.toText();
}

function isScalar(value: GoValue): value is GoScalar {
  return value === null || typeof value !== "object" || value instanceof GoInteger;
}
