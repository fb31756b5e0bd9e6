import { excerpt } from "../core/escape.ts";
import { FairleadError } from "../core/error.ts";
import { isRepositoryPath } from "../reference/grammar.ts";
import {
  isRegistryComponent,
  normaliseRegistryHost,
  tryParseRegistryHost,
} from "../reference/registry-host.ts";
import type { TargetRegistry } from "./targets/target.ts";
import { detectTargetType } from "./targets/targets.ts";

/**
 * Parses `host[:port][/path]`, such as `myharbor.internal:5000/proxied-images`. The host is normalised and
 * gives the target's type; a type that the user names has to be put in its place.
 * @throws FairleadError `target-invalid`, with a hint that has the corrected text where there is one.
 */
export function parseTargetRegistry(text: string): TargetRegistry {
  const slash = text.indexOf("/");
  const written = slash < 0 ? text : text.slice(0, slash);
  const basePath = slash < 0 ? "" : text.slice(slash + 1);
  const problem = findProblem(text, written, slash < 0 ? undefined : basePath);
  if (problem !== undefined) {
    throw new FairleadError("target-invalid", `Invalid target registry '${shown(text)}': ${problem}`, {
      hint: suggest(text),
    });
  }
  const host = normaliseRegistryHost(written);
  return { host, basePath, type: detectTargetType(host) };
}

/** `host[:port][/path]`. */
export function formatTargetRegistry({ host, basePath }: TargetRegistry): string {
  return basePath === "" ? host : `${host}/${basePath}`;
}

function findProblem(text: string, host: string, path: string | undefined): string | undefined {
  if (text === "") return "is empty";
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(text)) return "has a scheme";
  if (text.includes("@")) return "has a user name or a digest";
  if (/[^a-zA-Z0-9._:/[\]-]/u.test(text)) return "contains illegal characters";
  if (tryParseRegistryHost(host) === undefined) return "is not a host with an optional port";
  if (!isRegistryComponent(host.toLowerCase())) return "is read as a path at Docker Hub by container tools";
  if (path !== undefined && !isRepositoryPath(path)) return "has a path that no repository can have";
  return undefined;
}

/** What stands before an `@` may be a password. */
function shown(text: string): string {
  return excerpt(text.replace(/^.*@/su, "…@"));
}

function suggest(text: string): string {
  const form = "A target registry is host[:port][/path], such as myharbor.internal:5000/proxied-images.";
  const bare = text.replace(/^[a-z][a-z0-9+.-]*:\/\//iu, "").replace(/^[^/]*@/u, "");
  const trimmed = bare.slice(0, 600).replace(/\/+$/u, "").toLowerCase();
  const slash = trimmed.indexOf("/");
  const host = slash < 0 ? trimmed : trimmed.slice(0, slash);
  const path = slash < 0 ? undefined : trimmed.slice(slash + 1);
  if (findProblem(trimmed, host, path) === undefined) return `Use '${trimmed}'.`;
  if (/^[a-z0-9-]+$/u.test(host)) return `${form} Add the domain or the port: '${host}:443'.`;
  return form;
}
