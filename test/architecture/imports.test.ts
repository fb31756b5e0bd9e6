import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  exportedFunctionsAreDocumented,
  importsGoDown,
  noCycles,
  onlyCliTouchesTheProcess,
  onlyDeclaredPackages,
  onlyOneFileStartsProcesses,
  pureRoomsStayPure,
  type Rule,
} from "./rules.ts";
import { loadSourceFiles, parseSourceFile, repositoryRoot } from "./source-file.ts";

interface PackageManifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(`${repositoryRoot}/package.json`, "utf8")) as PackageManifest;
const runtimePackages = new Set(Object.keys(manifest.dependencies));
const allPackages = new Set([...runtimePackages, ...Object.keys(manifest.devDependencies)]);

const everything = loadSourceFiles("{src,test,tools,scripts,bench}/**/*.ts", "*.ts");
const isTest = (path: string): boolean => path.endsWith(".test.ts");
const source = everything.filter(({ path }) => path.startsWith("src/") && !isTest(path));
const rest = everything.filter(({ path }) => !path.startsWith("src/") || isTest(path));

describe("the house holds", () => {
  test.each<[string, Rule]>([
    ["imports go down", importsGoDown],
    ["pure rooms stay pure", pureRoomsStayPure],
    ["only cli touches the process", onlyCliTouchesTheProcess],
    ["one file starts processes", onlyOneFileStartsProcesses],
    ["packages are declared", onlyDeclaredPackages(runtimePackages)],
    ["there are no cycles", noCycles],
    ["exported functions are documented", exportedFunctionsAreDocumented],
  ])("%s", (_name, rule) => {
    expect(source.length).toBeGreaterThan(0);
    expect(rule(source)).toEqual([]);
  });

  test("tests and tools import declared packages", () => {
    expect(onlyDeclaredPackages(allPackages)(rest)).toEqual([]);
  });
});

describe("the rules see a violation", () => {
  const cases: readonly [string, Rule, Readonly<Record<string, string>>, string][] = [
    [
      "an import upwards",
      importsGoDown,
      { "src/core/a.ts": 'import { b } from "../helm/b.ts";' },
      "core must not import helm",
    ],
    [
      "a neighbour on the same floor",
      importsGoDown,
      { "src/yaml/a.ts": 'export * from "../reference/b.ts";' },
      "yaml must not import reference",
    ],
    [
      "a type import",
      importsGoDown,
      { "src/core/a.ts": 'import type { B } from "../cli/b.ts";' },
      "core must not import cli",
    ],
    [
      "an inline import type",
      importsGoDown,
      { "src/core/a.ts": 'export type B = import("../cli/b.ts").B;' },
      "core must not import cli",
    ],
    [
      "a dynamic import",
      importsGoDown,
      { "src/core/a.ts": 'await import("../cli/b.ts");' },
      "core must not import cli",
    ],
    [
      "a new room",
      importsGoDown,
      { "src/misc/a.ts": 'import "../core/b.ts";' },
      "src/misc is no room of the house",
    ],
    [
      "leaving src",
      importsGoDown,
      { "src/cli/a.ts": 'import "../../test/b.ts";' },
      "test/b.ts, which is outside src",
    ],
    [
      "I/O in a pure room",
      pureRoomsStayPure,
      { "src/yaml/a.ts": 'import { readFileSync } from "node:fs";' },
      "must not import node:fs",
    ],
    ["the environment", onlyCliTouchesTheProcess, { "src/helm/a.ts": "process.env.HOME;" }, "process.env"],
    [
      "a quoted member",
      onlyCliTouchesTheProcess,
      { "src/helm/a.ts": 'process["stdout"].write("");' },
      "process.stdout",
    ],
    [
      "destructuring",
      onlyCliTouchesTheProcess,
      { "src/helm/a.ts": "const { argv } = process;" },
      "process.*",
    ],
    [
      "the process module",
      onlyCliTouchesTheProcess,
      { "src/helm/a.ts": 'import { env } from "node:process";' },
      "import node:process",
    ],
    [
      "a second place for processes",
      onlyOneFileStartsProcesses,
      { "src/helm/a.ts": 'import { spawn } from "node:child_process";' },
      "may start a process",
    ],
    [
      "an undeclared package",
      onlyDeclaredPackages(new Set(["yaml"])),
      { "src/helm/a.ts": 'import "@scope/name/part";' },
      "@scope/name is not declared",
    ],
    [
      "a computed import",
      onlyDeclaredPackages(new Set(["yaml"])),
      { "src/helm/a.ts": "await import(`x${1}`);" },
      "(computed) is not declared",
    ],
    [
      "a cycle of types",
      noCycles,
      {
        "src/core/a.ts": 'import type { B } from "./b.ts";',
        "src/core/b.ts": 'import type { A } from "./a.ts";',
      },
      "src/core/a.ts → src/core/b.ts → src/core/a.ts",
    ],
    [
      "a function without a docstring",
      exportedFunctionsAreDocumented,
      { "src/core/a.ts": "// A remark.\nexport function a(): void {}" },
      "src/core/a.ts:2: a has no docstring",
    ],
    [
      "an arrow without a docstring",
      exportedFunctionsAreDocumented,
      { "src/core/a.ts": "/** Other. */\nexport type T = 1;\nexport const a = (): void => {};" },
      "src/core/a.ts:3: a has no docstring",
    ],
  ];

  test.each(cases)("%s", (_name, rule, texts, expected) => {
    const files = Object.entries(texts).map(([path, text]) => parseSourceFile(path, text));
    expect(rule(files).join("\n")).toContain(expected);
  });

  test("and accept what is right", () => {
    const files = [
      parseSourceFile("src/core/a.ts", "/** A. */\nexport function a(): string { return process.platform; }"),
      parseSourceFile("src/cli/b.ts", 'import { a } from "../core/a.ts";\nprocess.stdout.write(a());'),
    ];
    for (const rule of [importsGoDown, noCycles, onlyCliTouchesTheProcess]) {
      expect(rule(files)).toEqual([]);
    }
  });
});
