import { writeFile } from "node:fs/promises";
import path from "node:path";
import { configJsonSchema } from "../src/relocation/config/config.ts";
import { formatCliReference } from "./cli-reference.ts";

/** The documents that are made from the code: path in the repository, and text. */
export async function generatedDocuments(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ["docs/cli-reference.md", await formatCliReference()],
    ["docs/config.schema.json", `${JSON.stringify(configJsonSchema(), undefined, 2)}\n`],
  ]);
}

if (import.meta.main) {
  for (const [file, text] of await generatedDocuments()) {
    await writeFile(path.join(import.meta.dirname, "..", file), text);
  }
}
