import type { Command } from "commander";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { FairleadError } from "../../core/error.ts";
import { describeFileFailure } from "../../core/file-failure.ts";
import { findManifestFiles } from "../../objects/manifest-files.ts";
import type { CliIo } from "../io.ts";
import { readAtMost } from "../output/read-input.ts";

/** The text of a file, byte for byte: a byte order mark is a part of it. */
export interface ManifestText {
  /** As the user names it. */
  readonly name: string;
  /** Without links; undefined for standard input. */
  readonly path: string | undefined;
  readonly text: string;
}

export interface ManifestTexts {
  readonly texts: readonly ManifestText[];
  /** `file-refused` and `file-unparsable`. */
  readonly diagnostics: readonly Diagnostic[];
}

const maxBytes = 16 * 1024 * 1024;

/** Adds `-f`, as kubectl has it. */
export function addManifestOption(command: Command): Command {
  return command.requiredOption(
    "-f, --filename <path...>",
    "manifest, folder of *.yaml, *.yml and *.json files, or - for standard input; repeatable",
    (path: string, paths: readonly string[] | undefined) => [...(paths ?? []), path],
  );
}

/**
 * Reads what `-f` names.
 * @throws FairleadError `input-unreadable`, `limit-exceeded`, `aborted`
 */
export async function readManifestTexts(
  names: readonly string[],
  io: Pick<CliIo, "stdin" | "signal">,
): Promise<ManifestTexts> {
  const texts: ManifestText[] = [];
  const diagnostics: Diagnostic[] = [];
  const take = (name: string, path: string | undefined, bytes: Uint8Array): void => {
    try {
      if (bytes.length > maxBytes) throw new RangeError(`the file is larger than ${maxBytes} bytes`);
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      texts.push({ name, path, text });
    } catch (error) {
      const message = error instanceof RangeError ? error.message : "the file is not UTF-8 text";
      diagnostics.push({ code: "file-unparsable", severity: "error", message, where: { file: name } });
    }
  };
  if (names.includes("-")) take("standard input", undefined, await io.stdin());
  const found = await findManifestFiles(
    names.filter((name) => name !== "-"),
    { signal: io.signal },
  );
  for (const { name, path } of found.files) {
    const bytes = await readAtMost(path, maxBytes + 1).catch((cause: unknown) => {
      throw new FairleadError("input-unreadable", describeFileFailure(cause), {
        where: { file: name },
        cause,
      });
    });
    take(name, path, bytes);
  }
  return { texts, diagnostics: [...found.diagnostics, ...diagnostics] };
}
