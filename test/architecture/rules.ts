import { posix } from "node:path";
import type { SourceFile } from "./source-file.ts";

/** The rooms of `src/`, floor by floor from the ground; imports go down only (ARCHITECTURE.md). */
const floors: readonly (readonly string[])[] = [
  ["core"],
  ["reference", "yaml"],
  ["helm", "registry", "objects", "serving"],
  ["relocation", "automation", "notification", "imagespec"],
  ["cluster"],
  ["cli"],
];

const pureRooms: ReadonlySet<string> = new Set(["reference", "yaml"]);

/** What a command line program may touch and a library may not. */
const commandLineMembers: ReadonlySet<string> = new Set([
  "*",
  "argv",
  "env",
  "exit",
  "exitCode",
  "stderr",
  "stdin",
  "stdout",
]);

/** Files outside `cli/` that may touch a member of `process`, with the members. */
const processExceptions: ReadonlyMap<string, readonly string[]> = new Map([
  // A child process inherits the environment unless its caller gives one.
  ["src/core/process.ts", ["env"]],
]);

/** Each rule gives its violations as `file:line: what is wrong`; none is an empty list. */
export type Rule = (files: readonly SourceFile[]) => readonly string[];

/** Imports between rooms go to a lower floor. */
export const importsGoDown: Rule = (files) =>
  everyImport(files, (file, specifier) => {
    if (!specifier.startsWith(".")) return undefined;
    const target = resolveImport(file.path, specifier);
    const from = roomOf(file.path);
    const to = roomOf(target);
    if (from === undefined) return undefined;
    if (floorOf(from) === -1) return `src/${from} is no room of the house`;
    // The program's version stands in the manifest alone.
    if (to === undefined && from === "cli" && target === "package.json") return undefined;
    if (to === undefined) return `imports ${target}, which is outside src`;
    if (from === to || floorOf(to) < floorOf(from)) return undefined;
    return `${from} must not import ${to} (${target})`;
  });

/** `reference/` and `yaml/` do no I/O: they import no built-in module. */
export const pureRoomsStayPure: Rule = (files) =>
  everyImport(files, (file, specifier) =>
    pureRooms.has(roomOf(file.path) ?? "") && specifier.startsWith("node:")
      ? `a pure room must not import ${specifier}`
      : undefined,
  );

/** Only `cli/` touches arguments, environment, standard streams and exit codes. */
export const onlyCliTouchesTheProcess: Rule = (files) => {
  const libraries = files.filter((file) => roomOf(file.path) !== "cli");
  const members = libraries.flatMap((file) =>
    file.processMembers
      .filter(({ member }) => commandLineMembers.has(member))
      .filter(({ member }) => !(processExceptions.get(file.path) ?? []).includes(member))
      .map(({ member, line }) => `${file.path}:${line}: only cli may use process.${member}`),
  );
  const modules = everyImport(libraries, (_file, specifier) =>
    specifier === "node:process" ? "only cli may import node:process" : undefined,
  );
  return [...members, ...modules];
};

/** Programs are started in one place, without a shell. */
export const onlyOneFileStartsProcesses: Rule = (files) =>
  everyImport(files, (file, specifier) =>
    specifier === "node:child_process" && file.path !== "src/core/process.ts"
      ? "only src/core/process.ts may start a process"
      : undefined,
  );

/** Packages are those that package.json declares; a computed specifier cannot be told. */
export function onlyDeclaredPackages(declared: ReadonlySet<string>): Rule {
  return (files) =>
    everyImport(files, (_file, specifier) => {
      if (specifier.startsWith(".") || specifier.startsWith("node:")) return undefined;
      const parts = specifier.split("/");
      const name = specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? "");
      return declared.has(name) ? undefined : `${name} is not declared in package.json`;
    });
}

/** No file imports itself by way of others, types included. */
export const noCycles: Rule = (files) => {
  const graph = new Map(
    files.map((file) => [
      file.path,
      file.imports
        .filter(({ specifier }) => specifier.startsWith("."))
        .map(({ specifier }) => resolveImport(file.path, specifier)),
    ]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const position = trail.indexOf(path);
    if (position !== -1) cycles.push([...trail.slice(position), path].join(" → "));
    if (position !== -1 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles;
};

/** Every exported function says what it takes and gives. */
export const exportedFunctionsAreDocumented: Rule = (files) =>
  files.flatMap((file) =>
    file.undocumented.map(({ name, line }) => `${file.path}:${line}: ${name} has no docstring`),
  );

function everyImport(
  files: readonly SourceFile[],
  check: (file: SourceFile, specifier: string) => string | undefined,
): readonly string[] {
  return files.flatMap((file) =>
    file.imports.flatMap(({ specifier, line }) => {
      const violation = check(file, specifier);
      return violation === undefined ? [] : [`${file.path}:${line}: ${violation}`];
    }),
  );
}

function resolveImport(from: string, specifier: string): string {
  return posix.normalize(posix.join(posix.dirname(from), specifier));
}

function roomOf(path: string): string | undefined {
  const [top, room] = path.split("/");
  return top === "src" ? room : undefined;
}

function floorOf(room: string): number {
  return floors.findIndex((floor) => floor.includes(room));
}
