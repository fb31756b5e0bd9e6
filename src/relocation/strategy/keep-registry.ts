import { hostWithoutPort, normaliseRegistryHost } from "../../reference/registry-host.ts";
import { sourcePath } from "./library.ts";
import type { Strategy } from "./strategy.ts";

/** Puts the source registry before the path as it is, dots included: what Harbor and Zot accept. */
export const keepRegistry: Strategy = {
  name: "keep-registry",
  description: "the source registry as it is, then the path: quay.io/org/app → quay.io/org/app",
  targetPath: (reference, { library }) =>
    `${registryComponent(reference.registry)}/${sourcePath(reference, library)}`,
};

/**
 * A registry as one path component, in lower case. A path has no colon: a port follows an underscore, which no
 * host can contain (`mirror.lan:5000` → `mirror.lan_5000`), but for 443, the default; an IPv6 address is written
 * with dots, with `0` for what it leaves out (`[::1]:5000` → `0.0.1_5000`).
 */
function registryComponent(registry: string): string {
  const normalised = normaliseRegistryHost(registry).replace(/:443$/u, "");
  const host = hostWithoutPort(normalised);
  const name = host.startsWith("[")
    ? host
        .slice(1, -1)
        .split(":")
        .map((group) => (group === "" ? "0" : group))
        .join(".")
    : host;
  return name + normalised.slice(host.length).replace(":", "_");
}
