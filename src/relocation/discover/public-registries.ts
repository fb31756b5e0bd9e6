/** Registries that serve images to everyone: a text that starts with one of them is a reference. */
const publicRegistries: ReadonlySet<string> = new Set([
  "docker.io",
  "quay.io",
  "gcr.io",
  "ghcr.io",
  "registry.k8s.io",
  "k8s.gcr.io",
  "public.ecr.aws",
  "mcr.microsoft.com",
  "nvcr.io",
  "registry.gitlab.com",
  "registry.access.redhat.com",
  "registry.redhat.io",
  "registry.connect.redhat.com",
  "docker.elastic.co",
  "container-registry.oracle.com",
  "icr.io",
  "lscr.io",
  "xpkg.upbound.io",
]);

/** Whether a host (in lower case, without port) is a well-known public registry. */
export function isPublicRegistry(host: string): boolean {
  return (
    publicRegistries.has(host) ||
    /\.gcr\.io$|-docker\.pkg\.dev$|\.azurecr\.io$|\.dkr\.ecr\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/u.test(
      host,
    )
  );
}
