import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "../../src/core/process.ts";
import { buildCommands, runCommand } from "../support/cli.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

/** What each shell offers after a line; some may offer more. */
const lines: readonly { readonly line: string; readonly offered: readonly string[] }[] = [
  {
    line: "fairlead ",
    offered: ["override", "images", "explain", "verify", "diff", "survey", "post-render", "completion"],
  },
  { line: "fairlead ov", offered: ["override"] },
  { line: "fairlead override --path", offered: ["--path-strategy"] },
  {
    line: "fairlead override --path-strategy ",
    offered: ["prefix-source-registry", "flat", "keep-registry"],
  },
  { line: "fairlead override --path-strategy fl", offered: ["flat"] },
  { line: "fairlead override --residual ", offered: ["kustomize", "post-renderer"] },
  { line: "fairlead survey --no-p", offered: ["--no-parallel"] },
  { line: "fairlead diff --output ", offered: ["table", "json", "markdown"] },
  { line: "fairlead images --output ", offered: ["table", "json"] },
  { line: "fairlead override chart --output-f", offered: ["--output-file", "--output-format"] },
  { line: "fairlead completion ", offered: ["bash", "zsh", "fish"] },
  { line: "fairlead completion z", offered: ["zsh"] },
  { line: "fairlead override two", offered: ["two words"] },
  { line: "fairlead override --config two", offered: ["two words"] },
];

let folder: TempDir;

beforeAll(async () => {
  await buildCommands();
  folder = await createTempDir("completion");
  await writeFile(path.join(folder.path, "two words"), "");
  for (const shell of ["bash", "zsh", "fish"]) {
    const { stdout, stderr, exitCode } = await runCommand("fairlead", ["completion", shell]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    await writeFile(path.join(folder.path, `fairlead.${shell}`), stdout);
  }
});

afterAll(() => folder.remove());

async function runShell(program: string, args: readonly string[]): Promise<string> {
  const env = { PATH: process.env["PATH"], HOME: folder.path, TERM: "xterm" };
  const result = await run(program, args, { cwd: folder.path, env, timeoutMs: 30_000 });
  expect(result.exitCode, result.stderr).toBe(0);
  return result.stdout;
}

describe("bash", () => {
  // What readline does: it takes words apart at `=`, and offers file names where the function offers nothing.
  const complete = `. ./fairlead.bash
    [[ "$(complete -p fairlead)" = *"-o default"* ]] || exit 1
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _fairlead
    if [ \${#COMPREPLY[@]} -eq 0 ]; then compgen -f -- "\${!#}"; else printf '%s\\n' "\${COMPREPLY[@]}"; fi`;

  const taken = lines.map(({ line, offered }) => ({ line, words: line.split(" "), offered }));
  test.each([
    ...taken,
    { line: "--library=al", words: ["fairlead", "override", "--library", "=", "al"], offered: ["always"] },
    {
      line: "--library=",
      words: ["fairlead", "override", "--library", "="],
      offered: ["table", "always", "never"],
    },
  ])("$line", async ({ words, offered }) => {
    const printed = await runShell("bash", ["--norc", "-c", complete, "bash", ...words]);
    expect(printed.trimEnd().split("\n")).toEqual(expect.arrayContaining([...offered]));
  });
});

await describeWithTools(["fish"], "fish", (tools) => {
  test.each(lines)("$line", async ({ line, offered }) => {
    const script = "source fairlead.fish; complete -C $argv[1]";
    const printed = await runShell(tools.fish, ["--no-config", "-c", script, line]);
    const words = printed.split("\n").map((text) => (text.split("\t")[0] ?? "").replaceAll("\\", ""));
    expect(words).toEqual(expect.arrayContaining([...offered]));
  });
});

await describeWithTools(["zsh"], "zsh", (tools) => {
  // Completion works in the line editor alone: a shell within the shell tells what is offered there.
  const setup = `autoload -U compinit; compinit -u -D; . ./fairlead.zsh
    compadd() {
      [[ " $* " = *" -"[OAD]" "* ]] && { builtin compadd "$@"; return }
      local -a found; builtin compadd -O found "$@"; builtin compadd "$@"
      for word in $found; print -r -- "offered $word"
    }
    tell() { zle complete-word; print the end }; zle -N tell; bindkey ^X tell; print ready`;
  const script = `zmodload zsh/zpty
    zpty inner "$1 -f -i"
    zpty -w inner ". ./setup"
    zpty -r inner answer $'*\nready*'
    zpty -w -n inner "$2"$'\x18'
    zpty -r inner answer '*the end*'
    print -r -- "$answer"
    zpty -d inner`;

  async function offersOf(line: string, zsh: string, setupText: string): Promise<string[]> {
    await writeFile(path.join(folder.path, "setup"), setupText);
    const printed = await runShell(zsh, ["-f", "-c", script, "zsh", zsh, line]);
    return Array.from(
      printed.matchAll(/offered (?<word>[^\r\n]*)/gu),
      ({ groups }) => groups?.["word"]?.replaceAll("\\", "") ?? "",
    );
  }

  test.each(lines)("$line", async ({ line, offered }) => {
    expect(await offersOf(line, tools.zsh, setup)).toEqual(expect.arrayContaining([...offered]));
  });

  test("from a folder of fpath", async () => {
    await writeFile(path.join(folder.path, "_fairlead"), await runShell("cat", ["fairlead.zsh"]));
    const autoload = setup
      .replace(". ./fairlead.zsh", "")
      .replace("autoload", "fpath=($PWD $fpath); autoload");
    expect(await offersOf("fairlead comp", tools.zsh, autoload)).toContain("completion");
  });
});
