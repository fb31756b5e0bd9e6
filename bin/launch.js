const path = require("node:path");

// Plain JavaScript that any Node can read, so that an old one is told so in one clear line.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

const stackFlag = "--stack-size";

/**
 * Runs the bundled program, or says in one line why it cannot run here.
 * @param readBundle gives the bundle as `loadCompiled` takes it; default: the file of the package
 */
exports.launch = async function launch(program, readBundle = readPackageBundle) {
  if (process.platform === "win32")
    return refuse("fairlead runs on Linux and macOS, not on Windows; WSL works");
  if (major < 22 || (major === 22 && minor < 19)) {
    return refuse(`fairlead needs Node 22.19 or newer, this is ${process.versions.node}`);
  }
  const args = process.argv.slice(2);
  const { loadCompiled } = require("./compiled-code.js");
  const canRestart = !process.execArgv.some((arg) => arg.startsWith(stackFlag));
  // V8 takes no code from runs with other flags.
  const purpose = purposeOf(program, args) + (canRestart ? "" : "-deep");
  const { exports: bundle, keepCode } = loadCompiled(readBundle(), { purpose });
  const exitCode = await bundle.main(program, args, { canRestart });
  // Wrong flags are not what the next run will do.
  if (exitCode !== 2) keepCode();
  if (exitCode === undefined) restart();
  process.exitCode = exitCode;
};

/** Becomes the same run with more stack, which V8 gives at the start alone; usual runs start faster without. */
function restart() {
  // Node makes pipes that others may write to unblocking, and undoes it only where it ends.
  for (const { _handle: handle } of [process.stdout, process.stderr]) handle?.setBlocking?.(true);
  const flag = `${stackFlag}=${stackSize()}`;
  const args = [process.argv0, ...process.execArgv, flag, ...process.argv.slice(1)];
  process.execve(process.execPath, args, process.env);
}

/** In KiB: for templates that include themselves a thousand times, as in Helm; two thirds of the process's at most. */
function stackSize() {
  process.report.excludeNetwork = true;
  const { soft } = process.report.getReport().userLimits.stack_size_bytes;
  // It may be "unlimited".
  return Math.min(5400, Math.floor((Number(soft) / 1024) * (2 / 3)) || 5400);
}

function readPackageBundle() {
  return require("./compiled-code.js").readBundle(path.join(__dirname, "../dist/fairlead.cjs"));
}

/** What one command runs is little of the whole; the program without commands takes a chart in their place. */
function purposeOf(program, [first = ""]) {
  return program === "fairlead" && /^[a-z-]{1,30}$/u.test(first) ? `${program}-${first}` : program;
}

function refuse(reason) {
  process.stderr.write(`error: ${reason}\n`);
  process.exitCode = 2;
}
