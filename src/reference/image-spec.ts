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
export interface AciImage {
  readonly name: string;
  readonly tag?: string;
  /** `sha512-hex`. */
  readonly id?: string;
}

/** An image reference as data: exactly one member is set (document 003, Design 4). */
export type ImageSpec =
  | { readonly dockerImage: DockerImage; readonly aci?: never }
  | { readonly aci: AciImage; readonly dockerImage?: never };

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
