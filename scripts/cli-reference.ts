import type { Argument, Command, Option } from "commander";
import type { ExitCode } from "../src/cli/exit-code.ts";
import type { CliIo } from "../src/cli/io.ts";
import { describeTerminal } from "../src/cli/output/terminal.ts";
import { createProgram } from "../src/cli/program.ts";

const exitCodes: Readonly<Record<ExitCode, string>> = {
  0: "success, also where there was nothing to do",
  1: "something failed while running",
  2: "the command line, a configuration or an input file is wrong",
  3: "a chart cannot be read",
  4: "fewer images moved than the threshold asks, or the override is not right",
  5: "an unsupported structure under `--strict`",
};

/** Commands whose examples name registries, servers and folders of the reader's: the others can be run in a clone. */
const outwardCommands: ReadonlySet<string> = new Set([
  "automate",
  "controller",
  "digest",
  "gateway",
  "image",
  "image-service",
  "notify",
  "policy",
  "status",
  "tags",
  "update",
]);

/** The Markdown page of every command with its arguments, flags, examples and exit codes. */
export async function formatCliReference(): Promise<string> {
  const printed: string[] = [];
  const io = pageIo((text) => printed.push(text));
  const fairlead = await createProgram("fairlead", io, () => {});
  const design = await createProgram("helm-image-override", io, () => {});
  const override = fairlead.commands.find((command) => command.name() === "override");
  if (override === undefined || flagTable(override) !== flagTable(design, ["-V"])) {
    throw new Error("helm-image-override and fairlead override differ in their flags");
  }
  const sectionsOf = (parent: string, command: Command): readonly string[] => {
    const name = `${parent} ${command.name()}`;
    printed.length = 0;
    command.outputHelp();
    const own = commandSection(name, command, printed.join("").slice(command.helpInformation().length));
    return [...own, ...command.commands.flatMap((child) => sectionsOf(name, child))];
  };
  const commands = fairlead.commands.flatMap((command) => sectionsOf("fairlead", command));
  const sections = [
    "# Command line reference",
    "This page is written by `npm run docs` from the commands themselves. `fairlead COMMAND --help` says the same.",
    `\`fairlead --version\` prints the version. ${fairlead.description()}`,
    ...commands,
    "## helm-image-override",
    synopsis("helm-image-override", design),
    "`fairlead override` under the name that document 002 gives it, with the same flags; `--version` alone prints its own. As a Helm " +
      "plugin it is called `helm image-override`.",
    "## Exit codes",
    table(
      ["Code", "Meaning"],
      Object.entries(exitCodes).map(([code, meaning]) => [code, meaning]),
    ),
    "Where several apply, the first of 2, 3, 5, 4, 1 is the exit code. [Troubleshooting](troubleshooting.md) has the " +
      "causes and cures.",
  ];
  return `${sections.join("\n\n")}\n`;
}

function commandSection(name: string, command: Command, textAfterHelp: string): readonly string[] {
  const args = command.registeredArguments;
  return [
    `## ${name}`,
    command.description(),
    synopsis(name, command),
    ...(args.length === 0 ? [] : [table(["Argument", "Meaning", "Choices"], args.map(argumentRow))]),
    command.commands.length === 0 ? flagTable(command) : "Its commands follow.",
    ...afterHelp(textAfterHelp, { runs: !outwardCommands.has(name.split(" ")[1] ?? "") }),
  ];
}

function synopsis(name: string, command: Command): string {
  return fenced("text", `${name} ${command.usage()}`);
}

function argumentRow(argument: Argument): readonly string[] {
  const [open, close] = argument.required ? ["<", ">"] : ["[", "]"];
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return [`\`${open}${name}${close}\``, escaped(argument.description), codes(argument.argChoices)];
}

function flagTable(command: Command, without: readonly string[] = []): string {
  const shown = command.options.filter(({ long, short }) => !without.includes(long ?? short ?? ""));
  if (shown.length === 0) return "It has no flags.";
  return table(["Flag", "Meaning", "Default", "Choices"], shown.map(flagRow));
}

/** A default that only the code behind a flag knows stands at the end of its description. */
function flagRow(option: Option): readonly string[] {
  const { meaning = "", told } =
    /^(?<meaning>.*?)(?: \(default: (?<told>.*)\))?$/su.exec(option.description)?.groups ?? {};
  return [`\`${option.flags}\``, escaped(meaning), defaultOf(option, told), codes(option.argChoices)];
}

function defaultOf(option: Option, told: string | undefined): string {
  const value: unknown = option.defaultValue;
  const text = told ?? option.defaultValueDescription ?? (typeof value === "string" ? value : "");
  return option.argChoices?.includes(text) === true ? `\`${text}\`` : escaped(text);
}

/** The text after a command's help: lines that begin with a prompt are commands, the rest is prose. */
function afterHelp(text: string, { runs }: { readonly runs: boolean }): readonly string[] {
  return text
    .trim()
    .split(/\n{2,}/u)
    .map((paragraph) => {
      const lines = paragraph.split("\n");
      const commands = lines.filter((line) => line.startsWith("  $ ")).map((line) => line.slice(2));
      if (commands.length === 0) return escaped(paragraph);
      const title = lines.filter((line) => !line.startsWith("  $ ")).join(" ");
      const block = runs
        ? fenced("sh", commands.map((line) => line.slice(2)).join("\n"))
        : fenced("console", commands.join("\n"));
      return `${title}\n\n${block}`;
    });
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = titles.map((_title, column) => rows.some((row) => row[column] !== ""));
  const line = (cells: readonly string[]): string =>
    `| ${cells.filter((_cell, column) => used[column]).join(" | ")} |`;
  return [line(titles), line(titles.map(() => "---")), ...rows.map(line)].join("\n");
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function codes(names: readonly string[] | undefined): string {
  return (names ?? []).map((name) => `\`${name}\``).join(", ");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\|*<]/gu, String.raw`\$&`);
}

/** A world without terminal, environment or interruption: the page is the same everywhere. */
function pageIo(write: (text: string) => void): CliIo {
  const terminal = describeTerminal({ isTTY: false }, {});
  return {
    stdin: async () => Promise.resolve(new Uint8Array()),
    stdout: write,
    stderr: write,
    env: {},
    stdoutTerminal: terminal,
    stderrTerminal: terminal,
    signal: new AbortController().signal,
  };
}
