import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build, type BuildOptions } from "esbuild";
import { lazyBuiltins } from "./lazy-builtins.ts";
import { packageFiles, packagesFromFiles } from "./package-files.ts";

// CommonJS, whose compiled code can be kept whole, and which loads modules when they are asked for.
const options: BuildOptions & { readonly write: false } = {
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  write: false,
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node22.19",
  supported: { "dynamic-import": false },
  packages: "bundle",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  sourcemap: false,
  define: { "import.meta.url": "importMetaUrl" },
  banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
};
const programs = await build({
  ...options,
  entryPoints: { fairlead: "src/cli/main.ts", "survey-worker": "src/cli/survey-worker.ts" },
  plugins: [packagesFromFiles, lazyBuiltins],
});
const packages = await build({ ...options, entryPoints: { ...packageFiles }, plugins: [lazyBuiltins] });
const outputFiles = [...packages.outputFiles, ...programs.outputFiles];

// Each file appears whole: a program that starts meanwhile finds one build or the other. What has not changed keeps
// its time, by which its compiled code is found.
await mkdir("dist/packages", { recursive: true });
for (const file of outputFiles) {
  const written = await readFile(file.path).catch(() => undefined);
  if (written?.equals(file.contents) === true) continue;
  const temporary = `${file.path}.${process.pid}.tmp`;
  await writeFile(temporary, file.contents);
  await rename(temporary, file.path);
}
const current = new Set(outputFiles.map((file) => file.path));
for (const entry of await readdir("dist", { recursive: true, withFileTypes: true })) {
  const file = path.resolve(entry.parentPath, entry.name);
  if (entry.isFile() && !current.has(file) && !file.endsWith(".tmp")) await rm(file, { force: true });
}
