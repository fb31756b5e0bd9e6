import { createHmac } from "node:crypto";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiClient } from "../../src/cluster/api/api-client.ts";
import { openClusterAccess } from "../../src/cluster/api/cluster-access.ts";
import { webhookPath } from "../../src/notification/receivers/webhook-path.ts";
import { buildCommands } from "../support/cli.ts";
import { type ControllerProcess, startControllerProcess } from "../support/controller-process.ts";
import {
  automationName,
  complaintsOf,
  type ControllerWorld,
  converge,
  expectWholeCommits,
  startControllerWorld,
  unready,
  worldNamespace as namespace,
} from "../support/controller-world.ts";
import { type CutProxy, startCutProxy } from "../support/cut-proxy.ts";
import { alert, imagePolicy, provider, secret } from "../support/flux-objects.ts";
import { writeKubeconfig } from "../support/kubernetes/kubeconfig.ts";
import { notificationEvent } from "../support/notification.ts";
import { type RunningControllers, startImageControllers } from "../support/running-controllers.ts";
import { postEvent, receiver } from "../support/served-notifications.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";
import { startStorm } from "../support/write-storm.ts";

const apps = ["api", "web", "store"];
const settleMs = 60_000;
const leaseSeconds = 4;
const retryPeriodMs = 500;
const replicas = ["one", "two"] as const;

/** Written by a user, as the API server's audit log has it. */
interface AuditedWrite {
  readonly user: { readonly username: string };
  readonly verb: string;
  readonly requestURI: string;
  readonly requestReceivedTimestamp: string;
  readonly responseStatus: { readonly code: number };
}

