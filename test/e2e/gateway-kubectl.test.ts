import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type ClusterGateway, startClusterGateway } from "../support/gateway-cluster.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import { createKubectl, type Kubectl } from "../support/kubernetes/kubectl.ts";
import {
  type Deployment,
  deploymentManifest,
  podManifest,
  type ShownContainer,
  type WrittenContainer,
} from "../support/kubernetes/workloads.ts";
import { describeWithTools } from "../support/tools.ts";

const etcdSpec = { aci: { name: "coreos.com/etcd", tag: "v2.2.0" } };
const etcd = { name: "app", imageSpec: etcdSpec };
const shownEtcd = { name: "app", image: "coreos.com/etcd:v2.2.0", imageSpec: etcdSpec };
const annotation = "image-spec.fairlead.dev/app";

/** A container of registry.example/team/app, as it is written and shown. */
function image(tag: string): WrittenContainer {
  return { name: "app", image: `registry.example/team/app:${tag}` };
}

function structured(tag: string): WrittenContainer {
  return { name: "app", imageSpec: { dockerImage: { registry: "registry.example", name: "team/app", tag } } };
}

function shown(tag: string): ShownContainer {
  return { ...structured(tag), image: `registry.example/team/app:${tag}` };
}

const forms: readonly (readonly [string, WrittenContainer])[] = [
  ["an image", image("v1")],
  ["an image without registry", { name: "app", image: "nginx" }],
  ["an imageSpec of a Docker image", structured("v1")],
  [
    "an imageSpec without tag",
    { name: "app", imageSpec: { dockerImage: { registry: "quay.io", name: "a" } } },
  ],
  ["an imageSpec of an ACI", etcd],
];

const containerPath = "/spec/template/spec/containers/0";

const inTemplate = (containers: object): object => ({ spec: { template: { spec: { containers } } } });

const patches: readonly (readonly [string, string, object, ShownContainer])[] = [
  [
    "a JSON patch adds imageSpec",
    "json",
    [{ op: "add", path: `${containerPath}/imageSpec`, value: etcdSpec }],
    shownEtcd,
  ],
  [
    "a JSON patch changes a tag",
    "json",
    [
      { op: "test", path: `${containerPath}/imageSpec/dockerImage/tag`, value: "v1" },
      { op: "replace", path: `${containerPath}/imageSpec/dockerImage/tag`, value: "v2" },
    ],
    shown("v2"),
  ],
  ["a merge patch", "merge", inTemplate([etcd]), shownEtcd],
  ["a merge patch of an image", "merge", inTemplate([image("v2")]), shown("v2")],
  ["a strategic patch", "strategic", inTemplate([{ ...etcd, image: null }]), shownEtcd],
  ["a strategic patch of imageSpec alone", "strategic", inTemplate([structured("v2")]), shown("v2")],
];

const invalid: readonly (readonly [string, WrittenContainer, string])[] = [
  ["image and imageSpec", { ...structured("v1"), image: "nginx" }, "imageSpec"],
  ["neither", { name: "app" }, "image"],
  [
    "two formats",
    { name: "app", imageSpec: { ...etcdSpec, dockerImage: { registry: "quay.io", name: "a" } } },
    "imageSpec",
  ],
  ["no format", { name: "app", imageSpec: {} }, "imageSpec"],
  [
    "a name with a tag",
    { name: "app", imageSpec: { dockerImage: { registry: "quay.io", name: "a:v1" } } },
    "imageSpec.dockerImage",
  ],
  ["an ACI in capitals", { name: "app", imageSpec: { aci: { name: "CoreOS" } } }, "imageSpec.aci.name"],
];

const pathOf = (name: string): string => `/apis/apps/v1/namespaces/default/deployments/${name}`;

/** What edits a file by a script of sed. */
function editor(script: string): { readonly env: Readonly<Record<string, string>> } {
  return { env: { KUBE_EDITOR: `sed -i ${script}` } };
}

