import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor, type Expression, type Program, type StringLiteral } from "oxc-parser";

export const repositoryRoot: string = fileURLToPath(new URL("../..", import.meta.url));

/** What the architecture rules need to know of one TypeScript file. */
export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  /** Every module specifier: static, type-only, re-exported, dynamic and `import("…")` types. */
  readonly imports: readonly { readonly specifier: string; readonly line: number }[];
  /** Members of the global `process` that it touches; `*` where it takes the whole object. */
  readonly processMembers: readonly { readonly member: string; readonly line: number }[];
  /** Exported functions without a docstring. */
  readonly undocumented: readonly { readonly name: string; readonly line: number }[];
}

/** Parses one file. `path` is only a name. */
export function parseSourceFile(path: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors.map((error) => error.message).join("; ")}`);
  const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length;
  const docEnds = comments
    .filter((comment) => comment.type === "Block" && comment.value.startsWith("*"))
    .map((comment) => comment.end);
  const isDocumented = (start: number): boolean =>
    docEnds.some((end) => end <= start && text.slice(end, start).trim() === "");
  return {
    path,
    imports: importsOf(program).map(({ specifier, start }) => ({ specifier, line: lineOf(start) })),
    processMembers: processMembersOf(program).map(({ member, start }) => ({ member, line: lineOf(start) })),
    undocumented: exportedFunctionsOf(program)
      .filter(({ start }) => !isDocumented(start))
      .map(({ name, start }) => ({ name, line: lineOf(start) })),
  };
}

/** Every TypeScript file that one of the glob patterns matches, parsed; in a stable order. */
export function loadSourceFiles(...patterns: readonly string[]): readonly SourceFile[] {
  return globSync(patterns, { cwd: repositoryRoot, exclude: ["**/node_modules/**", "**/testdata/**"] })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map((path) => parseSourceFile(path, readFileSync(`${repositoryRoot}/${path}`, "utf8")));
}

interface Import {
  readonly specifier: string;
  readonly start: number;
}

function importsOf(program: Program): readonly Import[] {
  const found: Import[] = [];
  const add = (source: StringLiteral | null): void => {
    if (source !== null) found.push({ specifier: source.value, start: source.start });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
    ImportExpression: (node) => {
      const specifier = literalText(node.source);
      found.push({ specifier: specifier ?? "(computed)", start: node.start });
    },
  }).visit(program);
  return found;
}

function processMembersOf(program: Program): readonly { readonly member: string; readonly start: number }[] {
  const found: { member: string; start: number }[] = [];
  new Visitor({
    MemberExpression: (node) => {
      if (node.object.type === "Super" || !isProcess(node.object)) return;
      const member =
        !node.computed && node.property.type === "Identifier"
          ? node.property.name
          : literalText(node.property as Expression);
      found.push({ member: member ?? "*", start: node.start });
    },
    VariableDeclarator: (node) => {
      if (node.init !== null && isProcess(node.init)) found.push({ member: "*", start: node.start });
    },
  }).visit(program);
  return found;
}

function exportedFunctionsOf(program: Program): readonly { readonly name: string; readonly start: number }[] {
  const found: { name: string; start: number }[] = [];
  for (const statement of program.body) {
    if (statement.type !== "ExportNamedDeclaration") continue;
    const declaration = statement.declaration;
    if (declaration?.type === "FunctionDeclaration") {
      found.push({ name: declaration.id?.name ?? "default", start: statement.start });
    } else if (declaration?.type === "VariableDeclaration") {
      for (const { id, init } of declaration.declarations) {
        if (init?.type !== "ArrowFunctionExpression" && init?.type !== "FunctionExpression") continue;
        found.push({ name: id.type === "Identifier" ? id.name : "(pattern)", start: statement.start });
      }
    }
  }
  return found;
}

function isProcess(node: Expression): boolean {
  return node.type === "Identifier" && node.name === "process";
}

function literalText(node: Expression): string | undefined {
  return node.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}
