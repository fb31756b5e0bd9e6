import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildCommands, commandEnvironment, commandLine, runCommand } from "../support/cli.ts";
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
import { type Registry, startRegistry } from "../support/registry.ts";
import { createSshKey, type SshServer, startSshServer } from "../support/ssh-server.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

const namespace = "flux-system";
const app = { name: "app", namespace };

await describeWithTools(["registry", "crane", "sshd"], "automate over ssh", (tools) => {
  let folder: TempDir;
  let registry: Registry;
  let server: SshServer;
  let repository: BareRepository;
  let objects = "";

  beforeAll(async () => {
    await buildCommands();
    folder = await createTempDir("automate-ssh");
    registry = await startRegistry(tools.registry);
    const key = await createSshKey(path.join(folder.path, "key"));
    server = await startSshServer(tools.sshd, path.join(folder.path, "sshd"), [key.publicKey]);
    repository = await createBareRepository(path.join(folder.path, "r.git"), {
      "app.yaml": 'tag: "0" # {"$imagepolicy": "flux-system:app:tag"}\n',
    });
    const user = process.getuid?.() === 0 ? "root" : (process.env["USER"] ?? "");
    objects = path.join(folder.path, "objects.yaml");
    await writeFile(
      objects,
      fluxObjects([
        imageRepository(app, { image: `${registry.host}/app`, interval: "1s" }),
        imagePolicy(app, { imageRepositoryRef: { name: "app" }, policy: { numerical: {} } }),
        gitRepository(app, {
          url: `ssh://${user}@127.0.0.1:${server.port}${repository.path}`,
          ref: { branch: "main" },
          secretRef: { name: "git" },
        }),
        secret({ name: "git", namespace }, { identity: key.identity, known_hosts: server.knownHosts }),
        imageUpdateAutomation(app, {
          sourceRef: { kind: "GitRepository", name: "app" },
          git: { commit: { author: { email: "bot@example.com" } }, push: { branch: "updates" } },
        }),
      ]),
    );
  });

  afterAll(async () => {
    await server.stop();
    await registry.stop();
    await folder.remove();
  });

  test("pushes to a branch of its own", async () => {
    await pushImage(tools.crane, `${registry.host}/app:1`, "1");
    const run = await runCommand("fairlead", ["automate", "--config", objects]);
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await repository.git("diff", "main", "updates", "--stat=80")).toContain("1 file changed");
    expect(await repository.read("updates", "app.yaml")).toContain('tag: "1"');
  });

  test("goes on until it is told to stop, and leaves nothing", async () => {
    const before = await readdir(path.dirname(folder.path));
    const args = ["automate", "--config", objects, "--interval", "1s", "--output", "json"];
    const [program = "", ...rest] = commandLine("fairlead", args);
    const child = spawn(program, rest, {
      env: commandEnvironment(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    await lines.next();
    await pushImage(tools.crane, `${registry.host}/app:2`, "2");
    for (
      let line = await lines.next();
      !String(line.value).includes('"commit":');
      line = await lines.next()
    ) {
      expect(line.done).not.toBe(true);
    }
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(await repository.read("updates", "app.yaml")).toContain('tag: "2"');
    const left = (await readdir(path.dirname(folder.path))).filter(
      (name) => !before.includes(name) && name.includes(`-${child.pid}-`),
    );
    expect(left).toEqual([]);
  });
});
