import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
      devOptional: z.boolean().optional(),
    }),
  ),
});

/**
 * The licences of what a binary holds: of Node, which includes those of its own parts, and of each npm package that the
 * commands may be bundled with.
 */
export async function thirdPartyNotices(): Promise<string> {
  const { packages } = lockfile.parse(JSON.parse(await readFile("package-lock.json", "utf8")));
  const bundled = Object.entries(packages).filter(
    ([folder, { dev, optional, devOptional }]) => folder !== "" && !(dev ?? optional ?? devOptional ?? false),
  );
  const node = `node_modules/node-${process.platform}-${process.arch}`;
  const notices = [`Node.js ${process.versions.node}\n\n${await licenceTexts(node)}`];
  for (const [folder, { version = "", license = "" }] of bundled) {
    const [, name = ""] = folder.split(/^.*node_modules\//u);
    notices.push(`${name} ${version} (${license})\n\n${await licenceTexts(folder)}`);
  }
  return notices.map((notice) => `${notice.trim()}\n`).join(`\n${"-".repeat(80)}\n\n`);
}

async function licenceTexts(folder: string): Promise<string> {
  const names = (await readdir(folder))
    .filter((name) => /^(?:licen[cs]e|copying|notice)/iu.test(name))
    .sort();
  const texts = names.map(async (name) => readFile(path.join(folder, name), "utf8"));
  return (await Promise.all(texts)).join("\n\n");
}
