import { formatJson } from "../../relocation/report/json-text.ts";
import { type CommentAt, dumpYaml } from "../../yaml/dump.ts";
import type { YamlMap } from "../../yaml/value.ts";
import { overrideHeader } from "./own-output.ts";

/**
 * An override as the text of a values file; YAML starts with the line by which fairlead knows its own.
 * @param markerAt the marker of an image policy behind a value; default: none
 */
export function overrideDocument(override: YamlMap, format: "yaml" | "json", markerAt?: CommentAt): string {
  if (format === "json") return formatJson(override);
  const advice =
    markerAt === undefined
      ? "Do not edit it: run fairlead again."
      : "Image policies write what is marked; run fairlead again for the rest.";
  return `${overrideHeader}. ${advice}\n${dumpYaml(override, markerAt)}`;
}

/** Kubernetes objects as documents of one file, behind the line by which fairlead knows its own. */
export function policiesDocument(objects: readonly YamlMap[]): string {
  const documents = objects.map((object) => `---\n${dumpYaml(object)}`).join("");
  return `${overrideHeader}. It is replaced when fairlead runs again, unless this line is gone.\n${documents}`;
}
