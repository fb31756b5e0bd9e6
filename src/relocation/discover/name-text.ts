import { isRegistryComponent } from "../../reference/registry-host.ts";
import type { ValuePath } from "../../yaml/value-path.ts";
import type { NameLeaf } from "./image-site.ts";
import { tryParseReference } from "../../reference/reference.ts";

export interface SplitName {
  readonly prefix: string;
  readonly name: string;
  readonly suffix: string;
}

/**
 * Splits the text of a leaf into what stands before the image's name (`--image=`), the name, and what
 * follows it (`:tag`, `@sha256:hex`, `@sha256` alone where the hex stands in the tag).
 */
export function splitNameText(text: string): SplitName {
  const prefix = /^-{1,2}[\w.-]+=/u.exec(text)?.[0] ?? "";
  const rest = text.slice(prefix.length);
  const at = rest.indexOf("@");
  const beforeDigest = at === -1 ? rest : rest.slice(0, at);
  const colon = beforeDigest.indexOf(":", beforeDigest.lastIndexOf("/") + 1);
  const end = colon === -1 ? beforeDigest.length : colon;
  return { prefix, name: rest.slice(0, end), suffix: rest.slice(end) };
}

/** A leaf that holds a registry; templates that put nothing between it and the path need its last `/`. */
export function registryLeafOf(path: ValuePath, text: string): NameLeaf {
  const name = text.replace(/\/+$/u, "");
  return { path, text: name, prefix: "", suffix: text.slice(name.length) };
}

/** The registry host that a name starts with, by the rule of distribution/reference; undefined for none. */
export function hostOf(name: string): string | undefined {
  const slash = name.indexOf("/");
  if (slash <= 0) return undefined;
  const first = name.slice(0, slash);
  return isRegistryComponent(first) ? first : undefined;
}

/** Whether a text holds Go template code: such a value is never read as a reference. */
export function holdsTemplate(text: string): boolean {
  return text.includes("{{");
}

/** Whether a text cannot be an image at all: a URL, prose, several lines, a file, a Git remote. */
export function isForeignText(text: string): boolean {
  return (
    text.length > 1024 ||
    /[\s,;$<>(){}"'*?%\\]|:\/\/|^git@|^[./~]/u.test(text) ||
    /\.(?:png|svg|jpe?g|gif|ico|iso|img|qcow2|ya?ml|json|sh|git)$/iu.test(text)
  );
}

/** Whether the text, by itself, is a reference. */
export function isReferenceText(text: string): boolean {
  return tryParseReference(text) !== undefined;
}
