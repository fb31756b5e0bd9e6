import { dirname, join } from "node:path";
import { describeFileFailure } from "../../core/file-failure.ts";
import { FairleadError } from "../../core/error.ts";
import { makeFolders } from "../../core/make-folders.ts";
import { printedHooks, type FormatOptions } from "../../helm/render/format-manifests.ts";
import type { RenderedChart } from "../../helm/render/render-chart.ts";
import { plainText } from "../../helm/go/text.ts";
import { fromBytes } from "../../helm/go/utf8.ts";
import type { Text } from "../../helm/go/value.ts";
import { writeAll } from "./write-output.ts";

interface Folders {
  /** Where the files of `crds/` go, as in Helm. */
  readonly crds: string;
  readonly manifests: string;
}

/**
 * Writes manifests to one file for each template, below a folder, as `helm template --output-dir` does; files
 * that are there are replaced.
 * @returns what Helm prints of it: a line for each manifest
 * @throws FairleadError `output-refused`
 */
export async function writeManifestFiles(
  rendered: RenderedChart,
  folders: Folders,
  format: Pick<FormatOptions, "hooks" | "tests" | "crds">,
): Promise<string> {
  const files = new Map<string, string>();
  const lines: string[] = [];
  const add = (folder: string, source: string, text: Text): void => {
    const name = fromBytes(source);
    const path = placeOf(folder, name);
    const document = `---\n# Source: ${name}\n${fromBytes(plainText(text))}\n`;
    files.set(path, (files.get(path) ?? "") + document);
    lines.push(`wrote ${folder}/${name}\n`);
  };
  if (format.crds === true) for (const { source, text } of rendered.crds) add(folders.crds, source, text);
  for (const { source, text } of rendered.manifests) add(folders.manifests, source, text);
  for (const { source, text } of printedHooks(rendered.hooks, format)) add(folders.manifests, source, text);
  for (const path of files.keys()) makeFolder(dirname(path));
  const outputs = [...files].map(([path, text]) => ({ path, text, kind: "override-yaml" as const }));
  await writeAll(outputs, { force: true });
  return `${lines.join("")}\n`;
}

function placeOf(folder: string, name: string): string {
  if (name.split("/").includes("..")) {
    throw new FairleadError("output-refused", "the template's name leads out of the output folder", {
      where: { file: name },
    });
  }
  return join(folder, name);
}

function makeFolder(path: string): void {
  try {
    makeFolders(path);
  } catch (cause) {
    const message = `cannot make the folder: ${describeFileFailure(cause)}`;
    throw new FairleadError("output-refused", message, { where: { file: path }, cause });
  }
}
