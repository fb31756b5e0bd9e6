import { Command, CommanderError, Help } from "commander";
import { FairleadError } from "../core/error.ts";
import { createCompletionCommand } from "./commands/completion.ts";
import { createDiffCommand } from "./commands/diff.ts";
import { createExplainCommand } from "./commands/explain.ts";
import { createImagesCommand } from "./commands/images.ts";
import { createOverrideCommand } from "./commands/override.ts";
import { createPostRenderCommand } from "./commands/post-render.ts";
import { createRenderCommand } from "./commands/render.ts";
import { createSurveyCommand } from "./commands/survey.ts";
import { createVerifyCommand } from "./commands/verify.ts";
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
  const program = createProgram(name, io, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...args], { from: "user" });
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

/** The commands of a program, for running it and for its reference page. */
export function createProgram(name: ProgramName, io: CliIo, exit: Exit): Command {
  const program =
    name === "fairlead" ? createFairlead(io, exit) : createOverrideCommand(io, exit, "helm-image-override");
  program.version(version, "-V, --version", "print the version");
  return configure(program, io);
}

function createFairlead(io: CliIo, exit: Exit): Command {
  const program = new Command("fairlead");
  program
    .description("See, redirect and prove the container image references of Helm charts.")
    .addCommand(createOverrideCommand(io, exit))
    .addCommand(createImagesCommand(io, exit))
    .addCommand(createExplainCommand(io, exit))
    .addCommand(createVerifyCommand(io, exit))
    .addCommand(createDiffCommand(io, exit))
    .addCommand(createSurveyCommand(io, exit))
    .addCommand(createPostRenderCommand(io, exit))
    .addCommand(createRenderCommand(io, exit))
    .addCommand(createCompletionCommand(io));
  return program;
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
