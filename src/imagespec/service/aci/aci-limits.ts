/** How much one image, and one pull, may be. */
export interface AciLimits {
  /** Of the file as it is fetched; default: 4 GiB. */
  readonly maxArchiveBytes: number;
  /** Of the image, uncompressed; default: 16 GiB. */
  readonly maxImageBytes: number;
  /** Default: 500,000. */
  readonly maxEntries: number;
  /** Names of folders in a path; default: 255. */
  readonly maxPathDepth: number;
  /** Of an image and its dependencies together; default: 64. */
  readonly maxImages: number;
  /** How many dependencies stand one behind another; default: 16. */
  readonly maxDependencyDepth: number;
}

const gibibyte = 1024 ** 3;

/** Room for the largest images that are in use, and not for more. */
export const defaultAciLimits: AciLimits = {
  maxArchiveBytes: 4 * gibibyte,
  maxImageBytes: 16 * gibibyte,
  maxEntries: 500_000,
  maxPathDepth: 255,
  maxImages: 64,
  maxDependencyDepth: 16,
};
