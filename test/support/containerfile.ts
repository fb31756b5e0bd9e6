import { readFileSync } from "node:fs";
import path from "node:path";
import { repositoryRoot } from "./checkout.ts";

/** An instruction of a Containerfile. */
export interface Instruction {
  /** In capitals. */
  readonly name: string;
  /** What is behind the name, with its lines joined. */
  readonly text: string;
}

/** The instructions of a Containerfile of the repository, without comments. */
export function readContainerfile(file: string): readonly Instruction[] {
  const lines = readFileSync(path.join(repositoryRoot, file), "utf8")
    .split("\n")
    .filter((line) => !/^\s*#/u.test(line));
  const joined = lines.join("\n").replaceAll(/\\\n\s*/gu, "");
  return joined.split("\n").flatMap((line) => {
    const { name, text } = /^(?<name>[A-Za-z]+)\s+(?<text>.*)$/u.exec(line.trim())?.groups ?? {};
    return name === undefined || text === undefined ? [] : [{ name: name.toUpperCase(), text }];
  });
}

/** The instructions after the last FROM, which are those of the image itself. */
export function lastStage(instructions: readonly Instruction[]): readonly Instruction[] {
  return instructions.slice(instructions.findLastIndex(({ name }) => name === "FROM") + 1);
}

/** The texts of the instructions of a name. */
export function textsOf(instructions: readonly Instruction[], name: string): readonly string[] {
  return instructions.filter((instruction) => instruction.name === name).map(({ text }) => text);
}
