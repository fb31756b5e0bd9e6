import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";

/** What `bin/compiled-code.js` exports. */
interface CompiledCode {
  readonly readBundle: (file: string) => object;
  readonly loadCompiled: (bundle: object, options: { readonly purpose: string }) => LoadedBundle;
}

interface LoadedBundle {
  readonly exports: { readonly main: (program: string, args: readonly string[]) => Promise<number> };
  readonly keepCode: () => void;
}

/** Flags of V8 by which equal runs compile equally: strings hash alike, and no thread decides when it is done. */
export const equalFlags: readonly string[] = [
  "--hash-seed=1",
  "--no-sparkplug",
  "--no-concurrent-recompilation",
];

/** V8 takes code from runs with its own flags alone. */
const usualFlags: readonly string[] = [
  "--hash-seed=0",
  "--sparkplug",
  "--concurrent-recompilation",
  "--stack-size=5400",
];

// Runs a command of the bundle and keeps what was compiled in the cache that the environment names.
if (import.meta.main) {
  const [bundle = "", ...args] = process.argv.slice(2);
  const require = createRequire(import.meta.url);
  const { loadCompiled, readBundle } = require("../../bin/compiled-code.js") as CompiledCode;
  // Its place is seen in the code.
  const { exports, keepCode } = loadCompiled(
    { ...readBundle(bundle), file: "/fairlead.cjs" },
    { purpose: "release" },
  );
  process.exitCode = await exports.main("fairlead", args);
  for (const flag of usualFlags) setFlagsFromString(flag);
  keepCode();
}