await describeWithTools(
  ["etcd", "kube-apiserver", "openssl", "registry", "crane"],
  "controllers through faults",
  (programs) => {
    let folder: TempDir;
    let world: ControllerWorld;
    let proxy: CutProxy;
    let kubeconfig: string;
    let gitPassword = "first";
    let isGitDown = false;
    let requests = 0;

    const auditLog = (): string => path.join(folder.path, "audit.log");

    beforeAll(async () => {
      await buildCommands();
      folder = await createTempDir("controller-faults");
      const auditPolicy = path.join(folder.path, "audit-policy.json");
      const rules = [
        { level: "Metadata", verbs: ["create", "update", "patch", "delete"] },
        { level: "None" },
      ];
      const policy = {
        apiVersion: "audit.k8s.io/v1",
        kind: "Policy",
        omitStages: ["RequestReceived"],
        rules,
      };
      await writeFile(auditPolicy, JSON.stringify(policy));
      world = await startControllerWorld({
        programs,
        apps,
        users: replicas,
        apiServerFlags: [`--audit-policy-file=${auditPolicy}`, `--audit-log-path=${auditLog()}`],
        git: (root) => ({
          root,
          get authorization() {
            return basic("bot", gitPassword);
          },
          onRequest: () => {
            if (isGitDown) throw new Error("down");
          },
        }),
      });
      const { cluster } = world;
      proxy = await startCutProxy(new URL(cluster.url).host);
      const access = { url: `https://${proxy.host}`, caFile: cluster.caFile, token: cluster.token };
      kubeconfig = await writeKubeconfig(path.join(folder.path, "proxy.kubeconfig"), access);
      await world.create(
        secret({ name: "git", namespace }, { username: "bot", password: gitPassword }),
        ...world.objects("1h"),
      );
      await world.patch("GitRepository", automationName, { spec: { secretRef: { name: "git" } } });
    });

    afterAll(async () => {
      await proxy?.stop();
      await world?.stop();
      await folder?.remove();
    });

    /** Asks for all apps to be looked at now, as a webhook does. */
    async function request(): Promise<void> {
      const annotations = { "reconcile.fluxcd.io/requestedAt": String((requests += 1)) };
      for (const app of apps) await world.patch("ImageRepository", app, { metadata: { annotations } });
    }

    async function release(): Promise<void> {
      for (const app of apps) await world.pushNext(app);
    }

    async function settle(): Promise<number> {
      return converge(async () => complaintsOf(world), settleMs);
    }

    /** Gives apps new tags until it is told to end. */
    function startLoad(): () => Promise<void> {
      const ending = new AbortController();
      const load = async (): Promise<void> => {
        for (let count = 0; !ending.signal.aborted; count++) {
          await world.pushNext(apps[count % apps.length] ?? "");
          // The API server may be down.
          await request().catch(() => undefined);
          await sleep(150);
        }
      };
      const running = load();
      return async () => {
        ending.abort();
        await running;
        await request();
      };
    }

    async function becomes(
      kind: "ImageRepository" | "ImageUpdateAutomation",
      name: string,
      expected: RegExp,
    ): Promise<void> {
      const told = async (): Promise<string> => {
        const conditions = (await world.find(kind, name))?.status?.conditions ?? [];
        const ready = conditions.find(({ type }) => type === "Ready");
        return `${ready?.status} ${ready?.reason}: ${ready?.message}`;
      };
      await expect.poll(told, { timeout: 20_000 }).toMatch(expected);
    }

    async function startReplica(user: (typeof replicas)[number]): Promise<ControllerProcess> {
      const { url, caFile } = world.cluster;
      const access = { url, caFile, token: world.cluster.tokenOf(user) };
      return startControllerProcess({
        kubeconfig: await writeKubeconfig(path.join(folder.path, `${user}.kubeconfig`), access),
        folder: folder.path,
        name: user,
        env: { RUNTIME_NAMESPACE: namespace },
        args: [
          "--enable-leader-election",
          `--leader-election-lease-duration=${leaseSeconds}s`,
          `--leader-election-renew-deadline=${leaseSeconds - 1}s`,
          `--leader-election-retry-period=${retryPeriodMs}ms`,
          "--min-retry-delay=250ms",
          "--max-retry-delay=2s",
          "--requeue-dependency=1s",
        ],
      });
    }

    /** Makes pushes take a while, and waits for one. */
    async function untilPushing(): Promise<void> {
      const marker = path.join(folder.path, "pushing");
      await rm(marker, { force: true });
      await world.repository.hook("pre-receive", `touch '${marker}'; sleep 1`);
      for (let left = 600; left > 0; left--) {
        if (
          await stat(marker).then(
            () => true,
            () => false,
          )
        )
          return;
        await sleep(25);
      }
      throw new Error("nobody pushes");
    }

    async function writesOf(user: string, sinceMs: number): Promise<readonly string[]> {
      const lines = (await readFile(auditLog(), "utf8")).trim().split("\n");
      return lines
        .map((line) => JSON.parse(line) as AuditedWrite)
        .filter(
          ({ user: { username }, responseStatus: { code }, requestReceivedTimestamp }) =>
            username === user && code < 300 && Date.parse(requestReceivedTimestamp) >= sinceMs,
        )
        .map(({ verb, requestURI }) => `${verb} ${requestURI}`);
    }

    describe("in this process", () => {
      let client: ApiClient;
      let controllers: RunningControllers;

      beforeAll(async () => {
        client = new ApiClient(await openClusterAccess({ kubeconfig }));
        controllers = await startImageControllers({ api: client, idleMs: 2_000, logLevel: "info" });
        await settle();
      });

      afterAll(async () => {
        await controllers?.stop();
        await client?.close();
      });

      const informersBegunAgain = (code: string): number =>
        controllers.logged.filter((line) => line.includes("an informer begins again") && line.includes(code))
          .length;

      test("a watch that falls silent is begun again", async () => {
        proxy.silence();
        await release();
        await request();
        const tookMs = await settle();
        expect(informersBegunAgain("timeout")).toBeGreaterThan(0);
        console.log(`a silent watch: settled after ${tookMs} ms`);
      });

      test("what etcd has forgotten is listed", async () => {
        proxy.refuse(true);
        proxy.cut();
        await release();
        await request();
        const late = { imageRepositoryRef: { name: "api" }, policy: { numerical: { order: "desc" } } };
        await world.create(imagePolicy({ name: "late", namespace }, late));
        await world.cluster.compactHistory();
        // What it has in memory serves who comes back, until it is started again.
        await world.cluster.restartApiServer();
        proxy.refuse(false);
        await converge(
          async () => unready("ImagePolicy", "late", await world.find("ImagePolicy", "late")),
          settleMs,
        );
        await settle();
        expect(informersBegunAgain("version-expired")).toBeGreaterThan(0);
      });
    });

    describe("of the built command", () => {
      let controller: ControllerProcess;

      beforeAll(async () => {
        controller = await startControllerProcess({
          kubeconfig,
          folder: folder.path,
          args: [
            "--min-retry-delay=250ms",
            "--max-retry-delay=2s",
            "--requeue-dependency=1s",
            "--rate-limit-interval=0s",
            "--log-level=warn",
          ],
        });
        await settle();
      });

      afterAll(async () => {
        await controller?.stop();
      });

      test("an API server that is restarted at work", async () => {
        const end = startLoad();
        await sleep(1_000);
        await world.cluster.restartApiServer();
        await sleep(1_000);
        await end();
        console.log(`a restarted API server: settled after ${await settle()} ms`);
        await expectWholeCommits(world);
      });

      test("a storm of writes to the same objects by somebody else", async () => {
        const commits = await expectWholeCommits(world);
        const storm = startStorm(world.cluster.api, namespace, [
          ...apps.flatMap((app) => [`imagerepositories/${app}`, `imagepolicies/${app}`]),
          `imageupdateautomations/${automationName}`,
        ]);
        const end = startLoad();
        const beganMs = performance.now();
        await sleep(10_000);
        await end();
        const duringMs = await settle();
        const { writes, conflicts, lost } = await storm.end();
        const seconds = (performance.now() - beganMs) / 1000;
        await settle();
        expect(lost).toEqual([]);
        const made = (await expectWholeCommits(world)) - commits;
        console.log(
          `a storm: ${Math.round(writes / seconds)} writes a second, ${conflicts} conflicts of the other writer, ` +
            `${made} commits, settled after ${duringMs} ms within it`,
        );
        expect(writes).toBeGreaterThan(100);
        expect(made).toBeGreaterThan(1);
      });

      test("a registry and a Git server that are down for a while", async () => {
        const repair = world.gate.breakDown();
        isGitDown = true;
        await release();
        await request();
        const annotations = { "reconcile.fluxcd.io/requestedAt": String(requests) };
        await world.patch("ImageUpdateAutomation", automationName, { metadata: { annotations } });
        await becomes("ImageRepository", "api", /^False ReadOperationFailed: scan failed: /u);
        await becomes(
          "ImageUpdateAutomation",
          automationName,
          /^False GitOperationFailed: failed to checkout source: /u,
        );
        await sleep(2_000);
        const before = [world.gate.passed.length, world.git.requests.length] as const;
        const observedMs = 6_000;
        await sleep(observedMs);
        const scans = world.gate.passed.length - before[0];
        const fetches = world.git.requests.length - before[1];
        repair();
        isGitDown = false;
        const tookMs = await settle();
        const quiet = [world.gate.passed.length, world.git.requests.length];
        await sleep(3_000);
        expect([world.gate.passed.length, world.git.requests.length]).toEqual(quiet);
        console.log(
          `servers that were down: ${scans} requests to the registry for ${apps.length} repositories and ${fetches} ` +
            `to Git in ${observedMs / 1000} s, settled ${tookMs} ms after`,
        );
        const attempts = Math.ceil(observedMs / 2_000) + 1;
        // Each is a few requests: git asks without a password first, and the registry's client tries again.
        expect(fetches).toBeLessThanOrEqual(attempts * 3);
        expect(scans).toBeLessThanOrEqual(attempts * apps.length * 3);
      });

      test("a pull Secret that is rotated", async () => {
        const rotate = async (password: string): Promise<void> => {
          world.gate.demand(basic("bot", password));
          const auths = { [world.gate.host]: { username: "bot", password } };
          await world.patch("Secret", "pull", {
            stringData: { ".dockerconfigjson": JSON.stringify({ auths }) },
          });
          await release();
          await request();
          await settle();
        };
        const type = "kubernetes.io/dockerconfigjson";
        await world.create({ ...secret({ name: "pull", namespace }, { ".dockerconfigjson": "{}" }), type });
        for (const app of apps)
          await world.patch("ImageRepository", app, { spec: { secretRef: { name: "pull" } } });
        await rotate("first");
        await rotate("second");
        world.gate.demand(basic("bot", "third"));
        await request();
        await becomes("ImageRepository", "api", /^False /u);
        await rotate("third");
      });

      test("a password of Git that is rotated", async () => {
        gitPassword = "second";
        await release();
        await request();
        await becomes("ImageUpdateAutomation", automationName, /^False GitOperationFailed: /u);
        await world.patch("Secret", "git", { stringData: { password: gitPassword } });
        await settle();
      });

      test("a token of a Provider that is rotated", async () => {
        const chat = { name: "chat", namespace };
        await world.create(
          secret({ name: "chat", namespace }, { token: "first" }),
          provider(chat, {
            type: "generic-hmac",
            address: world.destination.url,
            secretRef: { name: "chat" },
          }),
          alert(chat, { providerRef: { name: "chat" }, eventSources: [{ kind: "HelmRelease", name: "*" }] }),
        );
        await converge(async () => unready("Alert", "chat", await world.find("Alert", "chat")), settleMs);
        await converge(async () => unsigned("first"), settleMs);
        await world.patch("Secret", "chat", { stringData: { token: "second" } });
        console.log(
          `a rotated token of a Provider: in force after ${await converge(async () => unsigned("second"), 10_000)} ms`,
        );
      });

      test("a token of a Receiver that is rotated", async () => {
        await world.create(
          secret({ name: "hook", namespace }, { token: "first" }),
          receiver("hook", {
            type: "generic",
            secretRef: { name: "hook" },
            resources: [{ kind: "ImageRepository", name: "api" }],
          }),
        );
        await expect.poll(async () => call("first"), { timeout: 20_000 }).toBe(200);
        await world.patch("Secret", "hook", { stringData: { token: "second" } });
        await expect.poll(async () => call("second"), { timeout: 20_000 }).toBe(200);
        expect(await call("first")).toBe(404);
      });

      async function call(token: string): Promise<number> {
        const url = `${controller.receiversUrl}${webhookPath(token, "hook", namespace)}`;
        return (await fetch(url, { method: "POST", body: "{}" })).status;
      }

      /** Posts an event, and tells whether it arrives signed with a token. */
      async function unsigned(token: string): Promise<readonly string[]> {
        const message = `event ${(requests += 1)}`;
        const involvedObject = { kind: "HelmRelease", namespace, name: "app" };
        const answer = await postEvent(controller.eventsUrl, notificationEvent({ message, involvedObject }));
        expect(answer.status).toBe(202);
        for (let left = 50; left > 0; left--) {
          const arrival = world.destination.arrivals.find(({ body }) => body.includes(`"${message}"`));
          if (arrival === undefined) {
            await sleep(50);
            continue;
          }
          const signature = `sha256=${createHmac("sha256", token).update(arrival.body).digest("hex")}`;
          return arrival.headers["x-signature"] === signature
            ? []
            : [`${message} is signed with another token`];
        }
        return [`${message} has not arrived`];
      }
    });

    describe("of two replicas", () => {
      const leases = ["image-reflector", "image-automation", "notification"].map(
        (name) => `${name}-controller-leader-election`,
      );

      beforeAll(async () => {
        for (const user of replicas)
          await world.cluster.grant(user, { apiGroups: ["*"], resources: ["*"], verbs: ["*"] });
      });

      async function holders(): Promise<readonly string[]> {
        const found: string[] = [];
        for (const name of leases) {
          const lease = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${name}`;
          const answer = await world.cluster.api.request("GET", lease);
          const { spec } = JSON.parse(answer.text) as { readonly spec?: { readonly holderIdentity: string } };
          found.push(spec?.holderIdentity ?? "");
        }
        return found;
      }

      /** Waits until nobody of those before holds a lease. @returns after how long */
      async function untilLedByOthers(before: readonly string[], sinceMs: number): Promise<number> {
        for (;;) {
          const now = await holders();
          if (now.every((holder) => holder !== "" && !before.includes(holder)))
            return performance.now() - sinceMs;
          if (performance.now() - sinceMs > 60_000) throw new Error(`still led by ${now.join()}`);
          await sleep(50);
        }
      }

      test(
        "one takes over from the other that is killed, halted or ended",
        { timeout: 240_000 },
        async () => {
          const running = { one: await startReplica("one") } as Record<"one" | "two", ControllerProcess>;
          await untilLedByOthers([], performance.now());
          running.two = await startReplica("two");
          await settle();
          const since = await world.repository.git("rev-parse", "main");
          const end = startLoad();

          await untilPushing();
          let before = await holders();
          let startMs = performance.now();
          await running.one.kill();
          const afterKillMs = await untilLedByOthers(before, startMs);
          running.one = await startReplica("one");

          const halted: number[] = [];
          for (const [leader, other] of [
            ["two", "one"],
            ["one", "two"],
          ] as const) {
            if (leader === "two") await untilPushing();
            else await sleep(2_000);
            before = await holders();
            startMs = performance.now();
            process.kill(running[leader].pid, "SIGSTOP");
            halted.push(await untilLedByOthers(before, startMs));
            // The other has made and written more of it meanwhile.
            await sleep(2_000);
            const resumedMs = Date.now();
            process.kill(running[leader].pid, "SIGCONT");
            await expect.poll(() => isRunning(running[leader].pid), { timeout: 30_000 }).toBe(false);
            expect(await running[leader].stop()).not.toBe(0);
            await sleep(500);
            // What it did while it led may still be told as an event; no object is written.
            const late = await writesOf(leader, resumedMs);
            expect(late.filter((write) => !/\/events(?:\/|$)/u.test(write))).toEqual([]);
            expect(await writesOf(other, resumedMs)).not.toEqual([]);
            running[leader] = await startReplica(leader);
          }

          before = await holders();
          startMs = performance.now();
          const ended = running.two.stop();
          expect(await ended).toBe(0);
          const endedMs = performance.now();
          expect((await holders()).filter((holder) => before.includes(holder) && holder !== "")).toEqual([]);
          const afterEndMs = await untilLedByOthers(before, endedMs);
          await end();
          await world.repository.hook("pre-receive", "exit 0");
          await settle();
          const commits = await expectWholeCommits(world, since);
          expect(await running.one.stop()).toBe(0);
          console.log(
            `two replicas: taken over ${Math.round(afterKillMs)} ms after a kill, ` +
              `${halted.map(Math.round).join(" and ")} ms after halts, ` +
              `${Math.round(afterEndMs)} ms after an end that took ${Math.round(endedMs - startMs)} ms; ` +
              `the lease lasts ${leaseSeconds * 1000} ms; ${commits} commits`,
          );
          // The last renewal was just before; a candidate looks every retry period.
          const marginMs = retryPeriodMs + 1_500;
          for (const tookMs of [afterKillMs, ...halted])
            expect(tookMs).toBeLessThan(leaseSeconds * 1000 + marginMs);
          expect(afterEndMs).toBeLessThan(leaseSeconds * 1000);
        },
      );
    });
  },
);

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
