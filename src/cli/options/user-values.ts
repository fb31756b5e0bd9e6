import { readFileSync, statSync } from "node:fs";
import { FairleadError, messageOf } from "../../core/error.ts";
import { createRedactor, type Redactor } from "../../core/redaction.ts";
import { mergeValueSources } from "../../helm/values/merge.ts";
import { loadYamlMap } from "../../yaml/load.ts";
import type { YamlMap, YamlValue } from "../../yaml/value.ts";
import { readInput } from "../output/read-input.ts";
import type { ChartOptions } from "./chart-options.ts";

const maxValuesBytes = 16 * 1024 * 1024;

export interface UserValues {
  /** What the flags say together, as Helm puts it together. */
  readonly values: YamlMap;
  /** What the values files say alone. */
  readonly fileValues: YamlMap;
  /** What `--set` and its kin say alone: Helm lets it win over every file. */
  readonly setValues: YamlMap;
  /** Takes the values out of messages that quote them: any of them may be a secret. */
  readonly redact: Redactor;
}

/**
 * Reads the user's values.
 * @throws FairleadError `input-unreadable`, `input-invalid`; a values file that is not YAML is an input error
 *   too, as the chart is not to blame.
 */
export async function readUserValues(
  options: Pick<ChartOptions, "values" | "set" | "setString" | "setFile">,
): Promise<UserValues> {
  const files: YamlMap[] = [];
  for (const file of options.values) {
    const text = await readInput(file, { maxBytes: maxValuesBytes });
    files.push(loadYamlMap(text, { file, code: "input-invalid" }).value);
  }
  const flags = { set: options.set, setString: options.setString, setFile: options.setFile };
  const values = mergeValueSources({ files, ...flags }, { readFile: readTextFile });
  const setValues = mergeValueSources(flags, { readFile: readTextFile });
  const fileValues = mergeValueSources({ files });
  return { values, fileValues, setValues, redact: createRedactor(leavesOf([...files, values])) };
}

/** The texts and numbers in a value; what an alias repeats is given once. */
function* leavesOf(value: YamlValue, seen: Set<YamlValue> = new Set()): Generator<string> {
  if (typeof value === "string" || typeof value === "number") yield String(value);
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  for (const child of Object.values(value) as readonly YamlValue[]) yield* leavesOf(child, seen);
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
