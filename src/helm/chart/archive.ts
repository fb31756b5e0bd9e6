import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadEntry } from "tar";
import { FairleadError, messageOf } from "../../core/error.ts";
import type { Budget } from "./budget.ts";
import type { ChartFile } from "./chart.ts";

const blockBytes = 512;
const fileTypes: ReadonlySet<string> = new Set(["File", "OldFile", "ContiguousFile"]);

/** Whether the bytes begin as gzip does (RFC 1952, section 2.3.1; method deflate). */
export function isGzip(data: Uint8Array): boolean {
  return data[0] === 0x1f && data[1] === 0x8b && data[2] === 0x08;
}

/**
 * Reads the files of a gzipped chart archive into memory, names relative to its single top folder. Of two
 * entries with one name the last counts. Nothing is written to disk.
 * @param source the archive's bytes, or a stream of them
 * @param location what the archive is called in messages
 * @throws FairleadError `chart-invalid` for anything but files and folders, names that are absolute, hold
 *   `..`, a backslash or a drive letter, or lie outside the top folder, for damaged archives, and when the
 *   budget is used up.
 */
export async function readArchive(
  source: Uint8Array | Readable,
  location: string,
  budget: Budget,
): Promise<ChartFile[]> {
  // Loaded for archives only: it costs a tenth of the start-up.
  const { Parser } = await import("tar");
  const { createGunzip } = await import("node:zlib");
  const collector = createCollector(Parser, location, budget);
  const stream = source instanceof Uint8Array ? Readable.from([source]) : source;
  try {
    await pipeline(stream, createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        budget.check();
        budget.spendBytes(chunk.length, location);
        collector.write(chunk);
      }
    });
  } catch (cause) {
    if (cause instanceof FairleadError) throw cause;
    throw damaged(location, messageOf(cause), cause);
  }
  return collector.finish();
}

interface Collector {
  write(chunk: Buffer): void;
  finish(): ChartFile[];
}

function createCollector(Parser: typeof import("tar").Parser, location: string, budget: Budget): Collector {
  const files = new Map<string, Buffer>();
  const chooseName = createNamer(location);
  let failure: unknown;
  const attempt = (work: () => void): void => {
    if (failure !== undefined) return;
    try {
      work();
    } catch (error) {
      failure = error;
    }
  };
  const accept = (entry: ReadEntry): void => {
    attempt(() => {
      budget.spendFile(location);
      const name = chooseName(entry);
      if (name === undefined) return;
      const chunks: Buffer[] = [];
      entry.on("data", (chunk: Buffer) => chunks.push(chunk));
      entry.on("end", () => files.set(name, Buffer.concat(chunks)));
    });
    entry.resume();
  };
  const parser = new Parser({
    onReadEntry: accept,
    onwarn: (_code, message) =>
      attempt(() => {
        throw damaged(location, messageOf(message));
      }),
  });
  parser.on("ignoredEntry", accept);
  let head: Buffer | undefined = Buffer.alloc(0);
  const throwFailure = (): void => {
    if (failure !== undefined) throw failure;
  };
  return {
    write(chunk) {
      if (head === undefined) parser.write(chunk);
      else {
        head = Buffer.concat([head, chunk]);
        if (head.length < blockBytes) return;
        // The parser would unpack a stream within the stream, past the budget.
        if (isCompressed(head)) throw damaged(location, "it is compressed twice");
        parser.write(head);
        head = undefined;
      }
      throwFailure();
    },
    finish() {
      if (head !== undefined) throw damaged(location, "it is no tar file");
      parser.end();
      throwFailure();
      if (files.size === 0) throw damaged(location, "it holds no files");
      return [...files].map(([name, data]) => ({ name, data }));
    },
  };
}

/** Whether a block begins as gzip or zstd do: no tar header does. */
function isCompressed(block: Buffer): boolean {
  return block.readUInt16BE(0) === 0x1f8b || block.readUInt32BE(0) === 0x28b52ffd;
}

/** Gives an entry's name below the top folder, undefined for folders; throws for what has no place there. */
function createNamer(location: string): (entry: ReadEntry) => string | undefined {
  let top: string | undefined;
  return (entry) => {
    const refuse = (reason: string): FairleadError =>
      new FairleadError("chart-invalid", `the archive entry ${JSON.stringify(entry.path)} ${reason}`, {
        where: { file: location },
      });
    const isFolder = entry.type === "Directory";
    if (entry.type === "SymbolicLink" || entry.type === "Link") throw refuse("is a link");
    if (!isFolder && !fileTypes.has(entry.type)) throw refuse(`is neither file nor folder (${entry.type})`);
    if (entry.path.includes("\\")) throw refuse("holds a backslash");
    if (entry.path.startsWith("/")) throw refuse("is an absolute path");
    const parts = entry.path.split("/").filter((part) => part !== "" && part !== ".");
    if (parts.includes("..")) throw refuse("refers to a parent folder");
    if (parts.slice(0, 2).some((part) => /^[a-zA-Z]:/u.test(part)))
      throw refuse("begins with a drive letter");
    if (isFolder && parts.length === 0) return undefined;
    if (!isFolder && parts.length < 2) throw refuse("lies outside the chart's folder");
    top ??= parts[0];
    if (parts[0] !== top) throw refuse(`lies outside the chart's folder ${JSON.stringify(top)}`);
    return isFolder ? undefined : parts.slice(1).join("/");
  };
}

function damaged(location: string, reason: string, cause?: unknown): FairleadError {
  return new FairleadError("chart-invalid", `the chart archive cannot be read: ${reason}`, {
    where: { file: location },
    hint: "a chart archive is a gzipped tar file, as helm package makes it",
    cause,
  });
}
