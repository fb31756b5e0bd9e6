import { excerpt } from "../core/escape.ts";
import { FairleadError } from "../core/error.ts";
import { parseSourceRegistry, registryIdentity } from "../reference/registry-host.ts";
import { matchesGlob } from "./glob.ts";

/** Which registries to move images from: all, or those with these identities (see `registryIdentity`). */
export type SourceSelection = "all" | ReadonlySet<string>;

/** Hosts in lower case without port, in which `*` is any run of characters. */
export type ExcludedRegistries = readonly string[];

/**
 * Reads source registries as a user lists them; `*` among them is every registry. Ports are ignored
 * (document 002, §11).
 * @throws FairleadError `input-invalid` for a text that is no host.
 */
export function parseSourceRegistries(texts: readonly string[]): SourceSelection {
  const hosts = texts.filter((text) => text !== "*").map((text) => parseSourceRegistry(text));
  return hosts.length < texts.length ? "all" : new Set(hosts);
}

/**
 * Reads excluded registries as a user lists them: hosts, or patterns such as `*.internal.example.com`. Ports
 * are ignored (document 002, §11).
 * @throws FairleadError `input-invalid`.
 */
export function parseExcludedRegistries(texts: readonly string[]): ExcludedRegistries {
  return texts.map((text) => {
    if (text === "" || text.length > 320 || /[^a-zA-Z0-9.:*[\]-]/u.test(text)) {
      const problem = text === "" ? "is empty" : "contains illegal characters";
      throw new FairleadError(
        "input-invalid",
        `Invalid excluded registry '${excerpt(text.replace(/^.*@/su, "…@"))}': ${text.length > 320 ? "is too long" : problem}`,
        { hint: "An excluded registry is a host, or a pattern such as *.internal.example.com." },
      );
    }
    return registryIdentity(text);
  });
}

/** Whether images of a registry are to be moved; under `all`, those of any registry that has a name. */
export function isSelected(registry: string, sources: SourceSelection): boolean {
  return sources === "all" ? registry !== "" : sources.has(registryIdentity(registry));
}

/** Whether a pattern leaves a registry's images where they are. */
export function isExcluded(registry: string, excluded: ExcludedRegistries): boolean {
  const identity = registryIdentity(registry);
  return excluded.some((pattern) => matchesGlob(pattern, identity));
}
