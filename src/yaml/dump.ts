import type { YamlMap } from "./value.ts";
export function dumpYaml(v: YamlMap): string {
  return JSON.stringify(v, undefined, 2) + "\n";
}
