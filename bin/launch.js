import module from "node:module";
import path from "node:path";
import v8 from "node:v8";

// Plain JavaScript that any Node can read, so that an old one is told so in one clear line.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

/** Runs the bundled program, or says in one line why it cannot run here. */
export async function launch(program) {
  if (process.platform === "win32")
    return refuse("fairlead runs on Linux and macOS, not on Windows; WSL works");
  if (major < 22 || (major === 22 && minor < 19)) {
    return refuse(`fairlead needs Node 22.19 or newer, this is ${process.versions.node}`);
  }
  keepCompiledCode();
  // Templates may include themselves a thousand times, as in Helm; half of what the system gives a process.
  v8.setFlagsFromString("--stack-size=3900");
  const { main } = await import("../dist/fairlead.js");
  process.exitCode = await main(program, process.argv.slice(2));
}

/** Saves a tenth of the start-up; in the user's own cache, since code that others could write must not be run. */
function keepCompiledCode() {
  const { XDG_CACHE_HOME: cache, HOME: home } = process.env;
  if (!cache && !home) return;
  try {
    module.enableCompileCache?.(path.join(cache || path.join(home, ".cache"), "fairlead"));
  } catch {
    // A cache that cannot be had costs a few milliseconds and nothing else.
  }
}

function refuse(reason) {
  process.stderr.write(`error: ${reason}\n`);
  process.exitCode = 2;
}
