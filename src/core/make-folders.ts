import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder, and those above it that are missing. Node's own recursive `mkdir` never ends where the system says
 * ENOENT of a folder whose parent is there, as Linux does in /proc.
 * @param mode of what is made
 * @throws what the system says
 */
export function makeFolders(folder: string, mode = 0o777): void {
  const wanted = [folder];
  for (let above = dirname(resolve(folder)); !isThere(above); above = dirname(above)) wanted.unshift(above);
  for (const each of wanted) {
    try {
      mkdirSync(each, { mode });
    } catch (error) {
      // It was there, or another process made it.
      if (statSync(each, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
    }
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
