import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectRuntime } from "./cri-runtime.ts";
import { createTempDir } from "./temp-dir.ts";

const startTimeoutMs = 30_000;
const stopTimeoutMs = 10_000;

export interface ContainerdOptions {
  /** Default: `native`, which needs nothing of the kernel. */
  readonly snapshotter?: "native" | "overlayfs";
  /** The image of pod sandboxes; default: containerd's own, which is not on this machine. */
  readonly sandboxImage?: string;
}

/** A containerd of one test, with all that it keeps in a folder of its own. */
export interface Containerd {
  /** `unix://…`, of its container runtime interface and of its own API. */
  readonly endpoint: string;
  readonly socket: string;
  readonly folder: string;
  /** Ends it at once, as a crash does; what it stores stays. */
  kill(): Promise<void>;
  /** Starts it again on the same folder. */
  restart(): Promise<void>;
  /** What it logged so far. */
  log(): Promise<string>;
  /** Ends it and removes what it stored. */
  stop(): Promise<void>;
}

/**
 * Starts containerd with its runtime service on a socket in a temporary folder. Registries on the loopback are
 * reached by plain http, and others as `certs.d` in its folder says.
 * @param program the path of the component `containerd`
 */
export async function startContainerd(program: string, options: ContainerdOptions = {}): Promise<Containerd> {
  const folder = await createTempDir("containerd");
  const socket = path.join(folder.path, "containerd.sock");
  const configFile = path.join(folder.path, "config.toml");
  const logFile = path.join(folder.path, "log.txt");
  await mkdir(path.join(folder.path, "certs.d"));
  await writeFile(configFile, configuration(folder.path, socket, options));
  let child: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    const timer = setTimeout(() => child?.kill("SIGKILL"), stopTimeoutMs);
    await ended;
    clearTimeout(timer);
  };
  const begin = async (): Promise<void> => {
    const { openSync, closeSync } = await import("node:fs");
    const log = openSync(logFile, "a");
    child = spawn(program, ["--config", configFile], { stdio: ["ignore", log, log] });
    closeSync(log);
    await untilReady(`unix://${socket}`, child, logFile);
  };
  const stop = async (): Promise<void> => {
    await end("SIGTERM");
    await folder.remove();
  };
  try {
    await begin();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    endpoint: `unix://${socket}`,
    socket,
    folder: folder.path,
    kill: async () => end("SIGKILL"),
    restart: begin,
    log: async () => readFile(logFile, "utf8"),
    stop,
  };
}

function configuration(folder: string, socket: string, options: ContainerdOptions): string {
  const { snapshotter = "native", sandboxImage } = options;
  return `version = 2
root = "${folder}/root"
state = "${folder}/state"
[grpc]
  address = "${socket}"
[ttrpc]
  address = "${socket}.ttrpc"
[plugins."io.containerd.grpc.v1.cri"]
  disable_tcp_service = true
  stream_server_address = "127.0.0.1"
  stream_server_port = "0"
  restrict_oom_score_adj = true
  ${sandboxImage === undefined ? "" : `sandbox_image = "${sandboxImage}"`}
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "${snapshotter}"
  [plugins."io.containerd.grpc.v1.cri".cni]
    conf_dir = "${folder}/cni"
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "${folder}/certs.d"
[plugins."io.containerd.internal.v1.opt"]
  path = "${folder}/opt"
`;
}

/** It listens before its runtime service answers. */
async function untilReady(endpoint: string, child: ChildProcess, logFile: string): Promise<void> {
  const runtime = connectRuntime(endpoint);
  const endsAtMs = Date.now() + startTimeoutMs;
  try {
    for (;;) {
      const answered = await runtime.call("Version", {}).then(
        () => true,
        () => false,
      );
      if (answered) return;
      if (child.exitCode !== null || Date.now() > endsAtMs) {
        throw new Error(`containerd did not start: ${(await readFile(logFile, "utf8")).slice(-2_000)}`);
      }
      await sleep(50);
    }
  } finally {
    runtime.close();
  }
}
