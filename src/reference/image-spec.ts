import { FairleadError } from "../core/error.ts";
import { excerpt } from "../core/escape.ts";
import { joinReference, parseReference, type ImageReference } from "./reference.ts";

/** A Docker or OCI image, as document 003 structures it. */
export interface DockerImage {
  /** Host and optional port, `docker.io` for Docker Hub. */
  readonly registry: string;
  /** The whole path within the registry, such as `library/nginx`. */
  readonly name: string;
  readonly tag?: string;
  /** `algorithm:hex`. */
  readonly digest?: string;
}

/** An appc container image, as document 003 structures it. */
interface Aci {
  readonly name: string;
  readonly tag?: string;
  /** `sha512-hex`. */
  readonly id?: string;
}

/** An image reference as data: exactly one member is set (document 003, Design 4). */
export type ImageSpec =
  | { readonly dockerImage: DockerImage; readonly aci?: never }
  | { readonly aci: Aci; readonly dockerImage?: never };

/** appc specification 0.8.11, "AC Identifier Type". */
const aciNamePattern = /^[a-z0-9]+(?:[-._~/][a-z0-9]+)*$/u;

const aciIdPattern = /^sha512-[a-f0-9]{128}$/u;

/** The structured form of a reference, with its normalised registry and path. */
export function toImageSpec(reference: ImageReference): ImageSpec {
  const { registry, path, tag, digest } = reference;
  return {
    dockerImage: {
      registry,
      name: path,
      ...(tag === undefined ? {} : { tag }),
      ...(digest === undefined ? {} : { digest }),
    },
  };
}

/**
 * The reference of a Docker image; a `docker.io` name without a namespace is an official image.
 * @throws FairleadError `reference-invalid` for an ACI, and for parts that do not make up a reference.
 */
export function fromImageSpec(spec: ImageSpec): ImageReference {
  if (spec.dockerImage === undefined) {
    throw new FairleadError("reference-invalid", `'${excerpt(spec.aci.name)}' is an ACI, not a Docker image`);
  }
  const { registry, name, tag, digest } = spec.dockerImage;
  const text = joinReference(registry, name, { tag, digest });
  const reference = parseReference(text);
  // A part that runs over into the next, such as a tag within the name, comes out elsewhere.
  if (
    (reference.writtenRegistry ?? "") !== registry ||
    reference.writtenPath !== name ||
    reference.tag !== tag ||
    reference.digest !== digest ||
    (registry === "" && reference.registry !== "")
  ) {
    throw new FairleadError(
      "reference-invalid",
      `The parts of image '${excerpt(text)}' do not fit together`,
      {
        hint: "`registry` is a host[:port], `name` the path alone, `tag` and `digest` have members of their own.",
      },
    );
  }
  return reference;
}

/**
 * Checks data from outside against document 003 (Design 4): one member, `dockerImage` or `aci`, with its
 * required parts. Null members and parts count as absent.
 * @returns a copy that holds the known parts only.
 * @throws FairleadError `input-invalid` for a wrong structure, `reference-invalid` for a wrong Docker image.
 */
export function validateImageSpec(value: unknown): ImageSpec {
  const members = readParts(value, "An image spec", ["dockerImage", "aci"]);
  if (members.size !== 1) {
    throw invalid(`An image spec has exactly one of dockerImage and aci, not ${members.size}`);
  }
  const docker = members.get("dockerImage");
  return docker === undefined ? validateAci(members.get("aci")) : validateDockerImage(docker);
}

function validateDockerImage(value: unknown): ImageSpec {
  const parts = readParts(value, "dockerImage", ["registry", "name", "tag", "digest"]);
  const tag = readText(parts, "dockerImage", "tag");
  const digest = readText(parts, "dockerImage", "digest");
  const spec: ImageSpec = {
    dockerImage: {
      registry: readRequiredText(parts, "dockerImage", "registry"),
      name: readRequiredText(parts, "dockerImage", "name"),
      ...(tag === undefined ? {} : { tag }),
      ...(digest === undefined ? {} : { digest }),
    },
  };
  fromImageSpec(spec);
  return spec;
}

function validateAci(value: unknown): ImageSpec {
  const parts = readParts(value, "aci", ["name", "tag", "id"]);
  const name = readRequiredText(parts, "aci", "name");
  const tag = readText(parts, "aci", "tag");
  const id = readText(parts, "aci", "id");
  if (!aciNamePattern.test(name)) throw invalid(`aci.name '${excerpt(name)}' is not an AC identifier`);
  if (id !== undefined && !aciIdPattern.test(id)) {
    throw invalid(`aci.id '${excerpt(id)}' is not sha512- and 128 lower-case hexadecimal characters`);
  }
  return {
    aci: { name, ...(tag === undefined ? {} : { tag }), ...(id === undefined ? {} : { id }) },
  };
}

function readParts(value: unknown, owner: string, known: readonly string[]): ReadonlyMap<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid(`${owner} is a map`);
  }
  const parts = new Map<string, unknown>();
  for (const [key, part] of Object.entries(value)) {
    if (!known.includes(key)) throw invalid(`${owner} has no part '${excerpt(key)}'`);
    if (part !== null && part !== undefined) parts.set(key, part);
  }
  return parts;
}

function readText(parts: ReadonlyMap<string, unknown>, owner: string, key: string): string | undefined {
  const part = parts.get(key);
  if (part !== undefined && typeof part !== "string") throw invalid(`${owner}.${key} is a string`);
  return part;
}

function readRequiredText(parts: ReadonlyMap<string, unknown>, owner: string, key: string): string {
  const text = readText(parts, owner, key);
  if (text === undefined) throw invalid(`${owner}.${key} is missing`);
  return text;
}

function invalid(message: string): FairleadError {
  return new FairleadError("input-invalid", message);
}
