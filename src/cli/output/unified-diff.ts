import type { StructuredPatchHunk } from "diff";
import { escapeLine } from "../../core/escape.ts";
import type { Colours } from "./terminal.ts";

/** A file before and after. */
export interface ChangedText {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Changed files as a unified diff that `git apply` and `patch -p1` take, as long as no character of theirs had to be
 * escaped for the terminal.
 */
export async function formatUnifiedDiff(files: readonly ChangedText[], colours: Colours): Promise<string> {
  // No other command needs it, and it would cost each its start-up.
  const { structuredPatch } = await import("diff");
  return files
    .map(({ path, before, after }) => {
      const { hunks } = structuredPatch(path, path, before, after, undefined, undefined, { context: 3 });
      const name = escapeLine(path);
      const head = [colours.bold(`--- a/${name}`), colours.bold(`+++ b/${name}`)];
      return `${[...head, ...hunks.flatMap((hunk) => hunkLines(hunk, colours))].join("\n")}\n`;
    })
    .join("");
}

function hunkLines(hunk: StructuredPatchHunk, colours: Colours): readonly string[] {
  const { oldStart, oldLines, newStart, newLines, lines } = hunk;
  const head = colours.cyan(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`);
  return [head, ...lines.map((line) => colourLine(line, colours))];
}

/** A tab and the carriage return before a line end are harmless, and belong to the file. */
function colourLine(line: string, colours: Colours): string {
  const end = line.endsWith("\r") ? "\r" : "";
  const content = line.slice(0, line.length - end.length);
  const safe = content
    .split("\t")
    .map((part) => escapeLine(part))
    .join("\t");
  if (line.startsWith("+")) return colours.green(safe) + end;
  return (line.startsWith("-") ? colours.red(safe) : safe) + end;
}
