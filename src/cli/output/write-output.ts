import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describeFileFailure } from "../../core/file-failure.ts";
import { FairleadError } from "../../core/error.ts";
import { isOwnOutput, type OutputKind, ownOutputBytes } from "./own-output.ts";
import { findPlainFile } from "./plain-file.ts";
import { readAtMost } from "./read-input.ts";

export interface Output {
  readonly path: string;
  readonly text: string;
  /** By the kind fairlead knows whether an existing file is its own work. */
  readonly kind: OutputKind;
  /** Default: that of the file it replaces, else that of any new file. */
  readonly mode?: number | undefined;
}

export interface WriteOptions {
  /** Whether a file that fairlead did not write is replaced. */
  readonly force: boolean;
}

/** An output whose place is known to be free or replaceable. */
interface CheckedOutput {
  readonly output: Output;
  readonly path: string;
  readonly mode: number | undefined;
}

/**
 * Writes one file whole or not at all; see {@link writeAll}.
 * @throws FairleadError `output-refused`.
 */
export async function writeWhole(
  path: string,
  text: string,
  options: WriteOptions & { readonly kind: OutputKind },
): Promise<void> {
  await writeAll([{ path, text, kind: options.kind }], options);
}

/**
 * Writes files, each whole or not at all, and none before all are known to be allowed and are on the disk
 * under a temporary name beside their place. A file that exists is replaced, and its mode kept unless another is given, where it is
 * identical, is fairlead's own work, or under `force`.
 * @throws FairleadError `output-refused` for any other file, a directory, device, pipe or socket, a link out
 *   of its folder, a missing folder, one place for two outputs, or whatever the file system refuses.
 */
export async function writeAll(outputs: readonly Output[], options: WriteOptions): Promise<void> {
  const checked = await checkAll(outputs, options);
  const temporary: string[] = [];
  try {
    for (const output of checked) temporary.push(await writeTemporary(output));
    for (const [index, { path, output }] of checked.entries()) {
      await refusing(output.path, () => rename(temporary[index] ?? "", path));
    }
  } finally {
    await Promise.all(temporary.map((path) => rm(path, { force: true })));
  }
}

/**
 * Makes sure that files may be written, without writing any; see {@link writeAll}.
 * @throws FairleadError `output-refused`.
 */
export async function checkOutputs(outputs: readonly Output[], options: WriteOptions): Promise<void> {
  await checkAll(outputs, options);
}

/**
 * Makes sure that paths name plain files in folders that are there, before it is known what they will hold.
 * @throws FairleadError `output-refused`.
 */
export async function checkPlaces(paths: readonly string[]): Promise<void> {
  const places = new Set<string>();
  for (const named of paths) {
    const { path } = await findPlainFile(named, "output-refused");
    if (places.has(path)) throw refuse(named, "two outputs go to this file");
    places.add(path);
  }
}

async function checkAll(outputs: readonly Output[], options: WriteOptions): Promise<CheckedOutput[]> {
  await checkPlaces(outputs.map(({ path }) => path));
  return Promise.all(outputs.map((output) => checkOutput(output, options)));
}

async function checkOutput(output: Output, options: WriteOptions): Promise<CheckedOutput> {
  const { path, stats } = await findPlainFile(output.path, "output-refused");
  const present = stats === undefined ? undefined : stats.mode & 0o777;
  const checked = { output, path, mode: output.mode ?? present };
  if (stats === undefined || options.force) return checked;
  const text = Buffer.from(output.text);
  const content = await refusing(output.path, () => readAtMost(path, Math.max(text.length, ownOutputBytes)));
  const identical = stats.size === text.length && text.equals(content);
  const beginning = Buffer.from(content.subarray(0, ownOutputBytes)).toString("utf8");
  if (identical || isOwnOutput(output.kind, beginning)) return checked;
  throw refuse(output.path, "the file exists and was not written by fairlead", {
    hint: "give another name, or --force to replace it",
  });
}

/** Puts the text on the disk under a random name in the folder of its place. */
async function writeTemporary({ output, path, mode }: CheckedOutput): Promise<string> {
  const temporary = join(dirname(path), `.fairlead-${crypto.randomUUID()}.tmp`);
  return refusing(output.path, async () => {
    const handle = await open(temporary, "wx", mode === undefined ? 0o644 : mode & 0o644);
    try {
      await handle.writeFile(output.text);
      if (mode !== undefined) await handle.chmod(mode);
      await handle.sync();
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    return temporary;
  });
}

async function refusing<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw refuse(path, `cannot write the file: ${describeFileFailure(cause)}`, { cause });
  }
}

function refuse(
  path: string,
  message: string,
  options: { hint?: string; cause?: unknown } = {},
): FairleadError {
  return new FairleadError("output-refused", message, { ...options, where: { file: path } });
}
