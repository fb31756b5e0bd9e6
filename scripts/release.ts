import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { messageOf } from "../src/core/error.ts";
import { run } from "../src/core/process.ts";
import { thirdPartyNotices } from "./release/notices.ts";
import { nodeOf, platforms, writeSingleBinary, type Platform } from "./release/single-binary.ts";

const usage = `usage: scripts/release.ts [--output FOLDER] [--platform ${platforms.join("|")}]...`;

/**
 * Writes a single binary for each platform, their SHA-256 sums in the form that `sha256sum --check` reads, and the
 * licences of what is in them.
 */
async function main(): Promise<void> {
  const { output, chosen } = readFlags();
  process.chdir(path.join(import.meta.dirname, ".."));
  const built = await run(process.execPath, ["scripts/build.ts"]);
  if (built.exitCode !== 0) throw new Error(`the commands cannot be built: ${built.stderr}`);
  await mkdir(output, { recursive: true });
  await writeFile(path.join(output, "NOTICES.txt"), await thirdPartyNotices());
  const sums: string[] = [];
  for (const platform of chosen ?? platforms.filter((platform) => existsSync(nodeOf(platform)))) {
    const name = `fairlead-${platform}`;
    const target = path.join(output, name);
    // Beside its target, so that the binary appears whole.
    const work = await mkdtemp(path.join(output, ".work-"));
    try {
      await writeSingleBinary(target, platform, work);
    } finally {
      await rm(work, { recursive: true });
    }
    const bytes = await readFile(target);
    sums.push(`${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`);
    console.log(`${target}: ${(bytes.length / 1e6).toFixed(1)} MB`);
  }
  await writeFile(path.join(output, "SHA256SUMS"), sums.join(""));
}

interface Flags {
  readonly output: string;
  readonly chosen: readonly Platform[] | undefined;
}

function readFlags(): Flags {
  const { values } = parseArgs({
    options: {
      platform: { type: "string", multiple: true },
      output: { type: "string", default: path.join(import.meta.dirname, "../release") },
    },
  });
  return { output: path.resolve(values.output), chosen: values.platform?.map(platformOf) };
}

function platformOf(name: string): Platform {
  const platform = platforms.find((known) => known === name);
  if (platform === undefined) throw new Error(`there is no platform ${name}; ${usage}`);
  return platform;
}

try {
  await main();
} catch (error) {
  console.error(`error: ${messageOf(error)}`);
  process.exitCode = 1;
}
