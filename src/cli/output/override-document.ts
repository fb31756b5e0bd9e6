import { formatJson } from "../../relocation/report/json-text.ts";
import { dumpYaml } from "../../yaml/dump.ts";
import type { YamlMap } from "../../yaml/value.ts";
import { overrideHeader } from "./own-output.ts";

/** An override as the text of a values file; YAML starts with the line by which fairlead knows its own. */
export function overrideDocument(override: YamlMap, format: "yaml" | "json"): string {
  if (format === "json") return formatJson(override);
  return `${overrideHeader}. Do not edit it: run fairlead again.\n${dumpYaml(override)}`;
}
