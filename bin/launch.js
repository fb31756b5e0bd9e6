// Plain JavaScript that any Node can read, so that an old one is told so in one clear line.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

/** Runs the bundled program, or says in one line why it cannot run here. */
export async function launch(program) {
  if (process.platform === "win32")
    return refuse("fairlead runs on Linux and macOS, not on Windows; WSL works");
  if (major < 22 || (major === 22 && minor < 19)) {
    return refuse(`fairlead needs Node 22.19 or newer, this is ${process.versions.node}`);
  }
  const { main } = await import("../dist/fairlead.js");
  process.exitCode = await main(program, process.argv.slice(2));
}

function refuse(reason) {
  process.stderr.write(`error: ${reason}\n`);
  process.exitCode = 2;
}
