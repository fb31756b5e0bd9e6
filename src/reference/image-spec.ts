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
export interface Aci {
  readonly name: string;
  readonly tag?: string;
  /** `sha512-hex`. */
  readonly id?: string;
}

/** An image reference as data: exactly one member is set (document 003, Design 4). */
export type ImageSpec =
  | { readonly dockerImage: DockerImage; readonly aci?: never }
  | { readonly aci: Aci; readonly dockerImage?: never };
