import { escapeLine } from "../../core/escape.ts";
import type { TreeUpdate } from "../../automation/setters/update-tree.ts";
import type { Colours } from "./terminal.ts";

/** What an update changed, a line for each value, safe to print, and what it comes to. */
export function formatUpdate({ files }: Pick<TreeUpdate, "files">, colours: Colours): string {
  const lines = files.flatMap(({ path, changes }) =>
    changes.map(({ line, setter, oldValue, newValue }) => {
      const place = colours.bold(escapeLine(`${path}:${line}`));
      const values = `${colours.red(quote(oldValue))} -> ${colours.green(quote(newValue))}`;
      return `${place}: ${escapeLine(setter)}: ${values}\n`;
    }),
  );
  const values = lines.length;
  return values === 0
    ? "Nothing to update.\n"
    : `${lines.join("")}Updated ${count(values, "value")} in ${count(files.length, "file")}.\n`;
}

/** An update for programs. */
export function describeUpdate(
  { files, diagnostics }: TreeUpdate,
  written: boolean,
): Readonly<Record<string, unknown>> {
  return { written, files: files.map(({ path, changes }) => ({ path, changes })), diagnostics };
}

function quote(value: string): string {
  return value === "" ? '""' : escapeLine(value);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
