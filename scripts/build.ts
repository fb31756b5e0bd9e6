import { rm } from "node:fs/promises";
import { build } from "esbuild";

await rm("dist", { recursive: true, force: true });
await build({
  entryPoints: { fairlead: "src/cli/main.ts" },
  outdir: "dist",
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node22.19",
  packages: "bundle",
  minifySyntax: true,
  legalComments: "none",
  sourcemap: false,
  // CommonJS dependencies inside an ES module bundle ask for `require`.
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
});
