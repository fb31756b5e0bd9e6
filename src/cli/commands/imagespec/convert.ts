import { Command, Option } from "commander";
import type { Diagnostic } from "../../../core/diagnostic.ts";
import { FairleadError } from "../../../core/error.ts";
import type { ConversionTarget } from "../../../imagespec/manifest/convert-container.ts";
import { type ConvertedManifest, convertManifest } from "../../../imagespec/manifest/convert-manifest.ts";
import { formatJson } from "../../../relocation/report/json-text.ts";
import type { CliIo, Exit } from "../../io.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../../options/log-options.ts";
import { addManifestOption, type ManifestText, readManifestTexts } from "../../options/manifest-input.ts";
import { describeConversion, formatConversion, joinManifests } from "../../output/conversion-text.ts";
import { formatUnifiedDiff } from "../../output/unified-diff.ts";
import { writeAll } from "../../output/write-output.ts";
import { tellerFor } from "../../teller.ts";

interface ConvertOptions extends LogOptions {
  readonly to: ConversionTarget;
  readonly filename: readonly string[];
  readonly inPlace?: boolean;
  readonly dryRun?: boolean;
  readonly strict?: boolean;
  readonly output: "text" | "json";
}

/** A file and what it becomes. */
export interface ConvertedFile extends ManifestText, Pick<ConvertedManifest, "changes"> {
  readonly after: string;
}

/** `fairlead imagespec convert`: adds or removes `imageSpec` in manifests. */
export function createConvertCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("convert")
    .description("Give containers in manifests imageSpec, image or both. No other byte changes.")
    .addOption(
      new Option("--to <members>", "what containers have afterwards")
        .choices(["imageSpec", "image", "both"])
        .makeOptionMandatory(),
    );
  addManifestOption(command)
    .option("-i, --in-place", "write the files instead of printing what they become")
    .option("--dry-run", "write nothing: print what would change as a unified diff")
    .option("--strict", "write nothing, and end with 4, where a container cannot be converted")
    .addOption(
      new Option("--output <format>", "json: a list of what changes")
        .choices(["text", "json"])
        .default("text"),
    );
  addLogOptions(command);
  return command.addHelpText("after", examples).action(async (options: ConvertOptions) => {
    exit(await runConvert(options, io));
  });
}

const examples = `
Examples:
  $ fairlead imagespec convert --to both -f examples/image-spec/docker.yaml
  $ fairlead imagespec convert --to imageSpec -f examples/image-spec --dry-run
  $ fairlead render examples/shop | fairlead imagespec convert --to both -f -
  $ fairlead imagespec convert --to image -f examples/image-spec -i --strict

A file with an error, such as an imageSpec that breaks a rule, is left as it is, and then nothing is printed to be
applied. What an image string does not tell is kept in an annotation, image-spec.fairlead.dev/<container>.
`;

async function runConvert(options: ConvertOptions, io: CliIo): Promise<number> {
  const { to, filename, inPlace = false, dryRun = false, strict = false } = options;
  if (inPlace && filename.includes("-")) {
    throw new FairleadError("input-invalid", "standard input cannot be written in place", {
      hint: "leave --in-place out: what it becomes is printed",
    });
  }
  const { texts, diagnostics: unread } = await readManifestTexts(filename, io);
  const diagnostics: Diagnostic[] = [...unread];
  const files: ConvertedFile[] = [];
  for (const file of texts) {
    const { text: after, changes, diagnostics: found } = convertManifest(file.text, to, file.name);
    diagnostics.push(...found);
    files.push({ ...file, after, changes });
  }
  tellerFor(options, io).findings(diagnostics);
  const hasErrors = diagnostics.some(({ severity }) => severity === "error");
  const isRefused = strict && diagnostics.some(({ severity }) => severity === "warning");
  const written = inPlace && !dryRun && !isRefused;
  const changed = files.filter(({ changes }) => changes.length > 0);
  if (written) await write(changed);
  const log = loggerFor(options, io);
  if (options.output === "json") io.stdout(formatJson(describeConversion(changed, diagnostics, written)));
  else if (dryRun) io.stdout(await formatUnifiedDiff(changed.map(diffOf), io.stdoutTerminal.colours));
  else if (written) io.stdout(formatConversion(changed, io.stdoutTerminal.colours));
  else if (!inPlace && !hasErrors && !isRefused) io.stdout(joinManifests(files.map(({ after }) => after)));
  if (isRefused) log.error("nothing is written: --strict refuses what is told above");
  return hasErrors ? 2 : isRefused ? 4 : 0;
}

async function write(files: readonly ConvertedFile[]): Promise<void> {
  const outputs = files.flatMap(({ path, after }) =>
    path === undefined ? [] : [{ path, text: after, kind: "manifest" as const }],
  );
  await writeAll(outputs, { force: true });
}

function diffOf({ name, text, after }: ConvertedFile): Parameters<typeof formatUnifiedDiff>[0][number] {
  return { path: name, before: text, after };
}
