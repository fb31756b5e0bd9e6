import { Argument, Command, type Option } from "commander";
import type { CliIo } from "../io.ts";

type Shell = "bash" | "zsh" | "fish";

/** `fairlead completion`: a script that completes commands, flags and their choices. */
export function createCompletionCommand(io: CliIo): Command {
  const command = new Command("completion")
    .description("Print a shell's completion script.")
    .addArgument(new Argument("<SHELL>", "the shell").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", examples);
  return command.action((shell: Shell) => {
    const program = command.parent ?? command;
    io.stdout(scripts[shell](describe(program)));
  });
}

const examples = `
Examples:
  $ fairlead completion bash > fairlead.bash
  $ fairlead completion zsh > _fairlead
  $ fairlead completion fish > fairlead.fish

Put the file where the shell looks for completions: a folder of bash-completion, a folder of zsh's fpath, or
fish's completions folder.
`;

interface Flag {
  readonly long: string;
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

interface CommandFlags {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly Flag[];
}

function describe(program: Command): CommandFlags[] {
  return program.commands.map((child) => ({
    name: child.name(),
    description: child.description(),
    flags: child.options.flatMap((option) => flagOf(option)),
  }));
}

function flagOf(option: Option): Flag[] {
  if (option.long === undefined || option.long === null) return [];
  return [
    {
      long: option.long,
      description: option.description,
      takesValue: option.required,
      choices: option.argChoices ?? [],
    },
  ];
}

const scripts: Readonly<Record<Shell, (commands: readonly CommandFlags[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

function bashScript(commands: readonly CommandFlags[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const flags = commands.map(
    ({ name, flags }) => `    ${name}) flags="${flags.map(({ long }) => long).join(" ")}" ;;`,
  );
  const choices = choicesOf(commands).map(
    ([long, values]) =>
      `    ${long}) COMPREPLY=($(compgen -W "${values.join(" ")}" -- "$current")); return ;;`,
  );
  return `_fairlead() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" flags=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names}" -- "$current"))
    return
  fi
  case "$previous" in
${choices.join("\n")}
  esac
  case "\${COMP_WORDS[1]}" in
${flags.join("\n")}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags --help" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _fairlead fairlead
`;
}

function zshScript(commands: readonly CommandFlags[]): string {
  const list = commands.map(({ name, description }) => `    '${name}:${quoted(description)}'`);
  const cases = commands.map(({ name, flags }) => {
    const specs = flags.map(({ long, description, takesValue, choices }) => {
      const action = choices.length > 0 ? `:value:(${choices.join(" ")})` : takesValue ? ":value:_files" : "";
      return `        '*${long}[${quoted(description).replaceAll(/[[\]:]/gu, String.raw`\$&`)}]${action}'`;
    });
    return `    ${name})\n      _arguments \\\n${[...specs, "        '*:chart:_files'"].join(" \\\n")} ;;`;
  });
  return `#compdef fairlead
_fairlead() {
  local -a commands=(
${list.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join("\n")}
  esac
}
compdef _fairlead fairlead
`;
}

function fishScript(commands: readonly CommandFlags[]): string {
  const lines = commands.flatMap(({ name, description, flags }) => [
    `complete -c fairlead -n __fish_use_subcommand -a ${name} -d '${quoted(description)}'`,
    ...flags.map(({ long, description: text, takesValue, choices }) => {
      const value = choices.length > 0 ? ` -x -a '${choices.join(" ")}'` : takesValue ? " -r" : "";
      return `complete -c fairlead -n '__fish_seen_subcommand_from ${name}' -l ${long.slice(2)}${value} -d '${quoted(text)}'`;
    }),
  ]);
  return `${lines.join("\n")}\n`;
}

function choicesOf(commands: readonly CommandFlags[]): [string, readonly string[]][] {
  const choices = new Map<string, readonly string[]>();
  for (const { flags } of commands) {
    for (const flag of flags) if (flag.choices.length > 0) choices.set(flag.long, flag.choices);
  }
  return [...choices];
}

function quoted(text: string): string {
  return text.replaceAll("'", "’").replaceAll("`", "").replaceAll("\n", " ");
}
