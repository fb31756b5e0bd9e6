import type { ApiClient } from "./api-client.ts";

/**
 * What controllers need of the place where objects live: the API server of a cluster, or a folder of manifests. Both
 * pass one contract suite.
 */
export type ObjectApi = Pick<
  ApiClient,
  "get" | "list" | "watch" | "create" | "patch" | "patchStatus" | "delete" | "close"
>;
