import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { RunResult } from "../../src/core/process.ts";
import { buildCommands } from "../support/cli.ts";
import { type ControllerProcess, startControllerProcess } from "../support/controller-process.ts";
import { installDefinitions } from "../support/custom-resource-definitions.ts";
import { type EventDestination, startEventDestination } from "../support/event-destination.ts";
import { cellsOf, createFluxCli, type FluxCli } from "../support/flux-cli.ts";
import { type GitHttpServer, startGitHttp } from "../support/git-http.ts";
import { type BareRepository, createBareRepository } from "../support/git-repository.ts";
import { pushImage } from "../support/images.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import { metricProblems } from "../support/metric-grammar.ts";
import { createKubectl, type Kubectl } from "../support/kubernetes/kubectl.ts";
import { type Registry, startRegistry } from "../support/registry.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

const namespace = "flux-system";
const token = "a token of tests";
/** SHA-256 of token, name and namespace. */
const webhookPath = /\/hook\/[0-9a-f]{64}/u;
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/u) as string;
const waitOptions = { timeout: 30_000, interval: 200 };

/** A kind as the CLI names it, and what becomes of the object of tests. */
interface KindRow {
  readonly words: string;
  readonly kind: string;
  readonly name: string;
  /** As it stands in messages. */
  readonly human: string;
  /** What a reconciliation that was waited for says; absent where the CLI knows none. */
  readonly reconciled?: (registry: string) => string | RegExp;
}

const kinds: readonly KindRow[] = [
  {
    words: "image repository",
    kind: "ImageRepository",
    name: "app",
    human: "image repository",
    reconciled: () => /^scan fetched \d tags$/u,
  },
  {
    words: "image policy",
    kind: "ImagePolicy",
    name: "app",
    human: "image policy",
    reconciled: (registry) => new RegExp(`^selected ref ${registry}/app:1\\.[123]\\.0$`, "u"),
  },
  {
    words: "image update",
    kind: "ImageUpdateAutomation",
    name: "app",
    human: "image update automation",
    reconciled: () => "repository up-to-date",
  },
  {
    words: "receiver",
    kind: "Receiver",
    name: "hook",
    human: "receiver",
    reconciled: () => "Receiver reconciliation completed",
  },
  { words: "alert", kind: "Alert", name: "chat", human: "alert" },
  { words: "alert-provider", kind: "Provider", name: "chat", human: "alert provider" },
];
const named = kinds.map((row) => [row.words, row] as const);
const reconciling = named.filter(([, { reconciled }]) => reconciled !== undefined);

