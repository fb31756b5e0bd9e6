import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { lazyBuiltins } from "./lazy-builtins.ts";

// CommonJS, whose compiled code can be kept whole, and which loads modules when they are asked for.
const { outputFiles } = await build({
  entryPoints: { fairlead: "src/cli/main.ts", "survey-worker": "src/cli/survey-worker.ts" },
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  write: false,
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node22.19",
  packages: "bundle",
  plugins: [lazyBuiltins],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  sourcemap: false,
  define: { "import.meta.url": "importMetaUrl" },
  banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
});
// Each file appears whole: a program that starts meanwhile finds one build or the other. What has not changed keeps
// its time, by which its compiled code is found.
await mkdir("dist", { recursive: true });
for (const file of outputFiles) {
  const written = await readFile(file.path).catch(() => undefined);
  if (written?.equals(file.contents) === true) continue;
  const temporary = `${file.path}.${process.pid}.tmp`;
  await writeFile(temporary, file.contents);
  await rename(temporary, file.path);
}
const current = new Set(outputFiles.map((file) => path.basename(file.path)));
for (const name of await readdir("dist")) {
  if (!current.has(name) && !name.endsWith(".tmp")) await rm(path.join("dist", name), { force: true });
}
