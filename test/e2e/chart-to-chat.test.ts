import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { hash } from "bcryptjs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Checkout, createCheckout, repositoryRoot } from "../support/checkout.ts";
import {
  type ControllerProcess,
  freeControllerPorts,
  startControllerProcess,
} from "../support/controller-process.ts";
import { type ClusterGateway, startClusterGateway } from "../support/gateway-cluster.ts";
import { type GitHttpServer, startGitHttp } from "../support/git-http.ts";
import { type BareRepository, createBareRepository } from "../support/git-repository.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import { writeKubeconfig } from "../support/kubernetes/kubeconfig.ts";
import { blocksOf } from "../support/markdown.ts";
import { type Registry, type RegistryOptions, startRegistry } from "../support/registry.ts";
import { type Destination, startDestination } from "../support/served-notifications.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

/** From the push of a tag to the message in the chat; it takes two seconds where the machine does nothing else. */
const maxPushToChatMs = 30_000;
const waiting = { timeout: 60_000, interval: 20 };
const registryLogin = { user: "robot", password: "correct horse" };
const gitLogin = { user: "robot", password: "battery staple" };
const gitAuthorization = `Basic ${Buffer.from(`${gitLogin.user}:${gitLogin.password}`).toString("base64")}`;
const hookToken = "0123456789abcdef0123456789abcdef01234567";
const chatPath = "/services/T00000000/B00000000/s3cr3tp4rt0fth3hook";
const page = readFileSync(path.join(repositoryRoot, "docs/in-kubernetes.md"), "utf8");

interface ChatMessage {
  readonly channel: string;
  readonly username: string;
  readonly attachments: readonly {
    readonly author_name: string;
    readonly text: string;
    readonly color: string;
    readonly fields: readonly { readonly title: string; readonly value: string }[];
  }[];
}

interface Fleet {
  readonly commits: number;
  readonly override: string;
  readonly release: string;
}

interface Happening {
  readonly reason: string;
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}

