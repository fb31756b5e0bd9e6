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
  /** What its argument may be; empty where it is a file. */
  readonly words: readonly string[];
}

function describe(program: Command): CommandFlags[] {
  return program.commands.map((child) => ({
    name: child.name(),
    description: child.description(),
    flags: [...child.options.flatMap((option) => flagOf(option)), helpFlag],
    words: child.registeredArguments.flatMap((argument) => argument.argChoices ?? []),
  }));
}

const helpFlag: Flag = { long: "--help", description: "display help", takesValue: false, choices: [] };

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
  const cases = commands.map(
    ({ name, flags, words }) =>
      `    ${name}) flags="${flags.map(({ long }) => long).join(" ")}" words="${words.join(" ")}" ;;`,
  );
  const values = commands.flatMap(({ name, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map(({ long, choices }) => `    "${name} ${long}") ${bashValue(choices)}return ;;`),
  );
  return `_fairlead() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" flags="" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names} --help --version" -- "$current"))
    return
  fi
  # Bash takes --flag=value apart.
  if [ "$current" = "=" ]; then
    current=""
  elif [ "$previous" = "=" ]; then
    previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  case "\${COMP_WORDS[1]} $previous" in
${values.join("\n")}
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
}
# Where it offers nothing, bash completes file names.
complete -o default -F _fairlead fairlead
`;
}

function bashValue(choices: readonly string[]): string {
  return choices.length === 0 ? "" : `COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$current")); `;
}

function zshScript(commands: readonly CommandFlags[]): string {
  const list = commands.map(({ name, description }) => `    '${name}:${quoted(description)}'`);
  const cases = commands.map(({ name, flags, words }) => {
    const specs = flags.map(({ long, description, takesValue, choices }) => {
      const action = choices.length > 0 ? `:value:(${choices.join(" ")})` : takesValue ? ":value:_files" : "";
      const equals = takesValue ? "=" : "";
      return `        '*${long}${equals}[${quoted(description).replaceAll(/[[\]:]/gu, String.raw`\$&`)}]${action}'`;
    });
    const argument = words.length > 0 ? `'1:argument:(${words.join(" ")})'` : "'*:chart:_files'";
    return `    ${name})\n      _arguments \\\n${[...specs, `        ${argument}`].join(" \\\n")} ;;`;
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
# From a folder of fpath, the file is the function's body when it is first called.
if [ "\${funcstack[1]}" = _fairlead ]; then
  _fairlead "$@"
else
  compdef _fairlead fairlead
fi
`;
}

function fishScript(commands: readonly CommandFlags[]): string {
  const lines = commands.flatMap(({ name, description, flags, words }) => {
    const within = `complete -c fairlead -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c fairlead -f -n __fish_use_subcommand -a ${name} -d '${quoted(description)}'`,
      ...(words.length === 0 ? [] : [`${within} -f -a '${words.join(" ")}'`]),
      ...flags.map(({ long, description: text, takesValue, choices }) => {
        const value = choices.length > 0 ? ` -x -a '${choices.join(" ")}'` : takesValue ? " -r -F" : "";
        return `${within} -l ${long.slice(2)}${value} -d '${quoted(text)}'`;
      }),
    ];
  });
  return `${lines.join("\n")}\n`;
}

function quoted(text: string): string {
  return text.replaceAll("'", "’").replaceAll("`", "").replaceAll("\n", " ");
}
