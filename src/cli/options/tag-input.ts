import { FairleadError } from "../../core/error.ts";
import type { CliIo } from "../io.ts";
import { readInput } from "../output/read-input.ts";

const maxBytes = 64 * 1024 * 1024;

/**
 * Reads tags from a file, or from standard input for `-`.
 * @throws FairleadError `input-unreadable`, `input-invalid`, `limit-exceeded`
 */
export async function readTags(file: string, io: CliIo): Promise<readonly string[]> {
  const name = file === "-" ? "standard input" : file;
  return parseTags(file === "-" ? await readStandardInput(io) : await readInput(file, { maxBytes }), name);
}

async function readStandardInput(io: CliIo): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await io.stdin());
  } catch (cause) {
    if (cause instanceof FairleadError) throw cause;
    throw new FairleadError("input-invalid", "the tags on standard input are not UTF-8 text", { cause });
  }
}

/**
 * Reads tags: one a line, a JSON array, or a JSON object with `tags` as registries, `fairlead tags` and skopeo
 * write it. Blank lines are passed over.
 * @param name where the text is from, for messages
 * @throws FairleadError `input-invalid`
 */
export function parseTags(text: string, name: string): readonly string[] {
  if (!/^\s*[[{]/u.test(text)) {
    return text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  }
  const tags = tagsOf(parseJson(text, name));
  if (isTexts(tags)) return tags;
  throw new FairleadError("input-invalid", "the JSON is no array of tags, and has none under 'tags'", {
    where: { file: name },
    hint: 'write ["1.0.0", "1.1.0"], or one tag a line',
  });
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FairleadError("input-invalid", "the tags are malformed JSON", { where: { file: name }, cause });
  }
}

function tagsOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { Tags: fromSkopeo, tags = fromSkopeo } = value as Readonly<Record<string, unknown>>;
  // A registry may write null where there are none.
  return tags === null ? [] : tags;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