await describeWithTools(
  ["etcd", "kube-apiserver", "kubectl", "openssl", "registry", "crane", "helm3"],
  "the commands of docs/in-kubernetes.md",
  (tools) => {
    let folder: TempDir;
    let checkout: Checkout;
    let cluster: KubernetesCluster;
    let controller: ControllerProcess;
    let gateway: ClusterGateway;
    let git: GitHttpServer;
    let fleet: BareRepository;
    let registry: Registry;
    let registryOptions: RegistryOptions;
    let chat: Destination;
    const arrivedAtMs: number[] = [];
    let env: NodeJS.ProcessEnv;

    beforeAll(async () => {
      folder = await createTempDir("chart-to-chat");
      checkout = await createCheckout(tools.helm3);
      cluster = await startKubernetes(tools);
      gateway = await startClusterGateway(cluster);
      await writeKubeconfig(path.join(checkout.path, "gateway.kubeconfig"), gateway);
      registryOptions = await registryOf(folder.path);
      registry = await startRegistry(tools.registry, registryOptions);
      git = await startGitHttp({ root: folder.path, authorization: gitAuthorization });
      fleet = await createBareRepository(path.join(folder.path, "fleet.git"), { "README.md": "Fleet\n" });
      chat = await startDestination((response) => {
        arrivedAtMs.push(performance.now());
        response.end("ok");
      });
    });

    afterAll(async () => {
      await controller?.stop();
      await gateway?.stop();
      await registry?.stop();
      await chat?.stop();
      await git?.stop();
      await cluster?.stop();
      await checkout?.remove();
      await folder?.remove();
    });

    /** Runs the commands of a chapter and gives what they print. */
    async function follow(chapter: string): Promise<string> {
      const { exitCode, stdout, stderr } = await checkout.shell(commandsOf(chapter), { env });
      expect(exitCode, `${chapter}:\n${stdout}\n${stderr}`).toBe(0);
      return stdout;
    }

    /** Starts the controllers with the rights that their pods have in the cluster. */
    async function startControllers(): Promise<void> {
      const token = await kubectl("create token fairlead-controller --namespace flux-system");
      const place = path.join(folder.path, "controller.kubeconfig");
      const ports = await freeControllerPorts();
      controller = await startControllerProcess({
        kubeconfig: await writeKubeconfig(place, { url: cluster.url, caFile: cluster.caFile, token }),
        folder: folder.path,
        ports,
        env: { RUNTIME_NAMESPACE: "flux-system" },
        args: ["--enable-leader-election", `--storage-path=${path.join(folder.path, "state")}`],
      });
    }

    async function kubectl(args: string): Promise<string> {
      const { exitCode, stdout, stderr } = await checkout.shell(`kubectl ${args}`, { env });
      expect(exitCode, stderr).toBe(0);
      return stdout.trim();
    }

    async function stateOf(ref: string): Promise<Fleet> {
      const [commits, override, release] = await Promise.all([
        fleet.git("rev-list", "--count", ref),
        fleet.read(ref, "shop/override.yaml"),
        fleet.read(ref, "shop/release.yaml"),
      ]);
      return { commits: Number(commits), override, release };
    }

    const story = "a chart is redirected, a tag is pushed, Git is changed, a chat told and an image run";
    test(story, { timeout: 300_000 }, async () => {
      const programs = [tools.kubectl, tools.crane].map((program) => path.dirname(program));
      env = {
        PATH: [...programs, checkout.env["PATH"] ?? ""].join(path.delimiter),
        HOME: folder.path,
        DOCKER_CONFIG: path.join(folder.path, "docker"),
        KUBECONFIG: cluster.kubeconfig,
        GIT_AUTHOR_NAME: "Somebody",
        GIT_AUTHOR_EMAIL: "somebody@example.com",
        GIT_COMMITTER_NAME: "Somebody",
        GIT_COMMITTER_EMAIL: "somebody@example.com",
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "http.extraHeader",
        GIT_CONFIG_VALUE_0: `Authorization: ${gitAuthorization}`,
        REGISTRY: registry.host,
        REGISTRY_USER: registryLogin.user,
        REGISTRY_PASSWORD: registryLogin.password,
        GIT: `${git.url}/fleet.git`,
        GIT_USER: gitLogin.user,
        GIT_TOKEN: gitLogin.password,
        SLACK: `${chat.url}${chatPath}`,
        HOOK_TOKEN: hookToken,
      };

      await follow("Put the images into your registry");
      await follow("Redirect the chart");
      expect(await fleet.git("show", "--name-only", "--format=", "main", "--", ":!shop/chart")).toBe(
        "shop/override.yaml\nshop/release.yaml",
      );
      await follow("Install the controllers");
      await startControllers();
      await follow("Follow the registry");
      await follow("Tell a chat");
      env["HOOKS"] = controller.receiversUrl;
      const webhookUrl = (await follow("Let the registry call")).trim();
      await registry.stop();
      registry = await startRegistry(tools.registry, { ...registryOptions, host: registry.host, webhookUrl });

      const before = await stateOf("main");
      const start = performance.now();
      const printed = await follow("Push a new version");
      const arrived = await vi.waitFor(() => {
        const index = chat.arrivals.findIndex(({ body }) => body.includes("2.5.0"));
        expect(index, JSON.stringify(chat.arrivals)).not.toBe(-1);
        return index;
      }, waiting);
      const tookMs = Math.round((arrivedAtMs[arrived] ?? Infinity) - start);
      console.log(`from the push of a tag to the chat: ${tookMs} ms`);
      expect(tookMs).toBeLessThan(maxPushToChatMs);

      const image = `${registry.host}/quayio/harbourside/shop-api`;
      expect(printed).toContain(JSON.stringify({ attributes: { line: "2.5" }, name: image, tag: "2.5.0" }));
      expect(await stateOf("main")).toEqual({
        commits: before.commits + 1,
        override: before.override.replace("  tag: 2.4.1 #", "  tag: 2.5.0 #"),
        release: before.release.replace(`"2.4" #`, `"2.5" #`),
      });
      expect(await fleet.git("diff", "--numstat", "main~1", "main")).toBe(
        "1\t1\tshop/override.yaml\n1\t1\tshop/release.yaml",
      );

      const commit = await fleet.git("rev-parse", "--short=7", "main");
      const body = await fleet.git("log", "-1", "--format=%B", "main");
      const policy = "flux-system:shop-harbourside-shop-api";
      expect(body).toBe(`Update the shop\n\n${policy}:tag: 2.4.1 -> 2.5.0\n${policy}:line: 2.4 -> 2.5`);
      const { path: place, body: sent } = chat.arrivals[arrived] ?? { path: "", body: "{}" };
      expect(place).toBe(chatPath);
      const { channel, username, attachments } = JSON.parse(sent) as ChatMessage;
      expect({ channel, username }).toEqual({ channel: "releases", username: "fairlead" });
      expect(attachments).toHaveLength(1);
      expect(attachments[0]).toMatchObject({
        author_name: "imageupdateautomation/shop.flux-system",
        color: "good",
        // Slack's own characters are escaped.
        text: `pushed commit '${commit}' to branch 'main'\n${body.replaceAll(">", "&gt;")}`,
        fields: [
          { title: "cluster", value: "production" },
          { title: "team", value: "harbourside" },
        ],
      });
      await vi.waitFor(async () => {
        const { items } = JSON.parse(
          await kubectl("events --for alert/shop --namespace flux-system --output json"),
        ) as { readonly items: readonly Happening[] };
        const conflict = items.find(({ reason }) => reason === "MetadataAppendFailed");
        expect(conflict?.metadata.annotations).toEqual({
          cluster: "involved object annotations, Alert object .spec.eventMetadata",
        });
      }, waiting);

      const lines = (await follow("Bring it to the cluster")).trim().split("\n");
      const structured = {
        dockerImage: { name: "quayio/harbourside/shop-api", registry: registry.host, tag: "2.5.0" },
      };
      expect(lines.at(-1)).toBe(`${image}:2.5.0${JSON.stringify(structured)}`);
      const stored = await kubectl("get deployment shop-web --namespace shop --output json");
      expect(stored).not.toContain("imageSpec");
      expect(await kubectl("get configmap shop-release --namespace shop --output jsonpath={.data.api}")).toBe(
        "2.5",
      );
      for (const shownByPage of [
        body,
        JSON.stringify(structured).replace(registry.host, "registry.example.com"),
      ])
        expect(page).toContain(shownByPage);
      expect(chat.arrivals.filter(({ body: text }) => text.includes("2.5.0"))).toHaveLength(1);
      expect(await controller.log()).toContain(`pushed commit '${commit}' to branch 'main'`);
      for (const secret of [registryLogin.password, gitLogin.password, hookToken, chatPath])
        expect(await controller.log()).not.toContain(secret);
    });
  },
);

/** The text of a chapter's commands. */
function commandsOf(title: string): string {
  const chapter = page.split(/^## /mu).find((text) => text.startsWith(`${title}\n`)) ?? "";
  const commands = blocksOf(chapter).filter(({ language }) => language === "bash");
  expect(commands, `the page has commands under "${title}"`).not.toEqual([]);
  return commands.map(({ text }) => text).join("\n");
}

/** A registry that keeps its images in a folder, for those who log in. */
async function registryOf(folder: string): Promise<RegistryOptions> {
  const htpasswdFile = path.join(folder, "htpasswd");
  const dataFolder = path.join(folder, "images");
  await mkdir(dataFolder);
  await writeFile(htpasswdFile, `${registryLogin.user}:${await hash(registryLogin.password, 4)}\n`);
  return { dataFolder, auth: { htpasswdFile } };
}
