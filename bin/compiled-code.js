const fs = require("node:fs");
const { createRequire } = require("node:module");
const path = require("node:path");
const v8 = require("node:v8");
const vm = require("node:vm");

/**
 * Runs a CommonJS bundle with the code that an earlier run for the same purpose has compiled: half of a short
 * run would be spent on compiling. Node's own compile cache keeps little of what is compiled late.
 * @returns the bundle's exports, and what is to be called at the end to keep the code for the next run
 */
exports.loadCompiled = function loadCompiled(bundle, { purpose }) {
  // Or the collector throws away what has been compiled before it can be kept.
  v8.setFlagsFromString("--no-flush-bytecode");
  const file = codeFileOf(bundle, purpose);
  const cachedData = file && readOwnFile(file);
  const source = fs.readFileSync(bundle, "latin1");
  const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: bundle,
    cachedData,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(bundle), module, bundle, path.dirname(bundle));
  return {
    exports: module.exports,
    keepCode: () => {
      if (file && (!cachedData || script.cachedDataRejected)) keep(file, purpose, script);
    },
  };
};

/** In the user's own cache, by everything that the code depends on. */
function codeFileOf(bundle, purpose) {
  const { XDG_CACHE_HOME: cache, HOME: home } = process.env;
  if (!cache && !home) return undefined;
  const { size, mtimeMs } = fs.statSync(bundle);
  const key = [process.version, process.arch, v8.cachedDataVersionTag(), size, Math.round(mtimeMs)].join("-");
  return path.join(cache || path.join(home, ".cache"), "fairlead", `${purpose}_${key}.code`);
}

/** Code that others could have written must not be run. */
function readOwnFile(file) {
  try {
    const { uid, mode } = fs.statSync(file);
    return uid === process.getuid() && (mode & 0o022) === 0 ? fs.readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
}

function keep(file, purpose, script) {
  const folder = path.dirname(file);
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const temporary = `${file}.${process.pid}.tmp`;
    fs.writeFileSync(temporary, script.createCachedData(), { mode: 0o600 });
    fs.renameSync(temporary, file);
    for (const name of fs.readdirSync(folder)) {
      if (name.startsWith(`${purpose}_`) && name !== path.basename(file)) fs.rmSync(path.join(folder, name));
    }
  } catch {
    // Code that cannot be kept costs the next run some time and nothing else.
  }
}
