import { FairleadError } from "../../core/error.ts";
import type { HelmVersion } from "../chart/chart.ts";
import { matchesFilePattern, tryParseFilePattern } from "../chart/file-pattern.ts";
import { plainText, TextBuilder } from "../go/text.ts";
import { fromBytes } from "../go/utf8.ts";
import type { Text } from "../go/value.ts";
import type { Hook, Manifest } from "./sort-manifests.ts";
import { splitManifests, trimText } from "./split-manifests.ts";

/** A file of `crds/`, which is not a template. */
export interface CustomResourceFile {
  /** As Helm names it: `shop/crds/orders.yaml`. */
  readonly source: string;
  readonly text: Text;
}

interface Printable {
  readonly manifests: readonly Manifest[];
  readonly hooks: readonly Hook[];
  readonly crds: readonly CustomResourceFile[];
}

export interface FormatOptions {
  /** Default: helm3. */
  readonly helm?: HelmVersion;
  /** Default: true. */
  readonly hooks?: boolean;
  /** Whether hooks for `helm test` are printed; default: true. */
  readonly tests?: boolean;
  /** Whether the files of `crds/` are printed; default: false. */
  readonly crds?: boolean;
  /** Patterns of templates, such as `templates/*.yaml`; only what they make is printed. Default: all. */
  readonly showOnly?: readonly string[];
}

/**
 * What `helm template` prints (cmd/helm/template.go): the manifests, then the hooks, each after a line that
 * names its template.
 * @throws FairleadError `render-failed` where nothing comes from a template of `showOnly`
 */
export function formatManifests(rendered: Printable, options: FormatOptions = {}): Text {
  const { helm = "helm3", showOnly = [] } = options;
  const release = new TextBuilder();
  if (options.crds === true)
    for (const { source, text } of rendered.crds) appendDocument(release, source, text);
  for (const { source, text } of rendered.manifests) appendDocument(release, source, text);
  const output = new TextBuilder();
  output.append(trimText(release.toText()));
  output.append("\n");
  for (const { source, text } of printedHooks(rendered.hooks, options)) appendDocument(output, source, text);
  return showOnly.length === 0 ? output.toText() : selectManifests(output.toText(), showOnly, helm);
}

/** The hooks that are to be printed. */
export function printedHooks(
  hooks: readonly Hook[],
  { hooks: wanted = true, tests = true }: Pick<FormatOptions, "hooks" | "tests">,
): readonly Hook[] {
  return wanted ? hooks.filter(({ events }) => tests || !events.includes("test")) : [];
}

function appendDocument(output: TextBuilder, source: string, text: Text): void {
  output.append(`---\n# Source: ${source}\n`);
  output.append(text);
  output.append("\n");
}

/** Helm takes its output apart once more, so a document after the first of a file of `crds/` is never found. */
function selectManifests(output: Text, showOnly: readonly string[], helm: HelmVersion): Text {
  const documents = splitManifests(output, helm).map((text) => ({ text, name: sourceOf(plainText(text)) }));
  const selected = new TextBuilder();
  for (const asked of showOnly) {
    const pattern = tryParseFilePattern(asked);
    const found = documents.filter(
      ({ name }) => pattern !== undefined && name !== undefined && matchesFilePattern(pattern, name),
    );
    if (found.length === 0) {
      throw new FairleadError("render-failed", `could not find template ${asked} in chart`, {
        hint: "name it as it stands after the chart's name in `# Source:`, such as templates/web.yaml",
      });
    }
    for (const { text } of found) {
      selected.append("---\n");
      selected.append(text);
      selected.append("\n");
    }
  }
  return selected.toText();
}

/** The template's name without the chart's, as the first line that names one has it. */
function sourceOf(document: string): string | undefined {
  const mark = "# Source: ";
  for (let start = document.indexOf(mark); start !== -1; start = document.indexOf(mark, start + 1)) {
    const slash = document.indexOf("/", start + mark.length);
    if (slash === -1) return undefined;
    const lineEnd = document.indexOf("\n", slash);
    const name = document.slice(slash + 1, lineEnd === -1 ? undefined : lineEnd);
    if (slash > start + mark.length && name !== "") return fromBytes(name);
  }
  return undefined;
}
