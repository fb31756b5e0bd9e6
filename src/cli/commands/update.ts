import { Argument, Command, Option } from "commander";
import { FairleadError } from "../../core/error.ts";
import { loadObjects } from "../../automation/objects/load-objects.ts";
import { tryTagRules } from "../../automation/run/tag-rules.ts";
import { createSetterPolicies } from "../../automation/setters/setter-policies.ts";
import { planTreeUpdate, type TreeUpdate } from "../../automation/setters/update-tree.ts";
import { writeTreeUpdate } from "../../automation/setters/write-update.ts";
import { formatJson } from "../../relocation/report/json-text.ts";
import { exitCodeFor, worstExitCode } from "../exit-code.ts";
import type { CliIo, Exit } from "../io.ts";
import { collect } from "../options/chart-options.ts";
import {
  addLatestReferencesOptions,
  findLatestReferences,
  type LatestReferencesOptions,
} from "../options/latest-references.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../options/log-options.ts";
import { formatUnifiedDiff } from "../output/unified-diff.ts";
import { describeUpdate, formatUpdate } from "../output/update-text.ts";
import { tellError, tellerFor } from "../teller.ts";

interface UpdateOptions extends LatestReferencesOptions, LogOptions {
  readonly config: readonly string[];
  readonly path?: string;
  readonly dryRun?: boolean;
  readonly strict?: boolean;
  readonly output: "text" | "json";
}

/** `fairlead update`: writes what policies have chosen into the marked fields of a folder. */
export function createUpdateCommand(io: CliIo, exit: Exit): Command {
  const command = new Command("update")
    .description("Write what image policies have chosen into the marked fields of a folder's YAML files.")
    .addArgument(new Argument("<DIR>", "folder to update, such as a working tree of Git"))
    .option("--config <path>", "file or folder of Flux objects with the policies; repeatable", collect, [])
    .option("--path <path>", "look at nothing but this folder or file of DIR")
    .option("--dry-run", "write nothing: print what would change as a unified diff")
    .option("--strict", "write nothing, and end with 4, where a marker or a file cannot be followed")
    .addOption(new Option("--output <format>", "form of the list").choices(["text", "json"]).default("text"));
  addLogOptions(addLatestReferencesOptions(command));
  return command.addHelpText("after", examples).action(async (folder: string, options: UpdateOptions) => {
    exit(await runUpdate(folder, options, io));
  });
}

const examples = `
Examples:
  $ fairlead update . --config clusters/prod --dry-run
  $ fairlead update ~/fleet --config ~/fleet/images --path apps --strict
  $ fairlead update . --config images --state automation.db --output json

Only the characters of the marked values change. What a policy has chosen is taken from its status, else from the
state file, else found by a scan of its repository.
`;

async function runUpdate(folder: string, options: UpdateOptions, io: CliIo): Promise<number> {
  const log = loggerFor(options, io);
  const teller = tellerFor(options, io);
  if (options.config.length === 0) {
    throw new FairleadError("input-invalid", "no policies are named", {
      hint: "name them with --config PATH",
    });
  }
  const { objects, diagnostics } = await loadObjects(options.config, { signal: io.signal });
  teller.findings(diagnostics);
  if (objects.imagePolicies.size === 0) {
    throw new FairleadError("object-missing", "there is no ImagePolicy in what --config names");
  }
  const latest = await findLatestReferences(objects, options, io, log);
  for (const error of latest.errors) tellError(error, options.logFormat, io);
  const policies = createSetterPolicies(objects.imagePolicies, [latest], tryTagRules);
  const update = await planTreeUpdate(folder, policies, { path: options.path, signal: io.signal });
  teller.findings(update.diagnostics);
  const isRefused = options.strict === true && update.diagnostics.some(({ severity }) => severity !== "info");
  const written = options.dryRun !== true && !isRefused;
  if (written) writeTreeUpdate(folder, update);
  io.stdout(await formatOutput(update, { ...options, written }, io));
  if (isRefused) log.error("nothing is written: --strict refuses what is told above");
  return worstExitCode([...latest.errors.map(exitCodeFor), isRefused ? 4 : 0]);
}

async function formatOutput(
  update: TreeUpdate,
  { output, written }: UpdateOptions & { readonly written: boolean },
  io: CliIo,
): Promise<string> {
  const { colours } = io.stdoutTerminal;
  if (output === "json") return formatJson(describeUpdate(update, written));
  return written ? formatUpdate(update, colours) : formatUnifiedDiff(update.files, colours);
}
