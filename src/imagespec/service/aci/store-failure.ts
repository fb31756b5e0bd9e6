import { FairleadError } from "../../../core/error.ts";
import { describeFileFailure } from "../../../core/file-failure.ts";

/** What the file system refuses to a store of images, as `runtime-failed`. */
export function describeStoreFailure(error: unknown): FairleadError {
  if (error instanceof FairleadError) return error;
  return new FairleadError(
    "runtime-failed",
    `the store of images cannot be used: ${describeFileFailure(error)}`,
    {
      cause: error,
    },
  );
}
