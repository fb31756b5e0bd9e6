// Plain JavaScript, as it runs on the Node that came with npm: gives the package's own Node its place in
// node_modules/.bin, where older versions of npm leave it out because two platforms share the name.
import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const modules = fileURLToPath(new URL("../node_modules", import.meta.url));
const program = path.join(modules, `node-${process.platform}-${process.arch}`, "bin/node");
const link = path.join(modules, ".bin/node");
if (existsSync(program) && !existsSync(link)) {
  mkdirSync(path.dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(path.relative(path.dirname(link), program), link);
}
