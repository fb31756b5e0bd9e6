import type { Diagnostic } from "../../core/diagnostic.ts";
import { escapeLine } from "../../core/escape.ts";
import type { ContainerChange } from "../../imagespec/manifest/convert-manifest.ts";
import type { Colours } from "./terminal.ts";

/** A file whose containers were converted. */
interface ChangedManifest {
  readonly name: string;
  readonly changes: readonly ContainerChange[];
}

/** What a conversion changed, a line for each container, safe to print, and what it comes to. */
export function formatConversion(files: readonly ChangedManifest[], colours: Colours): string {
  const lines = files.flatMap(({ name, changes }) =>
    changes.map(({ line, field, image, annotation }) => {
      const place = colours.bold(escapeLine(`${name}:${line}`));
      const aside = annotation === "kept" ? "" : `, annotation ${annotation}`;
      return `${place}: ${escapeLine(field)}: ${escapeLine(image)}${aside}\n`;
    }),
  );
  return lines.length === 0
    ? "Nothing to convert.\n"
    : `${lines.join("")}Converted ${count(lines.length, "container")} in ${count(files.length, "file")}.\n`;
}

/** A conversion for programs. */
export function describeConversion(
  files: readonly ChangedManifest[],
  diagnostics: readonly Diagnostic[],
  written: boolean,
): Readonly<Record<string, unknown>> {
  return { written, files: files.map(({ name, changes }) => ({ path: name, changes })), diagnostics };
}

/** Manifests as one stream of documents; a single one as it is. */
export function joinManifests(texts: readonly string[]): string {
  let joined = "";
  for (const [index, text] of texts.entries()) {
    const next = index === 0 ? text : text.replace(/^\ufeff/u, "");
    if (index > 0 && !/[\r\n]$/u.test(joined) && joined !== "") joined += "\n";
    // A directive belongs to the document below it, and needs the one above it to end.
    if (index > 0) joined += next.startsWith("%") ? "...\n" : /^---\s/u.test(next) ? "" : "---\n";
    joined += next;
  }
  return joined;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
