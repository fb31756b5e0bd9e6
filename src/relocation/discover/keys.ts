/**
 * The names under which charts keep the parts of an image. Keys are compared without case, hyphens and
 * underscores, so `image_repository`, `imageRepository` and `image-repository` are one name.
 */
export function foldKey(key: string): string {
  return key.replaceAll(/[-_]/gu, "").toLowerCase();
}

export type ImagePart = "registry" | "namespace" | "repository" | "tag" | "digest";

const partNames: Readonly<Record<ImagePart, readonly string[]>> = {
  registry: ["registry", "imageregistry", "containerregistry", "dockerregistry", "registryurl", "hub"],
  namespace: ["namespace", "imagenamespace", "organization", "org"],
  repository: ["repository", "repo", "imagerepository", "imagerepo"],
  tag: ["tag", "imagetag", "version", "tagoverride"],
  digest: ["digest", "imagedigest", "sha", "sha256"],
};

/** The keys of a map that name a part, in the order of preference. */
export function keysOfPart(map: object, part: ImagePart): string[] {
  const names = partNames[part];
  return Object.keys(map)
    .filter((key) => names.includes(foldKey(key)))
    .sort((left, right) => names.indexOf(foldKey(left)) - names.indexOf(foldKey(right)));
}

/** Whether a key says that what it holds is an image: `image`, `sidecarImage`, `images`, `initImage`. */
export function isImageKey(key: string): boolean {
  return (
    /images?$/u.test(foldKey(key)) &&
    !/(?:use|is|has|pull|skip|build|background|logo|icon)images?$/u.test(foldKey(key))
  );
}

/** Whether a map that has this key beside a repository is an image, whatever the map is called. */
export function isImageCompanionKey(key: string): boolean {
  return /^(?:image)?(?:tag|digest|sha|sha256|registry|pullpolicy|pullsecrets?|tagsuffix)$/u.test(
    foldKey(key),
  );
}

/** Keys that hold something called repository that is no image: Git, Helm, backup and package repositories. */
export function isForeignRepositoryKey(key: string): boolean {
  return /(?:git|helm|chart|svn|maven|backup|snapshot|restic|borg|package|apt|yum|source|template|config|dashboard|plugin|bitbucket|github|gitlab|ssh|repositoryurl)/u.test(
    foldKey(key),
  );
}

/**
 * Splits a key such as `operatorImageRepository` into the image it speaks of and the part it holds;
 * undefined for keys that name no part or nothing before it.
 */
export function splitPrefixedKey(
  key: string,
): { readonly stem: string; readonly part: ImagePart } | undefined {
  const match = /^(?<stem>.+?)[-_]?(?<part>registry|repository|repo|tag|digest)$/iu.exec(key);
  if (match?.groups === undefined) return undefined;
  const { stem, part } = match.groups;
  if (stem === undefined || part === undefined) return undefined;
  const folded = part.toLowerCase();
  if (folded === "registry" || folded === "tag" || folded === "digest")
    return { stem: foldKey(stem), part: folded };
  return { stem: foldKey(stem), part: "repository" };
}
