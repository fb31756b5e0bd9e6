import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildCommands, commandEnvironment } from "../support/cli.ts";
import {
  controllerCommand,
  type ControllerPorts,
  type ControllerProcessOptions,
  freeControllerPorts,
  startControllerProcess,
} from "../support/controller-process.ts";
import {
  complaintsOf,
  type ControllerWorld,
  converge,
  expectWholeCommits,
  startControllerWorld,
  unready,
  worldNamespace as namespace,
} from "../support/controller-world.ts";
import { alert, imagePolicy, imageRepository, provider, secret } from "../support/flux-objects.ts";
import { notificationEvent } from "../support/notification.ts";
import { createRandom, type Random } from "../support/random.ts";
import { postEvent, receiver } from "../support/served-notifications.ts";
import { describeWithTools } from "../support/tools.ts";

const seed = process.env["FAIRLEAD_SEED"] ?? "controller-kill";
const kills = 50;
const senders = 4;
const apps = ["api", "web", "worker", "store", "mail", "search"];

await describeWithTools(
  ["etcd", "kube-apiserver", "openssl", "registry", "crane"],
  `controllers that are killed ${kills} times under load`,
  (programs) => {
    let world: ControllerWorld;
    let ports: ControllerPorts;
    let options: ControllerProcessOptions;

    beforeAll(async () => {
      await buildCommands();
      world = await startControllerWorld({ programs, apps });
      ports = await freeControllerPorts();
      const temporary = path.join(world.folder, "tmp");
      await mkdir(temporary);
      options = {
        kubeconfig: world.cluster.kubeconfig,
        folder: world.folder,
        ports,
        env: { TMPDIR: temporary },
        args: [
          `--storage-path=${path.join(world.folder, "state")}`,
          "--min-retry-delay=100ms",
          "--max-retry-delay=2s",
          "--requeue-dependency=1s",
          "--log-level=warn",
        ],
      };
      const chat = { name: "chat", namespace };
      await world.create(
        ...world.objects("1s"),
        secret({ name: "token", namespace }, { token: "t0ken" }),
        provider(chat, { type: "generic", address: `${world.destination.url}/chat` }),
        alert(chat, {
          providerRef: { name: "chat" },
          eventSources: ["HelmRelease", "ImageUpdateAutomation"].map((kind) => ({ kind, name: "*" })),
        }),
      );
    });

    afterAll(async () => world?.stop());

    test("come to what is wanted, and lose nothing", { timeout: 600_000 }, async () => {
      const random = createRandom(seed);
      const first = await startControllerProcess(options);
      await converge(async () => complaintsOf(world), 60_000);
      await first.kill();

      const ending = new AbortController();
      const churn = new Churn(world, random);
      const accepted = new Set<string>();
      const load = Promise.all([
        repeat(ending.signal, 250, async () => world.pushNext(random.pick(apps))),
        repeat(ending.signal, 350, async () => churn.step()),
        ...Array.from({ length: senders }, async (_, sender) =>
          repeat(ending.signal, 60, async (count) => postOne(`event ${sender}-${count}`, accepted)),
        ),
      ]);
      const beganMs = performance.now();
      for (let kill = 0; kill < kills; kill++) {
        const moment = random.below(6);
        if (moment === 0) {
          await killEarly(random.below(1_500));
          continue;
        }
        const running = await startControllerProcess(options);
        if (moment < 3) await sleep(random.below(2_500));
        else await untilAtGit(random.below(900));
        await running.kill();
      }
      const killedMs = performance.now() - beganMs;
      const last = await startControllerProcess(options);
      ending.abort();
      await load;
      const check = async (): Promise<readonly string[]> => [
        ...(await complaintsOf(world)),
        ...(await churn.complaints()),
        ...unready("Provider", "chat", await world.find("Provider", "chat")),
        ...unready("Alert", "chat", await world.find("Alert", "chat")),
        ...missingOf(accepted),
        ...(await untoldCommits()),
      ];
      const tookMs = await converge(check, 90_000);
      expect(await last.stop()).toBe(0);
      const commits = await expectWholeCommits(world);
      expect(await readdir(path.join(world.folder, "tmp"))).toEqual([]);
      const tags = [...world.latest.values()].reduce((sum, tag) => sum + tag, 0);
      const arrivals = world.destination.arrivals.filter(({ body }) => body.includes('"event ')).length;
      console.log(
        `seed ${seed}: ${kills} kills in ${Math.round(killedMs / 1000)} s, ${tags} tags, ${commits} commits, ` +
          `${churn.created} objects created and ${churn.deleted} deleted, ${accepted.size} events accepted and ` +
          `${arrivals} delivered, settled after ${tookMs} ms`,
      );
      expect(accepted.size).toBeGreaterThan(100);
    });

    /** Waits until Git's server is asked, and then for so long. */
    async function untilAtGit(restMs: number): Promise<void> {
      const before = world.git.requests.length;
      for (let left = 100; left > 0 && world.git.requests.length === before; left--) await sleep(25);
      await sleep(restMs);
    }

    /** Kills a process that may not be ready yet. */
    async function killEarly(afterMs: number): Promise<void> {
      const [program = "", ...args] = controllerCommand(options, ports);
      const child = spawn(program, args, { stdio: "ignore", env: commandEnvironment(options.env) });
      await sleep(afterMs);
      child.kill("SIGKILL");
      await once(child, "exit");
    }

    async function postOne(message: string, accepted: Set<string>): Promise<void> {
      const involvedObject = { kind: "HelmRelease", namespace, name: `app-${message.at(-1)}` };
      const event = notificationEvent({ message, involvedObject });
      const response = await postEvent(`http://127.0.0.1:${ports.events}/`, event).catch(() => undefined);
      if (response?.status === 202) accepted.add(message);
    }

    function arrived(): readonly string[] {
      return world.destination.arrivals.map(
        ({ body }) => (JSON.parse(body) as { readonly message: string }).message,
      );
    }

    function missingOf(accepted: ReadonlySet<string>): readonly string[] {
      const messages = new Set(arrived());
      return [...accepted].filter((message) => !messages.has(message)).map((message) => `${message} is lost`);
    }

    async function untoldCommits(): Promise<readonly string[]> {
      const told = new Set(arrived().map((message) => /^pushed commit '(.*)' to /u.exec(message)?.[1]));
      const commits = await world.repository.git("log", "--author=bot@example.com", "--format=%H", "main");
      return commits
        .split("\n")
        .filter((commit) => !told.has(commit.slice(0, 7)))
        .map((commit) => `nobody was told of the commit ${commit}`);
    }
  },
);

