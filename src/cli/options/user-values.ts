import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { FairleadError, messageOf } from "../../core/error.ts";
import { mergeValueSources } from "../../helm/values/merge.ts";
import { loadYamlMap } from "../../yaml/load.ts";
import type { YamlMap } from "../../yaml/value.ts";
import type { CliIo } from "../io.ts";
import { readInput } from "../output/read-input.ts";
import type { ChartOptions } from "./chart-options.ts";

const maxValuesBytes = 16 * 1024 * 1024;

/**
 * The user's values as Helm puts them together.
 * @throws FairleadError `input-unreadable`, `input-invalid`; a values file that is not YAML is an input error
 *   too, as the chart is not to blame.
 */
export async function readUserValues(
  options: Pick<ChartOptions, "values" | "set" | "setString" | "setFile">,
  io: CliIo,
): Promise<YamlMap> {
  const files: YamlMap[] = [];
  for (const file of options.values) {
    const text = await readInput(path.resolve(io.cwd, file), { maxBytes: maxValuesBytes });
    files.push(loadYamlMap(text, { file, code: "input-invalid" }).value);
  }
  return mergeValueSources(
    { files, set: options.set, setString: options.setString, setFile: options.setFile },
    { readFile: (file) => readTextFile(path.resolve(io.cwd, file)) },
  );
}

function readTextFile(file: string): string {
  try {
    const info = statSync(file);
    if (!info.isFile()) throw new Error("not a regular file");
    if (info.size > maxValuesBytes) throw new Error(`larger than ${maxValuesBytes} bytes`);
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new FairleadError(
      "input-unreadable",
      `the file of --set-file cannot be read: ${messageOf(cause)}`,
      {
        where: { file },
        cause,
      },
    );
  }
}