await describeWithTools(
  ["flux", "etcd", "kube-apiserver", "kubectl", "openssl", "registry", "crane"],
  "Flux's CLI",
  (tools) => {
    let folder: TempDir;
    let cluster: KubernetesCluster;
    let registry: Registry;
    let git: GitHttpServer;
    let repository: BareRepository;
    let destination: EventDestination;
    let controller: ControllerProcess;
    let flux: FluxCli;
    let kubectl: Kubectl;

    beforeAll(async () => {
      await buildCommands();
      folder = await createTempDir("flux-cli");
      cluster = await startKubernetes(tools);
      kubectl = createKubectl(tools.kubectl, cluster.kubeconfig, folder.path);
      flux = createFluxCli(tools.flux, cluster.kubeconfig, folder.path);
      await installDefinitions(cluster.api);
      await cluster.createNamespace(namespace);
      registry = await startRegistry(tools.registry);
      for (const tag of ["1.0.0", "1.1.0", "2.0.0-rc.1"]) await push(tag);
      repository = await createBareRepository(path.join(folder.path, "r.git"), {
        "apps/app.yaml": `image: ${registry.host}/app:1.0.0 # {"$imagepolicy": "${namespace}:app"}\n`,
      });
      git = await startGitHttp({ root: folder.path });
      destination = await startEventDestination();
      controller = await startControllerProcess({ kubeconfig: cluster.kubeconfig, folder: folder.path });
    });

    afterAll(async () => {
      await controller?.stop();
      await destination?.stop();
      await git?.stop();
      await registry?.stop();
      await cluster?.stop();
      await folder?.remove();
    });

    async function push(tag: string): Promise<void> {
      await pushImage(tools.crane, `${registry.host}/app:${tag}`, tag);
    }

    function image(): string {
      return `${registry.host}/app`;
    }

    async function apply(manifest: unknown): Promise<void> {
      const applied = await kubectl("apply --server-side --force-conflicts -f -", { input: manifest });
      expect(applied).toMatchObject({ exitCode: 0, stderr: "" });
    }

    async function read(row: KindRow): Promise<Manifest> {
      const { stdout, stderr, exitCode } = await kubectl(
        `get ${row.kind} ${row.name} -n ${namespace} -o json`,
      );
      if (exitCode !== 0) throw new Error(stderr);
      return JSON.parse(stdout) as Manifest;
    }

    function trigger(secret: string): Promise<RunResult> {
      const where = `--url=${controller.receiversUrl}`;
      return flux(`trigger receiver hook --retries=0 ${where}`, [`--token=${secret}`]);
    }

    describe("creates", () => {
      test("GitRepositories, which are exported for there is nobody to wait for", async () => {
        const flags = `--url=${git.url}/r.git --branch=main --interval=1m --export`;
        const exported = await flux(`create source git app ${flags}`);
        expect(exported).toMatchObject({ exitCode: 0, stderr: "" });
        await apply(exported.stdout);
      });

      test("Providers", async () => {
        const flags = `--type=generic --address=${destination.url}`;
        const created = await flux(`create alert-provider chat ${flags}`);
        expectLines(created, ["✔ Provider created", "✔ Provider chat is ready"]);
      });

      test("Alerts", async () => {
        const flags = "--provider-ref=chat --event-source=ImageUpdateAutomation/*,ImagePolicy/*";
        const created = await flux(`create alert chat --event-severity=info ${flags}`);
        expectLines(created, ["✔ Alert created", "✔ Alert chat is ready"]);
      });

      test("ImageRepositories, which it waits for", async () => {
        const created = await flux(`create image repository app --image=${registry.host}/app`);
        expectLines(created, ["✔ ImageRepository created", "✔ ImageRepository reconciliation completed"]);
      });

      test("ImagePolicies, which it waits for", async () => {
        const created = await flux("create image policy app --image-ref=app --select-semver=1.x");
        expectLines(created, ["✔ ImagePolicy created", "✔ ImagePolicy reconciliation completed"]);
      });

      test("ImageUpdateAutomations, which have pushed when it returns", async () => {
        const where = "--git-repo-ref=app --git-repo-path=./apps --checkout-branch=main";
        const author = "--author-name=bot --author-email=bot@example.com";
        const created = await flux(`create image update app ${where} ${author}`, [
          "--commit-template=Update by a bot",
        ]);
        expectLines(created, [
          "✔ ImageUpdateAutomation created",
          "✔ ImageUpdateAutomation reconciliation completed",
        ]);
        expect(await repository.read("main", "apps/app.yaml")).toContain("/app:1.1.0 #");
        expect(await repository.git("log", "-1", "--format=%an <%ae> %s", "main")).toBe(
          "bot <bot@example.com> Update by a bot",
        );
      });

      test("Receivers, whose path it tells", async () => {
        await kubectl([
          "create",
          "secret",
          "generic",
          "hook",
          "-n",
          namespace,
          `--from-literal=token=${token}`,
        ]);
        const flags = "--type=generic --secret-ref=hook --resource=ImageRepository/app";
        const created = await flux(`create receiver hook ${flags}`);
        expectLines(created, ["✔ Receiver created", "✔ Receiver hook is ready"]);
        expect(created.stderr).toMatch(/✔ generated webhook URL \/hook\/[0-9a-f]{64}\n/u);
      });
    });

    describe("shows", () => {
      const rows: readonly (readonly [string, () => readonly (readonly unknown[])[]])[] = [
        [
          "image repository",
          () => [
            ["NAME", "LAST SCAN", "SUSPENDED", "READY", "MESSAGE"],
            [
              "app",
              time,
              "False",
              "True",
              expect.stringMatching(/^successful scan: found 3 tags with checksum \d+$/u),
            ],
          ],
        ],
        [
          "image policy",
          () => [
            ["NAME", "IMAGE", "TAG", "READY", "MESSAGE"],
            ["app", image(), "1.1.0", "True", `Latest image tag for ${image()} resolved to 1.1.0`],
          ],
        ],
        [
          "image update",
          () => [
            ["NAME", "LAST RUN", "SUSPENDED", "READY", "MESSAGE"],
            ["app", time, "False", "True", "repository up-to-date"],
          ],
        ],
        [
          "receivers",
          () => [
            ["NAME", "SUSPENDED", "READY", "MESSAGE"],
            [
              "hook",
              "False",
              "True",
              expect.stringMatching(/^Receiver initialized for path: \/hook\/[0-9a-f]{64}$/u),
            ],
          ],
        ],
        [
          "alerts",
          () => [
            ["NAME", "SUSPENDED", "READY", "MESSAGE"],
            ["chat", "False", "True", "Alert is Ready"],
          ],
        ],
        [
          "alert-providers",
          () => [
            ["NAME", "READY", "MESSAGE"],
            ["chat", "True", "Provider is Ready"],
          ],
        ],
        [
          "images all -A",
          () => [
            ["NAMESPACE", "NAME", "LAST SCAN", "SUSPENDED", "READY", "MESSAGE"],
            [namespace, "imagerepository/app", time, "False", "True", expect.any(String)],
            ["NAMESPACE", "NAME", "IMAGE", "TAG", "READY", "MESSAGE"],
            [namespace, "imagepolicy/app", image(), "1.1.0", "True", expect.any(String)],
            ["NAMESPACE", "NAME", "LAST RUN", "SUSPENDED", "READY", "MESSAGE"],
            [namespace, "imageupdateautomation/app", time, "False", "True", "repository up-to-date"],
          ],
        ],
      ];
      test.each(rows)("%s", async (words, table) => {
        // What a push set off may still be going on.
        await vi.waitFor(async () => {
          const shown = await flux(`get ${words}`);
          expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
          expect(cellsOf(shown.stdout)).toEqual(table());
        }, waitOptions);
      });

      test("the push to the destination of the Alert", async () => {
        for (;;) {
          const [event] = await destination.take(1);
          if (event?.message.startsWith("pushed commit '") !== true) continue;
          expect(event.involvedObject).toMatchObject({ kind: "ImageUpdateAutomation", name: "app" });
          break;
        }
      });

      const events = [
        ["ImageRepository/app", ["ImageRepository/app"]],
        ["ImagePolicy/app", ["ImagePolicy/app", "ImageRepository/app"]],
        ["ImageUpdateAutomation/app", ["ImageUpdateAutomation/app"]],
        ["Receiver/hook", ["Receiver/hook"]],
      ] as const;
      test.each(events)("the events of %s", async (object, objects) => {
        await vi.waitFor(async () => {
          const [header = [], ...lines] = cellsOf((await flux(`events --for ${object}`)).stdout);
          expect(header).toEqual(["LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"]);
          // A message of several lines goes on in lines of its own.
          const told = lines.filter(([seen]) => seen !== "");
          expect([...new Set(told.map((line) => line[3] ?? ""))].toSorted()).toEqual(objects);
          for (const [seen = "", type, reason, , message] of told) {
            expect(seen).toMatch(/^\d/u);
            expect(type).toBe("Normal");
            expect(reason).toMatch(/^[A-Z][A-Za-z]+$/u);
            expect(message).not.toBe("");
          }
        }, waitOptions);
      });

      test("no warnings where all is well", async () => {
        const shown = await flux("events --types=Warning");
        expect(shown).toMatchObject({ exitCode: 0, stdout: "" });
        expectLines(shown, [`✗ No events found in ${namespace} namespace.`]);
      });
    });

    describe("reconciles", () => {
      test.each(reconciling)("%s", async (words, { name, kind, reconciled }) => {
        if (kind === "ImageRepository") await push("1.2.0");
        const result = await flux(`reconcile ${words} ${name}`);
        expectLines(result, [
          `► annotating ${kind} ${name} in ${namespace} namespace`,
          `✔ ${kind} annotated`,
        ]);
        expectLast(result, reconciled?.(registry.host) ?? "");
      });

      test("so that what was pushed is in Git", async () => {
        expect(cellsOf((await flux("get image policy app --no-header")).stdout)[0]?.[2]).toBe("1.2.0");
        await vi.waitFor(async () => {
          expect(await repository.read("main", "apps/app.yaml")).toContain("/app:1.2.0 #");
        }, waitOptions);
      });

      test("nothing that is not there", async () => {
        const result = await flux("reconcile image repository none");
        expect(result.exitCode).toBe(1);
        expect(result.stderr).toContain('"none" not found');
      });
    });

    describe("suspends, and resumes", () => {
      test.each(named)("%s", async (words, row) => {
        const { kind, name, human, reconciled } = row;
        expectLines(await flux(`suspend ${words} ${name}`), [`✔ ${human} suspended`]);
        expect((await read(row)).spec).toMatchObject({ suspend: true });
        if (reconciled !== undefined) {
          const refused = await flux(`reconcile ${words} ${name}`);
          expect(refused).toMatchObject({ exitCode: 1 });
          expect(refused.stderr).toContain("✗ resource is suspended");
        }
        const resumed = await flux(`resume ${words} ${name}`);
        expectLines(resumed, [`✔ ${human} resumed`, `✔ ${kind} ${name} reconciliation completed`]);
        if (reconciled !== undefined) expectLast(resumed, reconciled(registry.host));
        expect((await read(row)).spec).not.toHaveProperty("suspend", true);
      });
    });

    describe("exports", () => {
      test.each(named)("%s, which can be applied again", async (words, row) => {
        const before = await read(row);
        const exported = await flux(`export ${words} ${row.name}`);
        expect(exported).toMatchObject({ exitCode: 0, stderr: "" });
        expect(exported.stdout).toMatch(/^---\napiVersion: /u);
        await apply(exported.stdout);
        expect(withoutZeros((await read(row)).spec)).toEqual(withoutZeros(before.spec));
      });
    });

    describe("triggers Receivers", () => {
      test("whose object is looked at, down to the commit", async () => {
        await push("1.3.0");
        expectLines(await trigger(token), [`✔ Receiver ${namespace}/hook triggered`]);
        await vi.waitFor(async () => {
          expect(await repository.read("main", "apps/app.yaml")).toContain("/app:1.3.0 #");
        }, waitOptions);
      });

      test("with the right token only", async () => {
        const refused = await trigger("another");
        expect(refused.exitCode).toBe(1);
        expect(refused.stderr).toMatch(/ failed with status 404/u);
      });
    });

    test("what it did is told to Prometheus, by the names of Flux's controllers", async () => {
      const text = await controller.metrics();
      expect(metricProblems(text)).toEqual([]);
      for (const { kind, name } of kinds) {
        const labels = `{kind="${kind}",name="${name}",namespace="${namespace}"}`;
        expect(text).toContain(`gotk_reconcile_duration_seconds_count${labels}`);
      }
      for (const line of [
        /^gotk_resource_info\{.*customresource_kind="ImagePolicy".*ready="True".*\} 1$/mu,
        /^controller_runtime_reconcile_total\{controller="imagerepository",result="requeue_after"\} [1-9]/mu,
        /^workqueue_adds_total\{.*\} [1-9]/mu,
        /^rest_client_requests_total\{.*method="PATCH".*\} [1-9]/mu,
        /^gotk_event_http_request_duration_seconds_count\{.*\} [1-9]/mu,
        /^gotk_receiver_http_request_duration_seconds_count\{.*\} [1-9]/mu,
        /^fairlead_notification_deliveries_total\{.*result="delivered".*\} [1-9]/mu,
        /^process_resident_memory_bytes [1-9]/mu,
      ]) {
        expect(text).toMatch(line);
      }
    });

    describe("fails", () => {
      test("at once where an object is stalled", async () => {
        const startMs = Date.now();
        const created = await flux("create image policy stalled --image-ref=app", [
          "--select-semver=not a range",
        ]);
        expect(created.exitCode).toBe(1);
        expect(created.stderr).not.toContain("deadline");
        expect(created.stderr).toMatch(/✗ .*not a range/u);
        expect(Date.now() - startMs).toBeLessThan(30_000);
        const { stdout } = await flux("get image policy --status-selector=stalled=true --no-header");
        expect(cellsOf(stdout).map(([name]) => name)).toEqual(["stalled"]);
      });

      test("when it has waited for what is not ready", async () => {
        const flags = "--image-ref=none --select-semver=1.x --timeout=5s";
        const created = await flux(`create image policy waiting ${flags}`);
        expect(created.exitCode).toBe(1);
        expect(created.stderr).toContain("✗ context deadline exceeded");
        const { stdout } = await flux("get image policy waiting --no-header");
        expect(cellsOf(stdout)[0]?.slice(0, 4)).toEqual(["waiting", "", "", "False"]);
      });

      test("where a token is missing", async () => {
        const flags = "--type=generic --secret-ref=none --resource=ImageRepository/app --timeout=5s";
        expect((await flux(`create receiver waiting ${flags}`)).exitCode).toBe(1);
        const { stdout } = await flux("get receivers waiting --no-header");
        expect(cellsOf(stdout)[0]?.slice(0, 3)).toEqual(["waiting", "False", "False"]);
      });
    });

    describe("deletes", () => {
      test.each(named)("%s, whose finalizer goes", async (words, row) => {
        const deleted = await flux(`delete ${words} ${row.name} --silent`);
        expectLines(deleted, [`✔ ${row.human} deleted`]);
        await vi.waitFor(async () => {
          await expect(read(row)).rejects.toThrow(/NotFound/u);
        }, waitOptions);
      });

      test("so that the webhook is not called any more", async () => {
        const refused = await trigger(token);
        expect(refused.exitCode).toBe(1);
        expect(refused.stderr).toMatch(webhookPath);
        expect(refused.stderr).toMatch(/ failed with status 404/u);
      });
    });
  },
);

interface Manifest {
  readonly spec: Readonly<Record<string, unknown>>;
}

/** A spec whose durations are as they were before Go wrote 10m as 10m0s. */
function withoutZeros(spec: Manifest["spec"]): unknown {
  return JSON.parse(JSON.stringify(spec).replaceAll(/"(\d+m)0s"/gu, '"$1"')) as unknown;
}

/** Holds that the CLI was content and told these lines. */
function expectLines({ exitCode, stderr }: RunResult, lines: readonly string[]): void {
  expect({ exitCode, lines: stderr.trimEnd().split("\n") }).toEqual({
    exitCode: 0,
    lines: expect.arrayContaining([...lines]) as string[],
  });
}

/** Holds that the CLI was content, and what it told at last. */
function expectLast({ exitCode, stderr }: RunResult, message: string | RegExp): void {
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const last = stderr.trimEnd().split("\n").at(-1)?.replace("✔ ", "") ?? "";
  if (typeof message === "string") expect(last).toBe(message);
  else expect(last).toMatch(message);
}
