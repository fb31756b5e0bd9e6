import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildCommands } from "../support/cli.ts";
import {
  type ControllerProcess,
  type ControllerProcessOptions,
  startControllerProcess,
} from "../support/controller-process.ts";
import {
  automationName,
  complaintsOf,
  type ControllerWorld,
  converge,
  startControllerWorld,
  unready,
  worldNamespace as namespace,
} from "../support/controller-world.ts";
import { alert, provider } from "../support/flux-objects.ts";
import { describeWithTools } from "../support/tools.ts";

const note = "automation.fairlead.dev/pending-push";

await describeWithTools(
  ["etcd", "kube-apiserver", "openssl", "registry", "crane"],
  "a controller that is killed when its push is on the server, and before it hears of it",
  (programs) => {
    let world: ControllerWorld;
    let options: ControllerProcessOptions;
    let running: ControllerProcess | undefined;

    beforeAll(async () => {
      await buildCommands();
      world = await startControllerWorld({ programs, apps: ["api"] });
      const temporary = path.join(world.folder, "tmp");
      await mkdir(temporary);
      options = {
        kubeconfig: world.cluster.kubeconfig,
        folder: world.folder,
        env: { TMPDIR: temporary },
        args: ["--min-retry-delay=100ms", "--requeue-dependency=1s", "--log-level=warn"],
      };
      const chat = { name: "chat", namespace };
      await world.create(
        provider(chat, { type: "generic", address: `${world.destination.url}/chat` }),
        alert(chat, {
          providerRef: { name: "chat" },
          eventSources: [{ kind: "ImageUpdateAutomation", name: "*" }],
        }),
        ...world.objects("1s"),
      );
    });

    afterAll(async () => {
      await running?.stop();
      await world?.stop();
    });

    function pushesTold(): readonly string[] {
      return world.destination.arrivals
        .map(({ body }) => (JSON.parse(body) as { readonly message: string }).message)
        .filter((message) => message.startsWith("pushed commit"));
    }

    async function automation(): Promise<{ readonly note: string | undefined; readonly pushed: unknown }> {
      const { metadata, status } = (await world.find("ImageUpdateAutomation", automationName)) ?? {};
      return { note: metadata?.annotations?.[note], pushed: status?.["lastPushCommit"] };
    }

    const settled = async (): Promise<readonly string[]> => [
      ...(await complaintsOf(world)),
      ...unready("Alert", "chat", await world.find("Alert", "chat")),
      ...unready("Provider", "chat", await world.find("Provider", "chat")),
    ];

    test("has it told by another that knows nothing else, and once", { timeout: 180_000 }, async () => {
      running = await startControllerProcess(options);
      await converge(settled, 60_000);
      await expect.poll(pushesTold, { timeout: 20_000 }).toHaveLength(1);
      const first = await world.repository.git("rev-parse", "main");
      await expect.poll(automation).toEqual({ note: undefined, pushed: first });

      const pidFile = path.join(world.folder, "pid");
      await writeFile(pidFile, String(running.pid));
      await world.repository.hook("post-receive", `kill -9 $(cat ${pidFile})`);
      await world.pushNext("api");
      await expect
        .poll(async () => world.repository.git("rev-parse", "main"), { timeout: 30_000 })
        .not.toBe(first);
      await running.kill();
      const second = await world.repository.git("rev-parse", "main");
      expect(await automation()).toEqual({ note: second, pushed: first });
      await world.repository.hook("post-receive", "exit 0");

      running = await startControllerProcess(options);
      await expect.poll(automation, { timeout: 30_000 }).toEqual({ note: undefined, pushed: second });
      await expect.poll(pushesTold, { timeout: 20_000 }).toHaveLength(2);
      expect(pushesTold()[1]).toBe(
        `pushed commit '${second.slice(0, 7)}' to branch 'main'\nUpdate from image update automation`,
      );
      await converge(settled, 30_000);
      expect(await world.repository.git("rev-parse", "main")).toBe(second);
      expect(pushesTold()).toHaveLength(2);
      expect(await running.stop()).toBe(0);
    });
  },
);
