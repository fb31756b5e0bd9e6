import { Command, CommanderError, Help } from "commander";
import { FairleadError } from "../core/error.ts";
import { createCompletionCommand } from "./commands/completion.ts";
import { exitCodeFor } from "./exit-code.ts";
import type { CliIo, Exit } from "./io.ts";
import { logFormatOf } from "./options/log-options.ts";
import { tellError } from "./teller.ts";
import { version } from "./version.ts";

export type ProgramName = "fairlead" | "helm-image-override";

/**
 * Runs a program and gives its exit code; nothing is thrown. Wrong flags are an input error (2).
 */
export async function runProgram(name: ProgramName, args: readonly string[], io: CliIo): Promise<number> {
  let exitCode = 0;
  try {
    const program = await createProgramFor(name, args, io, (code) => {
      exitCode = code;
    });
    await program.parseAsync([...ownVersionArgs(name, args)], { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    // Help that was printed because no command was named says enough.
    if (error instanceof CommanderError && error.code === "commander.help") return 2;
    const told = error instanceof CommanderError ? usageError(error) : error;
    tellError(told, logFormatOf(args), io);
    return told instanceof FairleadError ? exitCodeFor(told) : 1;
  }
}

/** With more than itself, `--version` is that of a chart, as for `fairlead override`. */
function ownVersionArgs(name: ProgramName, args: readonly string[]): readonly string[] {
  return name === "helm-image-override" && args.length === 1 && args[0] === "--version" ? ["-V"] : args;
}

type CreateCommand = (io: CliIo, exit: Exit) => Command;

/** The commands in the order of the help, each loaded when it is asked for: together they take long to start. */
const commands: Readonly<Record<string, () => Promise<CreateCommand>>> = {
  override: async () => (await import("./commands/override.ts")).createOverrideCommand,
  images: async () => (await import("./commands/images.ts")).createImagesCommand,
  explain: async () => (await import("./commands/explain.ts")).createExplainCommand,
  verify: async () => (await import("./commands/verify.ts")).createVerifyCommand,
  diff: async () => (await import("./commands/diff.ts")).createDiffCommand,
  survey: async () => (await import("./commands/survey.ts")).createSurveyCommand,
  "post-render": async () => (await import("./commands/post-render.ts")).createPostRenderCommand,
  render: async () => (await import("./commands/render.ts")).createRenderCommand,
  tags: async () => (await import("./commands/tags.ts")).createTagsCommand,
  digest: async () => (await import("./commands/digest.ts")).createDigestCommand,
  policy: async () => (await import("./commands/policy.ts")).createPolicyCommand,
  update: async () => (await import("./commands/update.ts")).createUpdateCommand,
  automate: async () => (await import("./commands/automate.ts")).createAutomateCommand,
  status: async () => (await import("./commands/status.ts")).createStatusCommand,
  notify: async () => (await import("./commands/notify.ts")).createNotifyCommand,
  controller: async () => (await import("./commands/controller.ts")).createControllerCommand,
  gateway: async () => (await import("./commands/gateway.ts")).createGatewayCommand,
  imagespec: async () => (await import("./commands/imagespec.ts")).createImageSpecCommand,
  image: async () => (await import("./commands/image.ts")).createImageCommand,
  "image-service": async () => (await import("./commands/image-service.ts")).createImageServiceCommand,
};

/** A program with all its commands, for its help and its reference page. */
export async function createProgram(name: ProgramName, io: CliIo, exit: Exit): Promise<Command> {
  return name === "fairlead"
    ? createFairlead(Object.keys(commands), io, exit)
    : createDesignProgram(io, exit);
}

/** A program with the one command that the arguments begin with, with none for its version, or with all of them. */
async function createProgramFor(
  name: ProgramName,
  args: readonly string[],
  io: CliIo,
  exit: Exit,
): Promise<Command> {
  const [first = "", ...others] = args;
  if (name === "fairlead" && Object.hasOwn(commands, first)) return createFairlead([first], io, exit);
  const isVersion = others.length === 0 && (first === "--version" || first === "-V");
  return name === "fairlead" && isVersion ? createFairlead([], io, exit) : createProgram(name, io, exit);
}

async function createFairlead(names: readonly string[], io: CliIo, exit: Exit): Promise<Command> {
  const program = new Command("fairlead").description(
    "Redirect, follow and announce container image references.",
  );
  for (const load of names.map((name) => commands[name])) {
    const create = await load?.();
    if (create !== undefined) program.addCommand(create(io, exit));
  }
  program.addCommand(createCompletionCommand(io));
  // Behind a command, --version is that of a chart.
  program.enablePositionalOptions().version(version, "-V, --version", "print the version");
  return configure(program, io);
}

/** The override command under the name and flags of its design document. */
async function createDesignProgram(io: CliIo, exit: Exit): Promise<Command> {
  const { createOverrideCommand } = await import("./commands/override.ts");
  const program = createOverrideCommand(io, exit, "helm-image-override");
  return configure(program.version(version, "-V", "print the version, as --version alone does"), io);
}

function configure(command: Command, io: CliIo): Command {
  command
    .exitOverride()
    // A flag that gathers a list has no default worth telling.
    .configureHelp({
      optionDescription: (option) => new Help().optionDescription(option).replace(" (default: [])", ""),
    })
    .configureOutput({
      writeOut: (text) => io.stdout(text),
      writeErr: (text) => io.stderr(text),
      getOutHelpWidth: () => io.stdoutTerminal.width ?? 100,
      getErrHelpWidth: () => io.stderrTerminal.width ?? 100,
      // Told by runProgram, in the form that the user wants.
      outputError: () => undefined,
    })
    .helpCommand(false);
  for (const child of command.commands) configure(child, io);
  return command;
}

const listHint =
  "a list such as docker.io,quay.io has commas and no blanks, and a flag that takes a value needs one";

/** What commander says of wrong flags, without the values in it that may be secrets. */
function usageError({ message }: CommanderError): FairleadError {
  const { told = message, suggestion } =
    /^(?:error: )?(?<told>.*?)(?:\n\((?<suggestion>Did you mean .*\?)\))?$/su.exec(message)?.groups ?? {};
  const withoutValues = told
    .replace(/^(unknown option '[^=]*)=.*'$/su, "$1'")
    .replace(/^(too many arguments.* but got \d+): .*$/su, "$1");
  const hint = suggestion ?? (told.startsWith("too many arguments") ? listHint : "--help tells the flags");
  return new FairleadError("input-invalid", withoutValues, { hint });
}
