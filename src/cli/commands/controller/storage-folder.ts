import { access, constants, mkdir } from "node:fs/promises";
import { FairleadError, messageOf } from "../../../core/error.ts";

/**
 * Makes the folder of `--storage-path` where there is none.
 * @throws FairleadError `input-unreadable` where files cannot be written to it
 */
export async function prepareStorage(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new FairleadError("input-unreadable", `--storage-path cannot be used: ${messageOf(cause)}`, {
      cause,
      where: { file: folder },
      hint: "name a folder that this user may write to",
    });
  }
}
