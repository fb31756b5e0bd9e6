import { excerpt } from "../../core/escape.ts";
import { FairleadError } from "../../core/error.ts";
import { joinReference, tryParseReference, type ImageReference } from "../../reference/reference.ts";
import { tryParseRegistryHost } from "../../reference/registry-host.ts";

const scheme = "oci://";

/** Whether a chart's name is an address in a registry; Helm takes the scheme in lower case only. */
export function isOciAddress(text: string): boolean {
  return text.startsWith(scheme);
}

/**
 * Reads `oci://HOST/PATH[:VERSION][@DIGEST]`. The first part is a host whatever it looks like, and a `+` of the
 * version is a `_` of the tag, which cannot hold one (Helm, pkg/registry/reference.go).
 * @throws FairleadError `input-invalid`
 */
export function parseOciAddress(text: string): ImageReference {
  const { host = "", path = "" } = /^oci:\/\/(?<host>[^/]*)\/(?<path>.*)$/su.exec(text)?.groups ?? {};
  const name = path.replace(/:[^/@:]*(?=@|$)/u, (version) => version.replaceAll("+", "_"));
  const reference = tryParseReference(`localhost/${name}`);
  if (reference === undefined || tryParseRegistryHost(host) === undefined) {
    throw new FairleadError(
      "input-invalid",
      `Invalid chart address '${excerpt(text.replace(/^(oci:\/\/)[^/]*@/su, "$1…@"))}'`,
      { hint: "an address is oci://HOST/PATH[:VERSION], such as oci://quay.io/team/charts/shop:1.2.3" },
    );
  }
  return { ...reference, registry: host, writtenRegistry: host };
}

/** The address as text, with the tag as it is. */
export function formatOciAddress({ registry, path, tag, digest }: ImageReference): string {
  return scheme + joinReference(registry, path, { tag, digest });
}
