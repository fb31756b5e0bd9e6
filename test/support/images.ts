import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { create as createArchive } from "tar";
import { FairleadError } from "../../src/core/error.ts";
import { run } from "../../src/core/process.ts";
import { withTempDir } from "./temp-dir.ts";

/**
 * Makes an image of one small file that says `content` and pushes it as `reference`, with crane.
 * @returns the manifest's digest, `sha256:…`
 * @throws FairleadError `tool-failed` when crane refuses.
 */
export async function pushImage(crane: string, reference: string, content: string): Promise<string> {
  return withTempDir(async (folder) => {
    await mkdir(path.join(folder, "layer"));
    await writeFile(path.join(folder, "layer", "content.txt"), content);
    const layer = path.join(folder, "layer.tar");
    await createArchive({ file: layer, cwd: path.join(folder, "layer"), portable: true }, ["content.txt"]);
    await runCrane(crane, ["append", "--insecure", "--new_layer", layer, "--new_tag", reference]);
    return (await runCrane(crane, ["digest", "--insecure", reference])).trim();
  });
}

/**
 * Pulls every layer of an image made by {@link pushImage} and gives its content.
 * @throws FairleadError `tool-failed` when the image cannot be pulled.
 */
export async function pullImage(crane: string, reference: string): Promise<string> {
  return withTempDir(async (folder) => {
    const archive = path.join(folder, "image.tar");
    await runCrane(crane, ["export", "--insecure", reference, archive]);
    const extracted = await run("tar", ["-xOf", archive, "content.txt"]);
    return extracted.stdout;
  });
}

async function runCrane(crane: string, args: readonly string[]): Promise<string> {
  const result = await run(crane, args, { timeoutMs: 60_000 });
  if (result.exitCode === 0) return result.stdout;
  throw new FairleadError("tool-failed", `crane ${args[0] ?? ""} failed: ${result.stderr.trim()}`);
}
