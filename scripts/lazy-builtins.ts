import { isBuiltin } from "node:module";
import type { Plugin } from "esbuild";

/**
 * Loads Node's own modules in a bundle where something of them is first used: most runs need few of them, and
 * loading them all takes longer than what many runs do.
 */
export const lazyBuiltins: Plugin = {
  name: "lazy-builtins",
  setup: (build) => {
    build.onResolve({ filter: /^[a-z:_/]+$/ }, ({ path }) =>
      isBuiltin(path) ? { path, namespace: "builtin" } : undefined,
    );
    build.onLoad({ filter: /^/, namespace: "builtin" }, ({ path }) => ({ contents: lazyModule(path) }));
  },
};

/** A CommonJS module with the names of a built-in one. They are inherited, since a bundle copies a module's own. */
function lazyModule(path: string): string {
  const load = `process.getBuiltinModule(${JSON.stringify(path)})`;
  const builtin: object = process.getBuiltinModule(path) ?? {};
  // A class can only be extended when it is there.
  if (typeof builtin === "function") return `module.exports = ${load};`;
  const names = Object.keys(builtin).filter((name) => /^[\w$]+$/u.test(name));
  const getters = names.map((name) => `get ${name}() { return builtin().${name}; }`);
  return `
    let loaded;
    const builtin = () => (loaded ??= ${load});
    module.exports = Object.create({ ${getters.join(", ")} });
  `;
}
