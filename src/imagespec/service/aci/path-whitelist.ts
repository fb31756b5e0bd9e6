/** Says of a path below the root, one byte a character, whether it is in the rendered image. */
export type PathFilter = (path: string, isFolder: boolean) => boolean;

/**
 * The filter that a `pathWhitelist` is (appc specification, "Image Manifest Schema"): exactly the paths that it lists,
 * and the folders above them. An empty one lets everything through.
 */
export function createPathFilter(whitelist: readonly string[]): PathFilter {
  if (whitelist.length === 0) return () => true;
  const listed = new Set<string>();
  const folders = new Set<string>([""]);
  for (const entry of whitelist) {
    const parts = Buffer.from(entry, "utf8")
      .toString("latin1")
      .split("/")
      .filter((part) => part !== "" && part !== ".");
    listed.add(parts.join("/"));
    for (let count = 1; count < parts.length; count += 1) folders.add(parts.slice(0, count).join("/"));
  }
  return (path, isFolder) => listed.has(path) || (isFolder && folders.has(path));
}
