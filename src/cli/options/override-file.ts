import type { FollowedPaths } from "../../relocation/followed-versions.ts";
import { formatValuePath } from "../../yaml/value-path.ts";
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

/**
 * Whether image policies write a value of an override, by the markers in its text.
 * @param text an override that can be read
 * @param file its name
 * @throws FairleadError `input-invalid` for one with markers that holds a key twice
 */
export async function followedIn(text: string, file: string): Promise<FollowedPaths> {
  if (!text.includes("$imagepolicy")) return () => false;
  const { markedPaths } = await import("../../automation/follow/marked-paths.ts");
  const paths = new Set(markedPaths(text, { file, code: "input-invalid" }).map(formatValuePath));
  return (path) => paths.has(formatValuePath(path));
}
