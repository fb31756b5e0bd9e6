import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { Header, type types } from "tar";

/** Writes files, given by their names and contents, below a folder. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

export interface TarEntry {
  readonly path: string;
  readonly data?: string | Uint8Array;
  /** Default: `File`. */
  readonly type?: types.EntryTypeName;
  readonly linkpath?: string;
}

/** A tar file of exactly these entries, however hostile they are. */
export function makeTar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ path, data = "", type = "File", linkpath }) => {
    const body = Buffer.from(data);
    const header = Buffer.alloc(512);
    new Header({
      path,
      type,
      mode: 0o644,
      size: body.length,
      ...(linkpath === undefined ? {} : { linkpath }),
    }).encode(header);
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** A gzipped tar file of these entries. */
export function makeArchive(entries: readonly TarEntry[]): Buffer {
  return gzipSync(makeTar(entries));
}

/** The archive of a chart: files below a folder of the chart's name. */
export function makeChartArchive(
  chart: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Buffer {
  return makeArchive(Object.entries(files).map(([name, data]) => ({ path: `${chart}/${name}`, data })));
}

/** Chart.yaml with a name, version 1.0.0 and more lines where given. */
export function chartYaml(name: string, more = ""): string {
  return `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n${more}`;
}
