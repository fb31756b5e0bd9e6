import { Argument, Command, Option } from "commander";
import { FairleadError } from "../../core/error.ts";
import type { Logger } from "../../core/log.ts";
import { loadObjects } from "../../automation/objects/load-objects.ts";
import type { LatestReference } from "../../automation/objects/image-policy.ts";
import type { AutomationObjects } from "../../automation/objects/objects.ts";
import { createSetterPolicies, type LatestReferences } from "../../automation/setters/setter-policies.ts";
import type { SetterPolicies } from "../../automation/setters/setter-value.ts";
import { planTreeUpdate, type TreeUpdate } from "../../automation/setters/update-tree.ts";
import { writeTreeUpdate } from "../../automation/setters/write-update.ts";
import { openState } from "../../automation/state/automation-state.ts";
import { formatJson } from "../../relocation/report/json-text.ts";
import type { CliIo, Exit } from "../io.ts";
import { collect } from "../options/chart-options.ts";
import { addLogOptions, loggerFor, type LogOptions } from "../options/log-options.ts";
import { formatUnifiedDiff } from "../output/unified-diff.ts";
import { describeUpdate, formatUpdate } from "../output/update-text.ts";
import { tellerFor } from "../teller.ts";

interface UpdateOptions extends LogOptions {
  readonly config: readonly string[];
  readonly state?: string;
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
    .option("--state <file>", "state of fairlead automate, for policies whose objects have no status")
    .option("--path <path>", "look at nothing but this folder or file of DIR")
    .option("--dry-run", "write nothing: print what would change as a unified diff")
    .option("--strict", "write nothing, and end with 4, where a marker or a file cannot be followed")
    .addOption(new Option("--output <format>", "form of the list").choices(["text", "json"]).default("text"));
  addLogOptions(command);
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
state file.
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
  const policies = await readPolicies(objects, options, log);
  const update = await planTreeUpdate(folder, policies, { path: options.path, signal: io.signal });
  teller.findings(update.diagnostics);
  const isRefused = options.strict === true && update.diagnostics.some(({ severity }) => severity !== "info");
  const written = options.dryRun !== true && !isRefused;
  if (written) writeTreeUpdate(folder, update);
  io.stdout(await formatOutput(update, { ...options, written }, io));
  if (!isRefused) return 0;
  log.error("nothing is written: --strict refuses what is told above");
  return 4;
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

async function readPolicies(
  { imagePolicies }: AutomationObjects,
  { state }: UpdateOptions,
  log: Logger,
): Promise<SetterPolicies> {
  const sources: LatestReferences[] = [{ latestOf: (key) => imagePolicies.get(key)?.latestRef }];
  if (state !== undefined) sources.push(await readState(state));
  const policies = createSetterPolicies(imagePolicies, sources, () => undefined);
  const unknown = [...policies].filter(([, { latest }]) => latest === undefined).map(([key]) => key);
  if (unknown.length === policies.size) {
    throw new FairleadError("policy-unresolved", "it is not known of any policy what it has chosen", {
      hint: "give objects with their status, as kubectl get -o yaml prints them, or --state FILE",
    });
  }
  for (const policy of unknown) log.warn("nothing is known to be chosen; markers are left", { policy });
  return policies;
}

async function readState(file: string): Promise<LatestReferences> {
  const state = await openState(file, { readOnly: true });
  try {
    const known = new Map<string, LatestReference | undefined>(
      state
        .statuses("ImagePolicy")
        .map(({ namespace, name, status }) => [`${namespace}/${name}`, status.latestRef] as const),
    );
    return { latestOf: (key) => known.get(key) };
  } finally {
    state.close();
  }
}
