import { define, parameters, type FunctionTable } from "../go/function.ts";
import { plainText, sliceText } from "../go/text.ts";
import type { GoFunction, Text } from "../go/value.ts";
import { handOn } from "./hand-on.ts";

const base = reducing(baseOf);
const dir = reducing((path) => cleanPath(sliceText(path, 0, plainText(path).lastIndexOf("/") + 1)));
const clean = reducing(cleanPath);
const ext = reducing(extensionOf);
const isAbs = define([parameters.string], ([path]) => path.startsWith("/"));

/** Sprig's functions on paths; those of the operating system are the same on Unix. */
export const pathFunctions: FunctionTable = {
  base,
  dir,
  clean,
  ext,
  isAbs,
  osBase: base,
  osDir: dir,
  osClean: clean,
  osExt: ext,
  osIsAbs: isAbs,
};

function reducing(reduce: (path: Text) => Text): GoFunction {
  return define([parameters.text], ([path], context) => handOn(reduce(path), context));
}

/** The last element of a path (Go's path.Base). */
function baseOf(path: Text): Text {
  const plain = plainText(path);
  if (plain === "") return ".";
  let end = plain.length;
  while (end > 0 && plain[end - 1] === "/") end -= 1;
  return end === 0 ? "/" : sliceText(path, plain.lastIndexOf("/", end - 1) + 1, end);
}

/** The last element's part from its last dot on (Go's path.Ext). */
function extensionOf(path: Text): Text {
  const plain = plainText(path);
  const dot = plain.lastIndexOf(".");
  return dot > plain.lastIndexOf("/") ? sliceText(path, dot) : "";
}

/** The shortest path that means the same (Go's path.Clean). */
function cleanPath(path: Text): Text {
  const plain = plainText(path);
  const root = plain.startsWith("/") ? "/" : "";
  const kept: string[] = [];
  for (const element of plain.split("/")) {
    if (element === "" || element === ".") continue;
    if (element !== "..") kept.push(element);
    else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (root === "") kept.push(element);
  }
  const cleaned = root + kept.join("/") || ".";
  if (cleaned === plain) return path;
  return plain.startsWith(cleaned) ? sliceText(path, 0, cleaned.length) : cleaned;
}
