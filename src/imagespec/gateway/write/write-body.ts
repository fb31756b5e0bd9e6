import { jsonOfYaml } from "../../json/json-of-yaml.ts";
import { mayMoveContainer } from "./patch-search.ts";
import { parseJson, type ParsedJson } from "../../json/parse-json.ts";

/** How the body of a write is written, and what it means. */
export interface WriteType {
  readonly syntax: "json" | "yaml";
  readonly patch: "json" | "merge" | "strategic" | "apply" | undefined;
}

const writeTypes: ReadonlyMap<string, WriteType> = new Map([
  ["application/json", { syntax: "json", patch: undefined }],
  ["application/yaml", { syntax: "yaml", patch: undefined }],
  ["application/json-patch+json", { syntax: "json", patch: "json" }],
  ["application/merge-patch+json", { syntax: "json", patch: "merge" }],
  ["application/strategic-merge-patch+json", { syntax: "json", patch: "strategic" }],
  ["application/apply-patch+yaml", { syntax: "yaml", patch: "apply" }],
]);

/** What a content type says of a body; undefined for those without `imageSpec`, such as Protobuf. */
export function writeTypeOf(contentType: string | undefined): WriteType | undefined {
  const type = (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  // What tells no type is JSON to the API server.
  return writeTypes.get(type === "" ? "application/json" : type);
}

/** Whether a body may speak of `imageSpec`: the word itself, or an escape that could spell it. */
export function mayHoldImageSpec(body: Buffer, { syntax, patch }: WriteType): boolean {
  if (patch === "json" && mayMoveContainer(body)) return true;
  return body.includes("imageSpec") || body.includes(syntax === "json" ? "\\u" : "\\");
}

/** The body as JSON; YAML is read as the API server reads it. @throws FairleadError where it is malformed */
export function parseBody(body: Buffer, { syntax }: WriteType): ParsedJson {
  const text = body.toString("utf8");
  if (syntax === "json") return parseJson(text);
  // JSON is YAML, and mostly what clients send under that name.
  return /^\s*\{/u.test(text) ? parseJsonOrYaml(text) : jsonOfYaml(text);
}

function parseJsonOrYaml(text: string): ParsedJson {
  try {
    return parseJson(text);
  } catch {
    return jsonOfYaml(text);
  }
}
