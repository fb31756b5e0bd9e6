import { Command, Option } from "commander";
import type { Diagnostic } from "../../../core/diagnostic.ts";
import { formatWhere } from "../../../core/error.ts";
import { escapeLine } from "../../../core/escape.ts";
import { checkManifest } from "../../../imagespec/manifest/check-manifest.ts";
import { formatJson } from "../../../relocation/report/json-text.ts";
import type { CliIo, Exit } from "../../io.ts";
import { addLogOptions, isTold, type LogOptions } from "../../options/log-options.ts";
import { addManifestOption, readManifestTexts } from "../../options/manifest-input.ts";
import type { Colours } from "../../output/terminal.ts";

interface ValidateOptions extends LogOptions {
  readonly filename: readonly string[];
  readonly strict?: boolean;
  readonly output: "text" | "json";
}

/** `fairlead imagespec validate`: checks `imageSpec` in manifests. */
export function createValidateCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("validate").description(
    "Check imageSpec, and its annotations, in manifests. Ends with 2 where something is wrong.",
  );
  addManifestOption(command)
    .option("--strict", "check them as writes through a gateway: exactly one of image and imageSpec")
    .addOption(new Option("--output <format>", "form of the list").choices(["text", "json"]).default("text"));
  addLogOptions(command);
  return command.addHelpText("after", examples).action(async (options: ValidateOptions) => {
    exit(await runValidate(options, io));
  });
}

const examples = `
Examples:
  $ fairlead imagespec validate -f examples/image-spec
  $ fairlead imagespec validate -f examples/image-spec/aci.yaml --strict --output json

Each finding is a line: file:line:column (field): severity: message.
`;

async function runValidate(options: ValidateOptions, io: CliIo): Promise<number> {
  const { texts, diagnostics: unread } = await readManifestTexts(options.filename, io);
  const diagnostics: Diagnostic[] = [...unread];
  let containers = 0;
  for (const { name, text } of texts) {
    const checked = checkManifest(text, name, { strict: options.strict === true });
    containers += checked.containers;
    diagnostics.push(...checked.diagnostics);
  }
  const isValid = diagnostics.every(({ severity }) => severity !== "error");
  if (options.output === "json") {
    io.stdout(formatJson({ valid: isValid, files: texts.length, containers, diagnostics }));
  } else {
    const told = diagnostics.filter(({ severity }) => isTold(severity, options));
    io.stdout(told.map((each) => formatFinding(each, io.stdoutTerminal.colours)).join(""));
    const summary = `${count(containers, "container")} in ${count(texts.length, "file")}`;
    io.stdout(`${summary}: ${isValid ? "valid" : "not valid"}.\n`);
  }
  return isValid ? 0 : 2;
}

function formatFinding({ severity, message, where, hint }: Diagnostic, colours: Colours): string {
  const colour = severity === "error" ? colours.red : colours.yellow;
  const line = `${colours.bold(escapeLine(formatWhere(where)))}: ${colour(severity)}: ${escapeLine(message)}\n`;
  return hint === undefined ? line : `${line}  hint: ${escapeLine(hint)}\n`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