await describeWithTools(
  ["etcd", "kube-apiserver", "kube-controller-manager", "kubectl", "openssl"],
  "writes of kubectl through the gateway",
  (paths) => {
    let cluster: KubernetesCluster;
    let gateway: ClusterGateway;
    let kubectl: Kubectl;

    beforeAll(async () => {
      cluster = await startKubernetes(paths);
      gateway = await startClusterGateway(cluster);
      kubectl = createKubectl(paths.kubectl, gateway.kubeconfig, cluster.folder);
    });

    afterAll(async () => {
      await gateway?.stop();
      await cluster?.stop();
    });

    /** What old and new clients see, the controllers having seen it too. */
    async function views(name: string): Promise<{ readonly old: Deployment; readonly new: Deployment }> {
      const old = await vi.waitUntil(
        async () => {
          const read = await cluster.api.get<Deployment>(pathOf(name));
          return read.status.observedGeneration === read.metadata.generation && read;
        },
        { timeout: 30_000 },
      );
      return { old, new: await gateway.api.get<Deployment>(pathOf(name)) };
    }

    /** What is kept of what clients wrote: the controllers write the rest. */
    async function written(name: string): Promise<object> {
      const { metadata, spec } = (await views(name)).old;
      return { generation: metadata.generation, annotations: metadata.annotations, spec };
    }

    /** How many templates a Deployment has had. */
    async function revisions(name: string): Promise<number> {
      const { items } = await cluster.api.get<{ readonly items: readonly object[] }>(
        `/apis/apps/v1/namespaces/default/replicasets?labelSelector=app%3D${name}`,
      );
      return items.length;
    }

    /** Expects one container, and an annotation in force only where the string does not say it all. */
    async function expectShown(name: string, container: ShownContainer): Promise<void> {
      const seen = await views(name);
      expect(imagesOf(seen.new)).toEqual([container]);
      expect(imagesOf(seen.old)).toEqual([{ name: container.name, image: container.image }]);
      const stored = seen.old.spec.template.metadata.annotations?.[annotation];
      const said = stored === undefined ? undefined : (JSON.parse(stored) as { readonly image: string });
      const isAci = container.imageSpec !== undefined && "aci" in container.imageSpec;
      if (isAci) expect(said).toEqual({ image: container.image, imageSpec: container.imageSpec });
      else expect(said?.image).not.toBe(container.image);
    }

    /** Runs kubectl and expects it to succeed. */
    async function succeed(...given: Parameters<Kubectl>): Promise<string> {
      const result = await kubectl(...given);
      expect(result, result.stderr).toMatchObject({ exitCode: 0 });
      return result.stdout;
    }

    /** A Deployment as it may be written again, though controllers have written its status since. */
    async function readYaml(name: string): Promise<string> {
      const text = await succeed(`get deployment/${name} -o yaml`);
      return text.replace(/^ {2}resourceVersion: .*\n/mu, "");
    }

    /** Writes over whatever is there: kubectl reads its version first, and controllers may write in between. */
    async function replace(input: string): Promise<void> {
      const outcome = await vi.waitUntil(
        async () => {
          const result = await kubectl("replace -f -", { input });
          return !result.stderr.includes("the object has been modified") && result;
        },
        { timeout: 30_000 },
      );
      expect(outcome, outcome.stderr).toMatchObject({ exitCode: 0 });
    }

    const apply = (name: string, container: WrittenContainer, flags: string = ""): Promise<string> =>
      succeed(`apply -f - ${flags}`.trim(), { input: deploymentManifest(name, [container]) });

    test.each(forms)("apply of %s is without effect the second time", async (title, container) => {
      const name = `twice-${title.replaceAll(" ", "-").toLowerCase()}`;
      expect(await apply(name, container)).toBe(`deployment.apps/${name} created\n`);
      const before = await written(name);
      expect(await apply(name, container)).toBe(`deployment.apps/${name} unchanged\n`);
      expect(await written(name)).toEqual(before);
      expect(await revisions(name)).toBe(1);
    });

    test.each(forms)(
      "server-side apply of %s is without effect the second time",
      async (title, container) => {
        const name = `server-${title.replaceAll(" ", "-").toLowerCase()}`;
        await apply(name, container, "--server-side");
        const before = await written(name);
        await apply(name, container, "--server-side");
        expect(await written(name)).toEqual(before);
        expect(await revisions(name)).toBe(1);
      },
    );

    test("apply changes a tag within imageSpec", async () => {
      await apply("tag", structured("v1"));
      expect(await apply("tag", structured("v2"))).toBe("deployment.apps/tag configured\n");
      await expectShown("tag", shown("v2"));
      expect(await revisions("tag")).toBe(2);
    });

    describe.each([
      ["client-side apply", ""],
      ["server-side apply", "--server-side"],
    ])("%s", (title, flags) => {
      const prefix = title.startsWith("client") ? "client" : "server-side";

      test("goes from image to imageSpec and back without a rollout", async () => {
        const name = `${prefix}-structure`;
        await apply(name, image("v1"), flags);
        await expectShown(name, shown("v1"));
        await apply(name, structured("v1"), flags);
        await expectShown(name, shown("v1"));
        await apply(name, image("v1"), flags);
        await expectShown(name, shown("v1"));
        expect(await revisions(name)).toBe(1);
      });

      test("goes from image to another imageSpec and back", async () => {
        const name = `${prefix}-change`;
        await apply(name, image("v1"), flags);
        await apply(name, structured("v2"), flags);
        await expectShown(name, shown("v2"));
        await apply(name, image("v3"), flags);
        await expectShown(name, shown("v3"));
      });

      test("goes from a Docker image to an ACI and back", async () => {
        const name = `${prefix}-format`;
        await apply(name, structured("v1"), flags);
        await apply(name, etcd, flags);
        await expectShown(name, shownEtcd);
        await apply(name, structured("v1"), flags);
        await expectShown(name, shown("v1"));
        await apply(name, etcd, flags);
        await apply(name, image("v2"), flags);
        await expectShown(name, shown("v2"));
      });
    });

    test("server-side apply of what is there writes nothing", async () => {
      const input = podManifest("server-side-nothing", [etcd]);
      const applied = async (): Promise<string> => {
        await succeed("apply -f - --server-side", { input });
        const pod = await cluster.api.get("/api/v1/namespaces/default/pods/server-side-nothing");
        return pod.metadata.resourceVersion;
      };
      expect(await applied()).toBe(await applied());
    });

    test("server-side apply tells managers of their conflict", async () => {
      await apply("conflict", etcd, "--server-side --field-manager=one");
      const other = { input: deploymentManifest("conflict", [structured("v1")]) };
      const refused = await kubectl("apply -f - --server-side --field-manager=two", other);
      expect(refused).toMatchObject({ exitCode: 1 });
      expect(refused.stderr).toContain('conflict with "one"');
      await expectShown("conflict", shownEtcd);
      await succeed("apply -f - --server-side --field-manager=two --force-conflicts", other);
      await expectShown("conflict", shown("v1"));
    });

    test.each(patches)("patch: %s", async (title, type, patch, container) => {
      const name = `patch-${title.replaceAll(" ", "-").toLowerCase()}`;
      await apply(name, image("v1"));
      await succeed(["patch", "deployment", name, `--type=${type}`, "-p", JSON.stringify(patch)]);
      await expectShown(name, container);
    });

    test("set image turns an ACI to a Docker image, and rollout undo gives it back", async () => {
      await apply("undo", etcd);
      await expectShown("undo", shownEtcd);
      await succeed("set image deployment/undo app=registry.example/team/app:v1");
      const changed = await views("undo");
      expect(imagesOf(changed.new)).toEqual([shown("v1")]);
      expect(await revisions("undo")).toBe(2);
      await succeed("rollout undo deployment/undo");
      await expectShown("undo", shownEtcd);
      expect(await revisions("undo")).toBe(2);
      expect(await succeed("rollout history deployment/undo")).toMatch(/^2 .*\n3 /mu);
    });

    test("edit changes the image, and the replicas", async () => {
      await apply("edit", image("v1"));
      await succeed("edit deployment/edit", editor("/image:/s/:v1/:v2/"));
      await expectShown("edit", shown("v2"));
      await succeed("edit deployment/edit", editor("s/replicas:.1/replicas:\\ 2/"));
      expect((await views("edit")).new.spec.replicas).toBe(2);
      expect(await revisions("edit")).toBe(2);
    });

    test("edit of an ACI's replicas keeps the ACI", async () => {
      await apply("edit-aci", etcd);
      const before = await views("edit-aci");
      await succeed("edit deployment/edit-aci", {
        env: { KUBE_EDITOR: "sed -i s/replicas:.1/replicas:\\ 0/" },
      });
      await expectShown("edit-aci", shownEtcd);
      expect((await views("edit-aci")).old.spec.template).toEqual(before.old.spec.template);
      expect(await revisions("edit-aci")).toBe(1);
    });

    test.each([
      ["a Docker image", "replace-docker", structured("v1")],
      ["an ACI", "replace-aci", etcd],
    ])("replace with what was read changes nothing of %s", async (_title, name, container) => {
      await apply(name, container);
      const before = await views(name);
      await replace(await readYaml(name));
      const after = await views(name);
      expect(after.old.spec).toEqual(before.old.spec);
      expect(imagesOf(after.new)).toEqual(imagesOf(before.new));
      expect(await revisions(name)).toBe(1);
    });

    test.each([
      ["the image", (text: string) => text.replace(/image: (\S+):v1/u, "image: $1:v2")],
      ["imageSpec", (text: string) => text.replace(/tag: v1/u, "tag: v2")],
      [
        "both",
        (text: string) => text.replace(/tag: v1/u, "tag: v2").replace(/image: (\S+):v1/u, "image: $1:v2"),
      ],
    ])("replace changes %s", async (title, change) => {
      const name = `replace-${title.replaceAll(" ", "-").toLowerCase()}`;
      await succeed("create -f -", { input: deploymentManifest(name, [structured("v1")]) });
      await replace(change(await readYaml(name)));
      await expectShown(name, shown("v2"));
    });

    test("replace with two different images is refused", async () => {
      await succeed("create -f -", { input: deploymentManifest("replace-differing", [structured("v1")]) });
      const read = await readYaml("replace-differing");
      const changed = read.replace(/tag: v1/u, "tag: v2").replace(/image: (\S+):v1/u, "image: $1:v3");
      const refused = await kubectl("replace -f -", { input: changed });
      expect(refused).toMatchObject({ exitCode: 1 });
      expect(refused.stderr).toContain("spec.template.spec.containers[0].imageSpec");
      await expectShown("replace-differing", shown("v1"));
    });

    test("scale, label and annotate keep an ACI", async () => {
      await apply("keep", etcd);
      const { template } = (await views("keep")).old.spec;
      await succeed("scale deployment/keep --replicas=0");
      await succeed("label deployment/keep team=storage");
      await succeed("annotate deployment/keep note=kept");
      await succeed("rollout pause deployment/keep");
      await expectShown("keep", shownEtcd);
      const after = (await views("keep")).old;
      expect(after.spec).toMatchObject({ replicas: 0, template });
      expect(after.metadata.annotations).toMatchObject({ note: "kept" });
      expect(await succeed("delete deployment/keep")).toContain('"keep" deleted');
    });

    test("diff tells of changes alone", async () => {
      await apply("diff", structured("v1"));
      const same = await kubectl("diff -f -", { input: deploymentManifest("diff", [structured("v1")]) });
      expect(same).toMatchObject({ exitCode: 0, stdout: "" });
      const other = await kubectl("diff -f -", { input: deploymentManifest("diff", [structured("v2")]) });
      expect(other).toMatchObject({ exitCode: 1 });
      expect(other.stdout).toMatch(/^-\s+tag: v1$/mu);
      expect(other.stdout).toMatch(/^\+\s+tag: v2$/mu);
      await expectShown("diff", shown("v1"));
    });

    test("a dry run shows what would be, and keeps nothing", async () => {
      const input = deploymentManifest("dry", [etcd]);
      const text = await succeed("create -f - --dry-run=server -o json", { input });
      expect(imagesOf(JSON.parse(text) as Deployment)).toEqual([shownEtcd]);
      expect((await cluster.api.request("GET", pathOf("dry"))).status).toBe(404);
    });

    test.each(["create", "apply"])("%s validates the items of a list by their schemas", async (verb) => {
      const input = (...containers: readonly WrittenContainer[]): object => ({
        apiVersion: "v1",
        kind: "List",
        items: containers.map((container, index) => deploymentManifest(`${verb}-list-${index}`, [container])),
      });
      const unknown = await kubectl(`${verb} -f -`, {
        input: input({ ...structured("v1"), imageSpecs: {} }),
      });
      expect(unknown).toMatchObject({ exitCode: 1 });
      expect(unknown.stderr).toContain('unknown field "imageSpecs"');
      const nested = { name: "app", imageSpec: { aci: { name: "coreos.com/etcd", digest: "v1" } } };
      const inside = await kubectl(`${verb} -f -`, { input: input(nested) });
      expect(inside).toMatchObject({ exitCode: 1 });
      expect(inside.stderr).toContain('unknown field "digest"');
      await succeed(`${verb} -f -`, { input: input(structured("v1"), etcd) });
      await expectShown(`${verb}-list-0`, shown("v1"));
      await expectShown(`${verb}-list-1`, shownEtcd);
    });

    test.each(invalid)("create with %s is refused at its path", async (_title, container, member) => {
      const refused = await kubectl("create -f - --validate=false", {
        input: deploymentManifest("invalid", [container]),
      });
      expect(refused).toMatchObject({ exitCode: 1 });
      expect(refused.stderr).toContain(`spec.template.spec.containers[0].${member}`);
      expect(refused.stderr).toContain('The Deployment "invalid" is invalid');
    });
  },
);

/** The members of containers that tell their images. */
function imagesOf({ spec }: Pick<Deployment, "spec">): readonly object[] {
  return spec.template.spec.containers.map(({ name, image: string, imageSpec }) => ({
    name,
    image: string,
    ...(imageSpec === undefined ? {} : { imageSpec }),
  }));
}
