import { loadYamlMap } from "../../yaml/load.ts";
import { readInput } from "../output/read-input.ts";

const maxOverrideBytes = 16 * 1024 * 1024;

/**
 * The text of an override that is there already. A broken one is wrong input, which goes before what is wrong
 * with the chart.
 * @throws FairleadError `input-unreadable`, `input-invalid`.
 */
export async function readOverride(file: string): Promise<string> {
  const text = await readInput(file, { maxBytes: maxOverrideBytes });
  loadYamlMap(text, { file, code: "input-invalid" });
  return text;
}
