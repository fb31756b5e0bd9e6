// The threads of a single binary run this text too, which have no `require` of their own.
const { getAsset } = process.getBuiltinModule("node:sea");
const path = process.getBuiltinModule("node:path");
const vm = process.getBuiltinModule("node:vm");

const loaded = new Map();

/** Requires a module of Node's own, or a CommonJS file that is in the single binary, as `./packages/yaml.cjs`. */
exports.requireAsset = function requireAsset(specifier) {
  if (!specifier.startsWith("./")) return requireBuiltin(specifier);
  const known = loaded.get(specifier);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(specifier, module);
  const { file, source } = exports.readAsset(specifier);
  const text = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
  const run = vm.runInThisContext(text, { filename: file });
  run(module.exports, requireAsset, module, file, path.dirname(file));
  return module.exports;
};

/** A file that is in the single binary, with the name that it has in stack traces. */
exports.readAsset = function readAsset(specifier) {
  return {
    file: path.join(process.execPath, specifier),
    source: getAsset(path.posix.normalize(specifier), "utf8"),
  };
};

function requireBuiltin(name) {
  const builtin = process.getBuiltinModule(name);
  if (builtin !== undefined) return builtin;
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: "MODULE_NOT_FOUND" });
}
