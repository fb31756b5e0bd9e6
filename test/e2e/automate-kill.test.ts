import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildCommands, commandEnvironment, commandLine, runCommand } from "../support/cli.ts";
import {
  fluxObjects,
  gitRepository,
  imagePolicy,
  imageRepository,
  imageUpdateAutomation,
} from "../support/flux-objects.ts";
import { type GitHttpServer, startGitHttp } from "../support/git-http.ts";
import { type BareRepository, createBareRepository } from "../support/git-repository.ts";
import { pushImage } from "../support/images.ts";
import { createRandom } from "../support/random.ts";
import { type Registry, startRegistry } from "../support/registry.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { startEventDestination } from "../support/event-destination.ts";
import { openState } from "../../src/automation/state/automation-state.ts";
import { describeWithTools } from "../support/tools.ts";

const namespace = "flux-system";
const app = { name: "app", namespace };
const kills = 50;
const fileCount = 50;

await describeWithTools(["registry", "crane"], "automate that is killed", (tools) => {
  let folder: TempDir;
  let registry: Registry;
  let server: GitHttpServer;
  let repository: BareRepository;
  let args: readonly string[] = [];
  let env: Readonly<Record<string, string>> = {};

  beforeAll(async () => {
    await buildCommands();
    folder = await createTempDir("kill");
    const temporary = path.join(folder.path, "tmp");
    await mkdir(temporary);
    env = { TMPDIR: temporary };
    registry = await startRegistry(tools.registry);
    server = await startGitHttp({ root: folder.path });
    const marked = Array.from({ length: fileCount }, (_, index) => [
      `apps/app${index}.yaml`,
      'image: old # {"$imagepolicy": "flux-system:app"}\n',
    ]);
    const files = Object.fromEntries(marked) as Record<string, string>;
    repository = await createBareRepository(path.join(folder.path, "r.git"), files);
    const objects = path.join(folder.path, "objects.yaml");
    await writeFile(
      objects,
      fluxObjects([
        imageRepository(app, { image: `${registry.host}/app`, interval: "1s" }),
        imagePolicy(app, { imageRepositoryRef: { name: "app" }, policy: { numerical: {} } }),
        gitRepository(app, { url: `${server.url}/r.git`, ref: { branch: "main" } }),
        imageUpdateAutomation(app, {
          sourceRef: { kind: "GitRepository", name: "app" },
          update: { path: "apps", strategy: "Setters" },
          git: { commit: { author: { email: "bot@example.com" } } },
        }),
      ]),
    );
    args = ["automate", "--config", objects, "--state", path.join(folder.path, "state.db")];
  });

  afterAll(async () => {
    await server.stop();
    await registry.stop();
    await folder.remove();
  });

  /** The image that every file names; fails where they do not agree. */
  async function imageOfAll(): Promise<string> {
    const lines = (await repository.git("grep", "-h", "image:", "main")).split("\n");
    expect(lines).toHaveLength(fileCount);
    expect(new Set(lines).size).toBe(1);
    return lines[0] ?? "";
  }

  async function runAndKill(afterMs: number, flags = args): Promise<void> {
    const [program = "", ...rest] = commandLine("fairlead", flags);
    const child = spawn(program, rest, { env: commandEnvironment(env), stdio: "ignore" });
    const ended = once(child, "exit");
    await writeFile(path.join(folder.path, "pid"), String(child.pid));
    const timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
    await ended;
    clearTimeout(timer);
  }

  test("leaves whole commits only, and the next run completes", { timeout: 600_000 }, async () => {
    const random = createRandom("automate-kill");
    await pushImage(tools.crane, `${registry.host}/app:0`, "0");
    const startedMs = performance.now();
    expect(await runCommand("fairlead", args, { env })).toMatchObject({ exitCode: 0 });
    const wholeMs = performance.now() - startedMs;
    for (let kill = 1; kill <= kills; kill++) {
      await pushImage(tools.crane, `${registry.host}/app:${kill}`, String(kill));
      await runAndKill(random.below(wholeMs));
      await imageOfAll();
      if (kill % 10 !== 0) continue;
      const run = await runCommand("fairlead", args, { env });
      expect(run).toMatchObject({ exitCode: 0, stderr: "" });
      expect(await imageOfAll()).toContain(`/app:${kill} `);
    }
    await repository.git("fsck", "--strict");
    // Each commit leads from one tag to a later one: none is made twice.
    const images = (await repository.git("log", "--format=%H", "main")).split("\n");
    const tags = await Promise.all(
      images.map(async (commit) =>
        Number(/:(\d+) #/u.exec(await repository.read(commit, "apps/app0.yaml"))?.[1] ?? -1),
      ),
    );
    expect(tags).toEqual([...new Set(tags)].toSorted((left, right) => right - left));
    expect(await readdir(env["TMPDIR"] ?? "")).toEqual([]);
  });

  test("when its push is on the server, and before it hears of it, has it told by the next run", async () => {
    const destination = await startEventDestination();
    try {
      const flags = [...args, "--events-addr", destination.url];
      await pushImage(tools.crane, `${registry.host}/app:1000`, "1000");
      await repository.hook("post-receive", `kill -9 $(cat ${path.join(folder.path, "pid")})`);
      await runAndKill(60_000, flags);
      await repository.hook("post-receive", "exit 0");
      expect(await imageOfAll()).toContain("/app:1000 ");
      const pushed = await repository.git("rev-parse", "main");
      expect(await runCommand("fairlead", flags, { env })).toMatchObject({ exitCode: 0, stderr: "" });
      expect(await repository.git("rev-parse", "main")).toBe(pushed);
      const message = `pushed commit '${pushed.slice(0, 7)}' to branch 'main'\nUpdate from image update automation`;
      for (let event = await destination.take(1); event[0]?.message !== message;)
        event = await destination.take(1);
      const state = await openState(path.join(folder.path, "state.db"), { readOnly: true });
      expect(state.status("ImageUpdateAutomation", app)).toMatchObject({ lastPushCommit: pushed });
      state.close();
    } finally {
      await destination.stop();
    }
  });
});
