import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { chartYaml, writeFiles } from "./chart-files.ts";
import { buildCommands, type CommandName, runCommand } from "./cli.ts";
import { createTempDir, type TempDir } from "./temp-dir.ts";

type Expectation = string | RegExp;

/** One command line in a folder of its own that holds a chart named `chart`. */
export interface Row {
  readonly name: string;
  readonly args: readonly string[];
  /** Default: `fairlead`. */
  readonly command?: CommandName;
  /** values.yaml of the chart; undefined for the common one, null for none. */
  readonly values?: string | null;
  /** More files, by their path in the folder. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: 0. */
  readonly exitCode?: number;
  /** What standard output is as YAML or, for a text or pattern, contains. */
  readonly stdout?: Expectation | Readonly<Record<string, unknown>>;
  /** What standard error contains. */
  readonly stderr?: readonly Expectation[];
}

const commonValues =
  'web:\n  image: nginx:1.23\ndb:\n  image:\n    registry: quay.io\n    repository: team/db\n    tag: "2"\n';

/** The target of most rows, and with it the sources that their charts have. */
export const target: readonly string[] = ["-t", "harbor.example.com:5000"];
export const hub: readonly string[] = [...target, "-s", "docker.io"];
export const all: readonly string[] = [...target, "-s", "docker.io,quay.io"];

/** What an override of the common chart says for Docker Hub, and for Quay. */
export const web = { web: { image: "harbor.example.com:5000/dockerio/library/nginx:1.23" } } as const;
export const db = { db: { image: { registry: "harbor.example.com:5000/quayio" } } } as const;

/** An empty output. */
export const nothing: RegExp = /^$/u;

/** An image that can be moved, and one that nobody can read. */
export const oneOfTwo = 'good:\n  image: nginx:1\nbad:\n  image: "invalid::image"\n';

export interface RowRunner {
  /** Writes a row's chart and files into a folder of their own and gives its path. */
  prepare(row?: Pick<Row, "values" | "files">): Promise<string>;
  /** Makes a test of each row. */
  run(rows: readonly Row[]): void;
}

/** Builds the commands once for a test file, and removes its folders after it. */
export function createRowRunner(): RowRunner {
  let folder: TempDir;
  let count = 0;
  beforeAll(async () => {
    await buildCommands();
    folder = await createTempDir("cli");
  });
  afterAll(() => folder.remove());
  const prepare: RowRunner["prepare"] = async ({ values = commonValues, files = {} } = {}) => {
    const cwd = path.join(folder.path, String(++count));
    await writeFiles(cwd, {
      "chart/Chart.yaml": chartYaml("chart"),
      ...(values === null ? {} : { "chart/values.yaml": values }),
      ...files,
    });
    return cwd;
  };
  return { prepare, run: (rows) => test.each(rows)("$name", (row) => checkRow(row, prepare)) };
}

async function checkRow(row: Row, prepare: RowRunner["prepare"]): Promise<void> {
  const options = { cwd: await prepare(row), ...(row.env === undefined ? {} : { env: row.env }) };
  const result = await runCommand(row.command ?? "fairlead", row.args, options);
  expect(result.exitCode, result.stderr).toBe(row.exitCode ?? 0);
  const { stdout } = row;
  if (typeof stdout === "string" || stdout instanceof RegExp) expectText(result.stdout, stdout);
  else if (stdout !== undefined) expect(parse(result.stdout)).toEqual(stdout);
  for (const expected of row.stderr ?? []) expectText(result.stderr, expected);
}

function expectText(text: string, expected: Expectation): void {
  if (expected instanceof RegExp) expect(text).toMatch(expected);
  else expect(text).toContain(expected);
}
