import { sourcePath } from "./library.ts";
import type { Strategy } from "./strategy.ts";

/** Drops the source registry (document 002, §8.2). Two registries may then claim one name: a collision. */
export const flat: Strategy = {
  name: "flat",
  description: "the path alone: quay.io/org/app → org/app",
  targetPath: (reference, { library }) => sourcePath(reference, library),
};
