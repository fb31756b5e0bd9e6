import { FairleadError } from "../../../core/error.ts";
import { excerpt } from "../../../core/escape.ts";
import type { ImageSpec } from "../../../reference/image-spec.ts";
import { tryParseReference } from "../../../reference/reference.ts";
import { type AciRequest, defaultTag, toAciRequest } from "../aci/aci-request.ts";

/** A host that no name server has (RFC 6761), so that nobody takes an ACI from a registry instead. */
const host = "aci.invalid";

/** References have that many characters before their tag. */
const maxNameLength = 255;

/** The names that an imported ACI has in containerd, where names are references. */
export interface AciNames extends AciRequest {
  /** Of its tag; undefined where it is asked for by its ID alone. */
  readonly byTag: string | undefined;
}

/**
 * The name in a container runtime of what a spec asks for; each ACI has another.
 * @throws FairleadError `image-format-unsupported`, `image-spec-invalid`
 */
export function aciNames(spec: ImageSpec): AciNames {
  const request = toAciRequest(spec);
  const { name, tag, id } = request;
  if (repositoryOf(name).length > maxNameLength) {
    throw new FairleadError(
      "image-spec-invalid",
      `the name '${excerpt(name)}' is too long for a container runtime`,
    );
  }
  const isById = tag === undefined && id !== undefined;
  return { ...request, byTag: isById ? undefined : `${repositoryOf(name)}:${tag ?? defaultTag}` };
}

/** The name of an ACI's ID in a container runtime. */
export function nameOfId(name: string, id: string): string {
  return `${repositoryOf(name)}@${id.replace("-", ":")}`;
}

/** What a name in a container runtime stands for; undefined where it is not that of an ACI. */
export function tryReadAciName(
  text: string,
): { readonly name: string; readonly tag?: string; readonly id?: string } | undefined {
  const reference = tryParseReference(text);
  if (reference?.registry !== host) return undefined;
  const { path, tag, digest } = reference;
  return {
    name: path.replaceAll("__", "~"),
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { id: digest.replace(":", "-") }),
  };
}

/** A reference has no `~`, and the name of an ACI no `__`. */
function repositoryOf(name: string): string {
  return `${host}/${name.replaceAll("~", "__")}`;
}
