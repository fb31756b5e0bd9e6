import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { lastStage, readContainerfile, textsOf } from "./containerfile.ts";

export interface ContainerRootOptions {
  /** An empty folder. */
  readonly folder: string;
  /** The single binary. */
  readonly binary: string;
  /** A file that is `/etc/fairlead/objects.yaml` there. */
  readonly config: string;
  /** Default: the entry point of the image. */
  readonly entrypoint?: readonly string[];
}

/**
 * Starts what `deploy/Containerfile` makes, as a pod would run it, over this machine's own files in place of its base
 * image and Debian packages. Only root may.
 */
export function startInContainerRoot(options: ContainerRootOptions, args: readonly string[]): ChildProcess {
  const image = lastStage(readContainerfile("deploy/Containerfile"));
  const commands = textsOf(image, "RUN").filter((text) => !text.includes("apt-get"));
  const entrypoint = options.entrypoint ?? (JSON.parse(textsOf(image, "ENTRYPOINT")[0] ?? "[]") as string[]);
  const script = path.join(import.meta.dirname, "container-root.sh");
  const { folder, binary, config } = options;
  const inside = [script, folder, binary, config, commands.join("\n"), ...entrypoint, ...args];
  return spawn("unshare", ["--mount", "--pid", "--fork", "--kill-child", ...inside], {
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Ends the first process of a container as a kubelet does; the one that was started beside it ends with it. */
export async function terminate(container: ChildProcess): Promise<void> {
  process.kill(await firstProcess(container), "SIGTERM");
  await once(container, "exit");
}

/** The processes that ended and that the first process of a container has not waited for. */
export async function countZombies(container: ChildProcess): Promise<number> {
  const states = (await childrenOf(await firstProcess(container))).map(async (pid) => stateOf(pid));
  return (await Promise.all(states)).filter((state) => state === "Z").length;
}

async function firstProcess(container: ChildProcess): Promise<number> {
  const [first] = await childrenOf(container.pid);
  if (first === undefined) throw new Error("the container has ended");
  return first;
}

async function childrenOf(pid: number | undefined): Promise<readonly number[]> {
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/u.test(name)).map(Number);
  const parents = await Promise.all(processes.map(async (child) => fieldOf(child, "PPid")));
  return processes.filter((_child, index) => parents[index] === String(pid));
}

async function stateOf(pid: number): Promise<string | undefined> {
  return (await fieldOf(pid, "State"))?.slice(0, 1);
}

/** Undefined for a process that is gone. */
async function fieldOf(pid: number, field: string): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return new RegExp(`^${field}:\\s*(.*)$`, "mu").exec(text)?.[1];
}
