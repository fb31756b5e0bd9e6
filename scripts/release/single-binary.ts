import { chmod, copyFile, cp, readdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { equalFlags } from "./compile.ts";
import { run, type RunOptions } from "../../src/core/process.ts";

/** The platforms for which a package brings Node's own binary along. */
export const platforms = ["linux-x64", "linux-arm64"] as const;
export type Platform = (typeof platforms)[number];

/** By this Node knows that it carries a program. */
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

const injector = fileURLToPath(import.meta.resolve("postject/dist/cli.js"));

/** The Node that becomes the binary. */
export function nodeOf(platform: Platform): string {
  return `node_modules/node-${platform}/bin/node`;
}

/**
 * Makes a program out of Node's own binary and the built commands (`dist/`): a single executable application, whose
 * files are assets that are read when they are required.
 * @param work a folder for what is made on the way
 * @throws Error where Node of that platform is another version than this one, or cannot make its part
 */
export async function writeSingleBinary(target: string, platform: Platform, work: string): Promise<void> {
  await requireSameVersion(platform);
  await build({
    entryPoints: ["bin/single-binary.js"],
    outfile: path.join(work, "main.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    minifySyntax: true,
    minifyWhitespace: true,
  });
  // Another build may write the commands anew meanwhile.
  const dist = path.join(work, "dist");
  await cp("dist", dist, { recursive: true });
  const assets = {
    "require-asset.js": path.resolve("bin/require-asset.js"),
    ...(await bundles(dist)),
    ...(await compiledCode(platform, dist)),
  };
  // Names within the folder, since the binary keeps them and must not differ from one folder to another.
  const config = {
    main: "main.cjs",
    output: "blob",
    assets,
    // Templates may include themselves a thousand times, as in Helm; two thirds of what the system gives a process.
    execArgv: ["--stack-size=5400"],
    disableExperimentalSEAWarning: true,
  };
  await writeFile(path.join(work, "sea-config.json"), JSON.stringify(config));
  await runNode(["--experimental-sea-config", "sea-config.json"], { cwd: work });
  const unfinished = path.join(work, "program");
  await copyFile(nodeOf(platform), unfinished);
  await chmod(unfinished, 0o755);
  await runNode([injector, unfinished, "NODE_SEA_BLOB", path.join(work, "blob"), "--sentinel-fuse", fuse]);
  await rename(unfinished, target);
}

/** Only the same version reads what this one makes. */
async function requireSameVersion(platform: Platform): Promise<void> {
  const manifest: unknown = JSON.parse(await readFile(`node_modules/node-${platform}/package.json`, "utf8"));
  const { version } = manifest as { readonly version: string };
  if (`v${version}` === process.version) return;
  throw new Error(`Node for ${platform} is ${version}, but this is ${process.version}`);
}

type Assets = Readonly<Record<string, string>>;

async function bundles(dist: string): Promise<Assets> {
  const names = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith(".cjs")).sort();
  return Object.fromEntries(names.map((name) => [name, path.join(dist, name)]));
}

/** What a run has compiled, which saves every run of the binary from it. It is of use on this platform alone. */
async function compiledCode(platform: Platform, dist: string): Promise<Assets> {
  if (platform !== `${process.platform}-${process.arch}`) return {};
  const command = ["override", "examples/shop", "-t", "registry.example.com", "-s", "*"];
  const program = [...equalFlags, "scripts/release/compile.ts", path.join(dist, "fairlead.cjs")];
  await runNode([...program, ...command], { env: { XDG_CACHE_HOME: dist } });
  const kept = path.join(dist, "fairlead");
  const [name = ""] = await readdir(kept);
  const code = path.join(dist, "fairlead.code");
  // The checksum before it is for files that others may have damaged.
  await writeFile(code, (await readFile(path.join(kept, name))).subarray(4));
  return { "fairlead.code": code };
}

async function runNode(args: readonly string[], options: RunOptions = {}): Promise<void> {
  const result = await run(process.execPath, args, options);
  if (result.exitCode !== 0) throw new Error(`node ${args.join(" ")} failed: ${result.stderr}`);
}
