const fs = require("node:fs");
const { createRequire } = require("node:module");
const path = require("node:path");
const v8 = require("node:v8");
const vm = require("node:vm");
const { crc32 } = require("node:zlib");

/**
 * Runs a CommonJS bundle with the code that an earlier run for the same purpose has compiled: half of a short
 * run would be spent on compiling. Node's own compile cache keeps little of what is compiled late.
 * @param bundle its file's name and text, what it requires its packages with, and what tells it from other bundles of
 *   that file; one without that brings its code along, or has none
 * @returns the bundle's exports, and what is to be called at the end to keep the code for the next run
 */
exports.loadCompiled = function loadCompiled(bundle, { purpose }) {
  const { file: filename, source, identity, require: requireFromBundle, code } = bundle;
  // Or the collector throws away what has been compiled before it can be kept.
  v8.setFlagsFromString("--no-flush-bytecode");
  const key = [process.version, process.arch, v8.cachedDataVersionTag(), identity].join("-");
  const file = identity && cacheFile(`${purpose}_${key}.code`);
  const cachedData = file ? tryReadCode(file) : code;
  const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename,
    cachedData,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, requireFromBundle, module, filename, path.dirname(filename));
  return {
    exports: module.exports,
    keepCode: () => {
      const isNew = !cachedData || script.cachedDataRejected;
      // What a run compiled beside what was kept is not told: some runs keep all of it again.
      if (file && (isNew || process.pid % 8 === 0)) keep(file, purpose, script.createCachedData());
    },
  };
};

/** A bundle with its state, of one file even where a new one takes its place meanwhile. */
exports.readBundle = function readBundle(file) {
  const descriptor = fs.openSync(file);
  try {
    const { size, mtimeMs } = fs.fstatSync(descriptor);
    const source = fs.readFileSync(descriptor, "utf8");
    return { file, source, identity: `${size}-${Math.round(mtimeMs)}`, require: createRequire(file) };
  } finally {
    fs.closeSync(descriptor);
  }
};

/** A file in the user's own cache, where there is one. */
function cacheFile(name) {
  const { XDG_CACHE_HOME: cache, HOME: home } = process.env;
  if (!cache && !home) return undefined;
  return path.join(cache || path.join(home, ".cache"), "fairlead", name);
}

/** What was kept: a checksum, and the code. Damaged code would crash, and what others could write must not run. */
function tryReadCode(file) {
  try {
    const { uid, mode } = fs.statSync(file);
    if (uid !== process.getuid() || (mode & 0o022) !== 0) return undefined;
    const bytes = fs.readFileSync(file);
    const code = bytes.subarray(4);
    return bytes.readUInt32LE() === crc32(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

function keep(file, purpose, code) {
  const folder = path.dirname(file);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(crc32(code));
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const temporary = `${file}.${process.pid}.tmp`;
    // A link that waits under this name would lead the write elsewhere.
    fs.writeFileSync(temporary, Buffer.concat([checksum, code]), { mode: 0o600, flag: "wx" });
    fs.renameSync(temporary, file);
    for (const name of fs.readdirSync(folder)) {
      if (name.startsWith(`${purpose}_`) && name !== path.basename(file)) fs.rmSync(path.join(folder, name));
    }
  } catch {
    // Code that cannot be kept costs the next run some time and nothing else.
  }
}
