const indexTypes: readonly string[] = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
];

/** The kinds of manifests that are asked for: indexes first, as with their own media types registries prefer. */
export const manifestTypes: readonly string[] = [
  ...indexTypes,
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
  "application/vnd.docker.distribution.manifest.v1+prettyjws",
  "application/vnd.docker.distribution.manifest.v1+json",
];

/** Whether a manifest lists other manifests, one a platform. */
export function isIndexType(mediaType: string): boolean {
  return indexTypes.includes(mediaType);
}
