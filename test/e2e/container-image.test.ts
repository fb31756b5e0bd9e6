import { type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run, type RunResult } from "../../src/core/process.ts";
import { version } from "../../src/cli/version.ts";
import { repositoryRoot } from "../support/checkout.ts";
import { countZombies, startInContainerRoot, terminate } from "../support/container-root.ts";
import {
  fluxObjects,
  gitRepository,
  imagePolicy,
  imageRepository,
  imageUpdateAutomation,
  secret,
} from "../support/flux-objects.ts";
import { type BareRepository, createBareRepository } from "../support/git-repository.ts";
import { pushImage } from "../support/images.ts";
import { leftOutPrefix } from "../support/left-out.ts";
import { type Registry, startRegistry } from "../support/registry.ts";
import { createSshKey, type SshServer, startSshServer } from "../support/ssh-server.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

const platform = `${process.platform}-${process.arch}`;
const app = { name: "app", namespace: "flux-system" };

/** Why the image's files cannot be laid over this machine's. */
function obstacle(): string | undefined {
  if (process.getuid?.() !== 0) return "only root may change the root of a process";
  const node = path.join(repositoryRoot, `node_modules/node-${platform}/bin/node`);
  return existsSync(node) ? undefined : `no package has Node for ${platform}`;
}

const reason = obstacle();
if (reason === undefined) {
  await describeWithTools(["registry", "crane", "sshd", "gpg", "tini"], "the container image", suite);
} else {
  test("the container image", ({ skip }) => skip(`${leftOutPrefix}${reason}`));
}

interface Tools {
  readonly registry: string;
  readonly crane: string;
  readonly sshd: string;
  readonly gpg: string;
}

/** Waits for what a process printed, and for its end. */
async function finish(child: ChildProcess): Promise<RunResult> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error("no output");
  const ended = once(child, "exit");
  const texts = await Promise.all([text(stdout), text(stderr)]);
  const [exitCode] = (await ended) as [number];
  return { exitCode, stdout: texts[0], stderr: texts[1] };
}

function suite(tools: Tools): void {
  let folder: TempDir;
  let registry: Registry;
  let server: SshServer;
  let repository: BareRepository;
  let count = 0;

  beforeAll(async () => {
    folder = await createTempDir("container-image");
    const args = ["scripts/release.ts", "--platform", platform, "--output", folder.path];
    expect(await run(process.execPath, args, { cwd: repositoryRoot })).toMatchObject({ exitCode: 0 });
    registry = await startRegistry(tools.registry);
    const key = await createSshKey(path.join(folder.path, "key"));
    server = await startSshServer(tools.sshd, path.join(folder.path, "sshd"), [key.publicKey]);
    repository = await createBareRepository(path.join(folder.path, "r.git"), {
      "app.yaml": 'tag: "0" # {"$imagepolicy": "flux-system:app:tag"}\n',
    });
    await pushImage(tools.crane, `${registry.host}/app:1`, "1");
    await writeFile(path.join(folder.path, "objects.yaml"), await objects(key.identity));
  });

  afterAll(async () => {
    await server?.stop();
    await registry?.stop();
    await folder?.remove();
  });

  async function objects(identity: string): Promise<string> {
    const { knownHosts } = server;
    return fluxObjects([
      imageRepository(app, { image: `${registry.host}/app`, interval: "1s" }),
      imagePolicy(app, { imageRepositoryRef: { name: "app" }, policy: { numerical: {} } }),
      gitRepository(app, {
        url: `ssh://root@127.0.0.1:${server.port}${repository.path}`,
        ref: { branch: "main" },
        secretRef: { name: "git" },
      }),
      secret({ ...app, name: "git" }, { identity, known_hosts: knownHosts }),
      secret({ ...app, name: "signing" }, { "git.asc": await createSigningKey() }),
      imageUpdateAutomation(app, {
        sourceRef: { kind: "GitRepository", name: "app" },
        git: {
          commit: { author: { email: "bot@example.com" }, signingKey: { secretRef: { name: "signing" } } },
          push: { branch: "updates" },
        },
      }),
    ]);
  }

  async function createSigningKey(): Promise<string> {
    const home = path.join(folder.path, "gpg");
    await mkdir(home, { mode: 0o700 });
    const env = { PATH: process.env["PATH"], GNUPGHOME: home };
    const flags = ["--batch", "--pinentry-mode", "loopback", "--passphrase", ""];
    await run(tools.gpg, [...flags, "--quick-generate-key", "bot@example.com", "ed25519", "sign"], { env });
    const { stdout } = await run(tools.gpg, [...flags, "--armor", "--export-secret-keys"], { env });
    await run("gpgconf", ["--kill", "all"], { env });
    return stdout;
  }

  /** Starts the image with these arguments; the entry point is the image's own, unless another is given. */
  async function start(args: readonly string[], entrypoint?: readonly string[]): Promise<ChildProcess> {
    const root = path.join(folder.path, `root${(count += 1)}`);
    await mkdir(root);
    const config = path.join(folder.path, "objects.yaml");
    const binary = path.join(folder.path, `fairlead-${platform}`);
    const given = entrypoint === undefined ? {} : { entrypoint };
    return startInContainerRoot({ folder: root, binary, config, ...given }, args);
  }

  test("says its version, under both of its names", async () => {
    expect(await finish(await start(["--version"]))).toEqual({
      exitCode: 0,
      stdout: `${version}\n`,
      stderr: "",
    });
    const other = await finish(await start(["--help"], ["/usr/local/bin/helm-image-override"]));
    expect(other.stdout).toMatch(/^Usage: helm-image-override /u);
  });

  test("has somebody with a home, who can write to /tmp and /data alone", async () => {
    const script =
      "id -un; cd ~; for folder in / ~ /usr /tmp /data; do test -w $folder && echo $folder; done; true";
    const { stdout } = await finish(await start([script], ["/bin/sh", "-c"]));
    expect(stdout.split("\n")).toEqual(["fairlead", "/tmp", "/data", ""]);
  });

  test("commits, signs and pushes over ssh, again and again, and leaves no process behind", async () => {
    const args = ["--config", "/etc/fairlead/objects.yaml", "--state", "/data/state.db", "--interval", "1s"];
    const child = await start(["automate", ...args, "--output", "json"]);
    try {
      if (child.stdout === null) throw new Error("no output");
      const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
      for (const tag of [2, 3, 4]) {
        await pushImage(tools.crane, `${registry.host}/app:${tag}`, String(tag));
        let line = await lines.next();
        while (line.done !== true && !line.value.includes(`"newValue":"${tag}"`)) line = await lines.next();
        expect(line.done).not.toBe(true);
        await expect.poll(async () => countZombies(child)).toBe(0);
      }
    } finally {
      await terminate(child);
    }
    expect(await repository.read("updates", "app.yaml")).toContain('tag: "4"');
    expect(await repository.git("log", "-1", "--format=%GG", "updates")).not.toBe("");
  });
}
