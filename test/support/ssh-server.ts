import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { run } from "../../src/core/process.ts";

export interface SshServer {
  readonly port: number;
  /** A line for `known_hosts`. */
  readonly knownHosts: string;
  stop(): Promise<void>;
}

/** Makes a key pair without or with a passphrase. */
export async function createSshKey(
  file: string,
  passphrase = "",
): Promise<{ readonly identity: string; readonly publicKey: string }> {
  const made = await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", passphrase, "-C", "test", "-f", file]);
  if (made.exitCode !== 0) throw new Error(made.stderr);
  return { identity: await readFile(file, "utf8"), publicKey: await readFile(`${file}.pub`, "utf8") };
}

/**
 * Starts OpenSSH's server on a free loopback port for this process's own user.
 * @param program its absolute path, without which it does not start
 * @param publicKeys who may come in
 */
export async function startSshServer(
  program: string,
  folder: string,
  publicKeys: readonly string[],
): Promise<SshServer> {
  await mkdir(folder, { recursive: true });
  const hostKey = await createSshKey(path.join(folder, "host_key"));
  const authorizedKeys = path.join(folder, "authorized_keys");
  await writeFile(authorizedKeys, publicKeys.join(""), { mode: 0o600 });
  const port = await freePort();
  const config = path.join(folder, "sshd_config");
  const lines = [
    `HostKey ${path.join(folder, "host_key")}`,
    `AuthorizedKeysFile ${authorizedKeys}`,
    `ListenAddress 127.0.0.1:${port}`,
    `PidFile none`,
    "UsePAM no",
    "StrictModes no",
    "PasswordAuthentication no",
    "KbdInteractiveAuthentication no",
    "PermitRootLogin prohibit-password",
    "",
  ];
  await writeFile(config, lines.join("\n"));
  // What root's server parts with its rights in.
  if (process.getuid?.() === 0) await mkdir("/run/sshd", { recursive: true, mode: 0o755 });
  const child = spawn(program, ["-D", "-e", "-f", config], { stdio: ["ignore", "ignore", "pipe"] });
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`sshd ended with ${code}`)));
    createInterface(child.stderr).on("line", (line) => {
      if (line.includes("Server listening on")) resolve();
    });
  });
  return {
    port,
    knownHosts: `[127.0.0.1]:${port} ${hostKey.publicKey}`,
    stop: async () => {
      const ended = new Promise((resolve) => void child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}
