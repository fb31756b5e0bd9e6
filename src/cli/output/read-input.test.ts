import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readInput } from "./read-input.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fairlead-input-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

test("a file is read as UTF-8 without its byte order mark", async () => {
  const path = join(folder, "config.yaml");
  await writeFile(path, "\ufeffa: ü\n");
  expect(await readInput(path)).toBe("a: ü\n");
});

test("a link within its folder is followed, as Kubernetes mounts files", async () => {
  await mkdir(join(folder, "..data"));
  await writeFile(join(folder, "..data", "config.yaml"), "a: 1\n");
  await symlink("..data/config.yaml", join(folder, "config.yaml"));
  expect(await readInput(join(folder, "config.yaml"))).toBe("a: 1\n");
});

test.each<{ name: string; prepare: () => Promise<string>; code: string; message: string }>([
  {
    name: "a missing file",
    prepare: async () => join(folder, "no"),
    code: "input-unreadable",
    message: "no such file or folder",
  },
  {
    name: "a directory",
    prepare: async () => folder,
    code: "input-unreadable",
    message: "this is a directory, not a file",
  },
  {
    name: "an endless device",
    prepare: async () => "/dev/zero",
    code: "input-unreadable",
    message: "this is a device, pipe or socket, not a file",
  },
  {
    name: "a pipe that nobody writes to",
    prepare: async () => {
      execFileSync("mkfifo", [join(folder, "pipe")]);
      return join(folder, "pipe");
    },
    code: "input-unreadable",
    message: "this is a device, pipe or socket, not a file",
  },
  {
    name: "a link out of its folder",
    prepare: async () => {
      await symlink("/etc/passwd", join(folder, "config.yaml"));
      return join(folder, "config.yaml");
    },
    code: "input-unreadable",
    message: "the link leads out of its folder",
  },
  {
    name: "a file that is too large",
    prepare: async () => {
      await writeFile(join(folder, "big"), "x".repeat(101));
      return join(folder, "big");
    },
    code: "input-unreadable",
    message: "the file is larger than 100 bytes",
  },
  {
    name: "bytes that are not UTF-8",
    prepare: async () => {
      await writeFile(join(folder, "latin"), Uint8Array.of(0xe9, 0x0a));
      return join(folder, "latin");
    },
    code: "input-invalid",
    message: "the file is not UTF-8 text",
  },
])("$name is refused", async ({ prepare, code, message }) => {
  const path = await prepare();
  await expect(readInput(path, { maxBytes: 100 })).rejects.toMatchObject({
    code,
    message,
    where: { file: path },
  });
});
