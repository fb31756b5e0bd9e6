import { escapeControls } from "../core/escape.ts";
import { digestRule, isDigest } from "./digest.ts";
import { isTag, maxPathLength, registryHostPattern } from "./grammar.ts";
import { isRegistryComponent } from "./registry-host.ts";

/** The longest reference that is looked at. Go has no such limit; a host of this length does not resolve. */
export const maxReferenceLength = 4096;

/** A bare image ID, which distribution/reference refuses as a name. */
export const imageIdPattern: RegExp = /^[a-f0-9]{64}$/u;

/** One sentence on the first thing that keeps a text from being an image reference. */
export function explainInvalidReference(text: string): string {
  if (text === "") return "The reference is empty.";
  if (text.length > maxReferenceLength) {
    return `It has ${text.length} characters; at most ${maxReferenceLength} are read.`;
  }
  if (imageIdPattern.test(text)) return "64 hexadecimal characters alone are an image ID, not a name.";
  if (/^[a-z]+:\/\//iu.test(text)) return "Leave the scheme out: a reference starts with a host or a path.";
  const illegal = /[^a-zA-Z0-9._/:@[\]-]/u.exec(text)?.[0];
  if (illegal !== undefined) return `The character '${escapeControls(illegal)}' is not allowed.`;
  const at = text.indexOf("@");
  if (at >= 0 && !isDigest(text.slice(at + 1))) return digestRule;
  return explainNameAndTag(at < 0 ? text : text.slice(0, at));
}

function explainNameAndTag(text: string): string {
  const colon = text.indexOf(":", text.lastIndexOf("/") + 1);
  if (colon >= 0 && !isTag(text.slice(colon + 1))) {
    return "A tag is 1 to 128 letters, digits, '_', '.' and '-', and starts with none of the last two.";
  }
  const name = colon < 0 ? text : text.slice(0, colon);
  const slash = name.indexOf("/");
  const first = name.slice(0, Math.max(slash, 0));
  const hasRegistry = isRegistryComponent(first);
  if (hasRegistry && !registryHostPattern.test(first)) {
    return `'${first.slice(0, 80)}' is not a host with an optional port.`;
  }
  return explainPath(hasRegistry ? name.slice(slash + 1) : name);
}

function explainPath(path: string): string {
  if (/[A-Z]/u.test(path)) return "The repository must be in lower case.";
  if (path.length > maxPathLength - "library/".length) {
    return `A repository has at most ${maxPathLength} characters.`;
  }
  if (path.split("/").includes("")) return "A component of the path is empty.";
  return "Path components are lower-case letters and digits, joined by '.', '_', '__' or dashes.";
}
