import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";

const { outputFiles } = await build({
  entryPoints: { fairlead: "src/cli/main.ts", "survey-worker": "src/cli/survey-worker.ts" },
  outdir: "dist",
  write: false,
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node22.19",
  packages: "bundle",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  sourcemap: false,
  // CommonJS dependencies inside an ES module bundle ask for `require`.
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
});
// Each file appears whole, and the entry last: a program that starts meanwhile finds one build or the other.
await mkdir("dist", { recursive: true });
const isEntry = (file: string): boolean => path.basename(file) === "fairlead.js";
for (const file of outputFiles.toSorted(
  (left, right) => Number(isEntry(left.path)) - Number(isEntry(right.path)),
)) {
  const temporary = `${file.path}.${process.pid}.tmp`;
  await writeFile(temporary, file.contents);
  await rename(temporary, file.path);
}
const current = new Set(outputFiles.map((file) => path.basename(file.path)));
for (const name of await readdir("dist")) {
  if (!current.has(name) && !name.endsWith(".tmp")) await rm(path.join("dist", name), { force: true });
}