async function repeat(
  signal: AbortSignal,
  everyMs: number,
  work: (count: number) => Promise<void>,
): Promise<void> {
  for (let count = 0; !signal.aborted; count++) {
    await work(count);
    await sleep(everyMs);
  }
}

/** Objects that come, change and go. */
class Churn {
  created = 0;
  deleted = 0;
  readonly #world: ControllerWorld;
  readonly #random: Random;
  /** Those that are there: of which app, and whether its first tag is the latest. */
  readonly #present = new Map<string, { readonly app: string; readonly isReversed: boolean }>();
  readonly #gone: string[] = [];

  constructor(world: ControllerWorld, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  async step(): Promise<void> {
    const names = [...this.#present.keys()];
    const what = this.#random.below(names.length < 4 ? 1 : 4);
    if (what === 0 && names.length < 20) await this.#create();
    else if (what === 1) await this.#delete(this.#random.pick(names));
    else if (what === 2) await this.#change(this.#random.pick(names));
    else await this.#request(this.#random.pick(names));
  }

  /** What is not yet as it has to be. */
  async complaints(): Promise<readonly string[]> {
    const { latest } = this.#world;
    const complaints: string[] = [];
    for (const [name, { app, isReversed }] of this.#present) {
      for (const kind of ["ImageRepository", "ImagePolicy", "Receiver"] as const)
        complaints.push(...unready(kind, name, await this.#world.find(kind, name)));
      const { status } = (await this.#world.find("ImagePolicy", name)) ?? {};
      const tag = isReversed ? 1 : latest.get(app);
      if (!JSON.stringify(status?.["latestRef"] ?? {}).includes(`"tag":"${tag}"`))
        complaints.push(`ImagePolicy ${name} has not chosen ${tag}: ${JSON.stringify(status)}`);
    }
    for (const name of this.#gone) {
      for (const kind of ["ImageRepository", "ImagePolicy", "Receiver"] as const)
        if ((await this.#world.find(kind, name)) !== undefined)
          complaints.push(`${kind} ${name} is still there`);
    }
    return complaints;
  }

  async #create(): Promise<void> {
    const name = `extra-${this.created++}`;
    const app = this.#random.pick(apps);
    const meta = { name, namespace };
    this.#present.set(name, { app, isReversed: false });
    await this.#world.create(
      imageRepository(meta, { image: `${this.#world.gate.host}/${app}`, interval: "2s" }),
      imagePolicy(meta, { imageRepositoryRef: { name }, policy: { numerical: {} } }),
      receiver(name, {
        type: "generic",
        secretRef: { name: "token" },
        resources: [{ kind: "ImageRepository", name }],
      }),
    );
  }

  async #delete(name: string): Promise<void> {
    this.deleted++;
    this.#present.delete(name);
    this.#gone.push(name);
    for (const kind of ["ImagePolicy", "ImageRepository", "Receiver"] as const)
      await this.#world.delete(kind, name);
  }

  async #change(name: string): Promise<void> {
    const { app = "", isReversed = false } = this.#present.get(name) ?? {};
    this.#present.set(name, { app, isReversed: !isReversed });
    const order = isReversed ? "asc" : "desc";
    await this.#world.patch("ImagePolicy", name, { spec: { policy: { numerical: { order } } } });
  }

  async #request(name: string): Promise<void> {
    const annotations = { "reconcile.fluxcd.io/requestedAt": String(Date.now()) };
    for (const kind of ["ImageRepository", "ImagePolicy"] as const)
      await this.#world.patch(kind, name, { metadata: { annotations } });
  }
}
