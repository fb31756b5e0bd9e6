import { readFileSync, statSync } from "node:fs";
import { FairleadError, messageOf } from "../../core/error.ts";
import { createRedactor, type Redactor } from "../../core/redaction.ts";
import { mergeValueSources } from "../../helm/values/merge.ts";
import type { ValueLayer } from "../../helm/values/value-layer.ts";
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
  /** What each file says, and the flags together, the one that wins last. */
  readonly layers: readonly ValueLayer[];
  /** What `--set` and its kin say alone: Helm lets it win over every file. */
  readonly setValues: YamlMap;
  /** What they say but for `--set-json`: to templates, numbers in it are integers and all others floats. */
  readonly integers: YamlMap;
  /** Takes the values out of messages that quote them: any of them may be a secret. */
  readonly redact: Redactor;
}

/** The flags that only some commands have. */
interface FurtherSets {
  readonly setJson?: readonly string[];
  readonly setLiteral?: readonly string[];
}

/**
 * Reads the user's values.
 * @throws FairleadError `input-unreadable`, `input-invalid`; a values file that is not YAML is an input error
 *   too, as the chart is not to blame.
 */
export async function readUserValues(
  options: Pick<ChartOptions, "values" | "set" | "setString" | "setFile"> & FurtherSets,
): Promise<UserValues> {
  const files: YamlMap[] = [];
  const layers: ValueLayer[] = [];
  for (const file of options.values) {
    const text = await readInput(file, { maxBytes: maxValuesBytes });
    const { value } = loadYamlMap(text, { file, code: "input-invalid" });
    files.push(value);
    layers.push({ values: value, file, text });
  }
  const { set, setString, setFile, setLiteral = [], setJson = [] } = options;
  const flags = { set, setString, setFile, setLiteral };
  const values = mergeValueSources({ files, setJson, ...flags }, { readFile: readTextFile });
  const setValues = mergeValueSources({ setJson, ...flags }, { readFile: readTextFile });
  const integers = setJson.length === 0 ? setValues : mergeValueSources(flags, { readFile: readTextFile });
  const fileValues = mergeValueSources({ files });
  if (Object.keys(setValues).length > 0) layers.push({ values: setValues, flag: "--set" });
  const redact = createRedactor(leavesOf([...files, values]));
  return { values, fileValues, layers, setValues, integers, redact };
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
