import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTranslate } from "../../src/imagespec/gateway/translate.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import {
  type ApiAnswer,
  type ApiClient,
  createApiClient,
  patchTypes,
} from "../support/kubernetes/api-client.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import { deploymentManifest, type WrittenContainer } from "../support/kubernetes/workloads.ts";
import { describeWithTools } from "../support/tools.ts";

const namespace = "writes";
const pods = `/api/v1/namespaces/${namespace}/pods`;
const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
const etcdSpec = { aci: { name: "coreos.com/etcd", tag: "v2.2.0" } };
const storedEtcd =
  '{"image":"coreos.com/etcd:v2.2.0","imageSpec":{"aci":{"name":"coreos.com/etcd","tag":"v2.2.0"}}}';

interface Template {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly containers: readonly WrittenContainer[];
    readonly ephemeralContainers?: readonly WrittenContainer[];
    readonly affinity?: object;
  };
}

await describeWithTools(["etcd", "kube-apiserver", "openssl"], "writes through the gateway", (programs) => {
  let cluster: KubernetesCluster;
  let server: TestGateway;
  let gateway: ApiClient;
  let limited: ApiClient;

  beforeAll(async () => {
    cluster = await startKubernetes(programs, { users: ["patcher"] });
    const { certificateFile, keyFile } = await cluster.authority.issue("gateway");
    server = await startTestGateway(cluster.url, {
      translate: createTranslate(),
      upstreamCaFile: cluster.caFile,
      tls: { cert: certificateFile, key: keyFile },
    });
    const access = { url: server.url, caFile: cluster.authority.certificateFile };
    gateway = createApiClient({ ...access, token: cluster.token });
    limited = createApiClient({ ...access, token: cluster.tokenOf("patcher") });
    await cluster.createNamespace(namespace);
    await cluster.grant("patcher", { apiGroups: ["apps"], resources: ["deployments"], verbs: ["patch"] });
  });

  afterAll(async () => {
    gateway.close();
    limited.close();
    await server.stop(0);
    await cluster.stop();
  });

  test("what holds no imageSpec goes byte for byte", async () => {
    // Blanks, an int64 and a key that is given twice would not survive another writer.
    const body = `{ "apiVersion":"v1", "kind":"Pod","metadata":{"name":"bytes"},
      "spec":{"activeDeadlineSeconds":2147483647,"terminationGracePeriodSeconds":9007199254740993,
      "containers":[{"name":"a","image":"nginx","image":"nginx:2"}]}}`;
    const answer = await gateway.request("POST", `${pods}?fieldValidation=Warn`, { body });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.text).toContain('"terminationGracePeriodSeconds":9007199254740993');
    expect(answer.headers["warning"]).toContain("duplicate field");
  });

  test("an int64 beside an imageSpec survives, in JSON and in YAML", async () => {
    const json = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"int64-json"},"spec":{
      "terminationGracePeriodSeconds":9007199254740993,
      "containers":[{"name":"a","imageSpec":{"dockerImage":{"registry":"quay.io","name":"a"}}}]}}`;
    const yaml = `apiVersion: v1
kind: Pod
metadata: {name: int64-yaml}
spec:
  terminationGracePeriodSeconds: 9007199254740993
  containers:
  - name: a
    imageSpec: {dockerImage: {registry: quay.io, name: a}}
    env: [{name: A, value: "on"}]
`;
    for (const [contentType, body] of [
      ["application/json", json],
      ["application/yaml", yaml],
    ] as const) {
      const answer = await gateway.request("POST", pods, { body, contentType });
      expect(answer.status, answer.text).toBe(201);
      expect(answer.text).toContain('"terminationGracePeriodSeconds":9007199254740993');
      expect(answer.text).toContain(
        '"image":"quay.io/a","imageSpec":{"dockerImage":{"registry":"quay.io","name":"a"}}',
      );
    }
  });

  test.each([
    { mode: "Strict", status: 400, warning: undefined },
    {
      mode: "Warn",
      status: 201,
      warning: expect.stringContaining('duplicate field \\"spec.hostname\\"') as unknown,
    },
    { mode: "Ignore", status: 201, warning: undefined },
  ])("a key given twice beside an imageSpec under $mode", async ({ mode, status, warning }) => {
    const body = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"twice-${mode.toLowerCase()}"},"spec":{
      "hostname":"a","hostname":"b",
      "containers":[{"name":"a","imageSpec":{"dockerImage":{"registry":"quay.io","name":"a"}}}]}}`;
    const answer = await gateway.request("POST", `${pods}?fieldValidation=${mode}`, { body });
    expect(answer.status, answer.text).toBe(status);
    expect(answer.headers["warning"]).toEqual(warning);
    if (status === 400) expect(answer.text).toContain('duplicate field \\"spec.hostname\\"');
  });

  test("an escaped key is read as what it spells", async () => {
    const body = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"escaped"},"spec":{
      "containers":[{"name":"a","image\\u0053pec":{"dockerImage":{"registry":"quay.io","name":"a"}}}]}}`;
    const answer = await gateway.request("POST", `${pods}?fieldValidation=Strict`, { body });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.text).toContain('"image":"quay.io/a"');
  });

  describe("what breaks a rule is told with its field", () => {
    test.each([
      {
        name: "both",
        container: {
          name: "a",
          image: "quay.io/a",
          imageSpec: { dockerImage: { registry: "quay.io", name: "a" } },
        },
        field: "spec.containers[0].imageSpec",
        reason: "FieldValueForbidden",
      },
      {
        name: "neither",
        container: { name: "a" },
        field: "spec.containers[0].image",
        reason: "FieldValueRequired",
      },
      {
        name: "no member",
        container: { name: "a", imageSpec: {} },
        field: "spec.containers[0].imageSpec",
        reason: "FieldValueRequired",
      },
      {
        name: "a name with a tag",
        container: { name: "a", imageSpec: { dockerImage: { registry: "quay.io", name: "a:1" } } },
        field: "spec.containers[0].imageSpec.dockerImage",
        reason: "FieldValueInvalid",
      },
      {
        name: "an unknown format",
        container: { name: "a", imageSpec: { fabric8: { name: "a" } } },
        field: "spec.containers[0].imageSpec.fabric8",
        reason: "FieldValueInvalid",
      },
    ])("$name", async ({ container, field, reason }) => {
      const answer = await gateway.request("POST", pods, { body: podOf("refused", [container]) });
      expect(answer.status).toBe(422);
      const status = JSON.parse(answer.text) as { reason: string; details: { causes: readonly object[] } };
      expect(status.reason).toBe("Invalid");
      expect(status.details.causes).toEqual([expect.objectContaining({ field, reason })]);
    });
  });

  test("what was read is created again, as from a backup, where both members agree", async () => {
    await gateway.post(pods, podOf("kept", [{ name: "etcd", imageSpec: etcdSpec }]));
    const { metadata, spec } = await gateway.get<Template & { metadata: { creationTimestamp: string } }>(
      `${pods}/kept`,
    );
    const { creationTimestamp, annotations } = metadata;
    const again = { name: "again", creationTimestamp, annotations };
    const restored = await gateway.request("POST", pods, {
      body: { apiVersion: "v1", kind: "Pod", metadata: again, spec },
    });
    expect(restored.status, restored.text).toBe(201);
    expect(containersOf(restored)).toEqual([expect.objectContaining({ imageSpec: etcdSpec })]);
    const other = { ...spec, containers: [{ ...spec.containers[0], image: "quay.io/other" }] };
    const refused = await gateway.request("POST", pods, {
      body: { apiVersion: "v1", kind: "Pod", metadata: again, spec: other },
    });
    expect(refused.status, refused.text).toBe(422);
  });

  test("a dry run keeps nothing", async () => {
    const answer = await gateway.request("POST", `${pods}?dryRun=All`, {
      body: podOf("dry", [{ name: "etcd", imageSpec: etcdSpec }]),
    });
    expect(answer.status, answer.text).toBe(201);
    expect(containersOf(answer)).toEqual([
      expect.objectContaining({ image: "coreos.com/etcd:v2.2.0", imageSpec: etcdSpec }),
    ]);
    expect((await cluster.api.request("GET", `${pods}/dry`)).status).toBe(404);
  });

  test("a status is written without a look at the specs sent along", async () => {
    await gateway.post(pods, podOf("status", [{ name: "etcd", imageSpec: etcdSpec }]));
    const read = await gateway.get(`${pods}/status`);
    const body = { ...read, status: { phase: "Running", message: "told" } };
    const answer = await gateway.request("PUT", `${pods}/status/status?fieldValidation=Strict`, { body });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.text).toContain('"message":"told"');
    expect(containersOf(answer)).toEqual([expect.objectContaining({ imageSpec: etcdSpec })]);
  });

  test("an ephemeral container may have a Docker image by its spec, and no ACI", async () => {
    await gateway.post(pods, podOf("debugged", [{ name: "a", image: "nginx" }]));
    const path = `${pods}/debugged/ephemeralcontainers`;
    const patch = async (imageSpec: object): Promise<ApiAnswer> =>
      gateway.request("PATCH", path, {
        contentType: patchTypes.strategic,
        body: { spec: { ephemeralContainers: [{ name: "debug", imageSpec }] } },
      });
    const refused = await patch(etcdSpec);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("spec.ephemeralContainers[0].imageSpec");
    const taken = await patch({ dockerImage: { registry: "quay.io", name: "debug", tag: "1" } });
    expect(taken.status, taken.text).toBe(200);
    const { spec } = await cluster.api.get<Template>(`${pods}/debugged`);
    expect(spec.ephemeralContainers?.map(({ image }) => image)).toEqual(["quay.io/debug:1"]);
  });

  test("who may patch and not read patches an image spec", async () => {
    await gateway.post(deployments, deploymentManifest("patched", [{ name: "a", image: "nginx" }]));
    expect((await limited.request("GET", `${deployments}/patched`)).status).toBe(403);
    const answer = await limited.request("PATCH", `${deployments}/patched`, {
      contentType: patchTypes.strategic,
      body: inTemplate([{ name: "a", imageSpec: { dockerImage: { tag: "2" } } }]),
    });
    expect(answer.status, answer.text).toBe(200);
    const put = await limited.request("PUT", `${deployments}/patched`, {
      body: deploymentManifest("patched", [{ name: "a", image: "nginx" }]),
    });
    expect(put.status).toBe(403);
  });

  test("an update that names no version wins over what is there, and loses nothing in between", async () => {
    await gateway.post(deployments, deploymentManifest("unversioned", [{ name: "a", image: "nginx" }]));
    const body = deploymentManifest("unversioned", [{ name: "a", imageSpec: etcdSpec }]);
    const answers = await Promise.all(
      Array.from({ length: 4 }, async () => gateway.request("PUT", `${deployments}/unversioned`, { body })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { template } = (
      await cluster.api.get<{ spec: { template: Template } }>(`${deployments}/unversioned`)
    ).spec;
    expect(template.metadata.annotations).toEqual({
      "image-spec.fairlead.dev/etcd": undefined,
      "image-spec.fairlead.dev/a": storedEtcd,
    });
  });

  test("a JSON patch that moves a container takes its spec along, and may set another image", async () => {
    const path = "/spec/template/spec/containers";
    await gateway.post(deployments, deploymentManifest("renamed", [{ name: "etcd", imageSpec: etcdSpec }]));
    const patched = async (...patch: readonly object[]): Promise<readonly WrittenContainer[]> => {
      const object = await gateway.patch<{ spec: { template: Template } }>(
        `${deployments}/renamed`,
        "json",
        patch,
      );
      return object.spec.template.spec.containers;
    };
    expect(
      await patched(
        { op: "copy", from: `${path}/0`, path: `${path}/-` },
        { op: "replace", path: `${path}/1/name`, value: "two" },
      ),
    ).toMatchObject([
      { name: "etcd", imageSpec: etcdSpec },
      { name: "two", imageSpec: etcdSpec },
    ]);
    expect(await patched({ op: "replace", path: `${path}/0/name`, value: "one" })).toMatchObject([
      { name: "one", imageSpec: etcdSpec },
      { name: "two", imageSpec: etcdSpec },
    ]);
    expect(
      await patched(
        { op: "replace", path: `${path}/-1/name`, value: "three" },
        { op: "replace", path: `${path}/1/image`, value: "nginx" },
      ),
    ).toMatchObject([{ imageSpec: etcdSpec }, { name: "three", image: "nginx" }]);
  });

  test("an update by the manifest that made the object changes nothing", async () => {
    const manifest = deploymentManifest("manifest", [{ name: "etcd", imageSpec: etcdSpec }]);
    await gateway.post(deployments, manifest);
    const before = await cluster.api.get(`${deployments}/manifest`);
    expect((await gateway.request("PUT", `${deployments}/manifest`, { body: manifest })).status).toBe(200);
    expect((await cluster.api.get(`${deployments}/manifest`))["spec"]).toEqual(before["spec"]);
  });

  test("server-side apply of what was read changes nothing", async () => {
    await gateway.post(
      deployments,
      deploymentManifest("applied-as-read", [
        { name: "etcd", imageSpec: etcdSpec },
        { name: "a", image: "nginx" },
      ]),
    );
    const { metadata, ...read } = await gateway.get(`${deployments}/applied-as-read`);
    const answer = await gateway.request("PATCH", `${deployments}/applied-as-read?fieldManager=test`, {
      contentType: patchTypes.apply,
      body: { ...read, metadata: { name: metadata.name } },
    });
    expect(answer.status, answer.text).toBe(200);
    expect((await gateway.get(`${deployments}/applied-as-read`))["spec"]).toEqual(read["spec"]);
  });

  test("a pod keeps its affinity, which cannot be changed, when its formats do", async () => {
    const dockerSpec = { dockerImage: { registry: "quay.io", name: "etcd" } };
    await gateway.post(pods, podOf("keeps", [{ name: "etcd", imageSpec: etcdSpec }]));
    const put = async (change: object): Promise<number> => {
      const read = await gateway.get<Template>(`${pods}/keeps`);
      const containers = read.spec.containers.map((container) => ({ ...container, ...change }));
      const body = { ...read, spec: { ...read.spec, containers } };
      return (await gateway.request("PUT", `${pods}/keeps`, { body })).status;
    };
    expect(await put({ image: "quay.io/etcd" })).toBe(200);
    expect(await put({ imageSpec: etcdSpec })).toBe(200);
    for (const imageSpec of [etcdSpec, dockerSpec, etcdSpec]) {
      const answer = await gateway.request("PATCH", `${pods}/keeps?fieldManager=test&force=true`, {
        contentType: patchTypes.apply,
        body: podOf("keeps", [{ name: "etcd", imageSpec }]),
      });
      expect(answer.status, answer.text).toBe(200);
      expect(containersOf(answer)).toEqual([expect.objectContaining({ imageSpec })]);
    }
    expect((await gateway.get<Template>(`${pods}/keeps`)).spec.affinity).toEqual(required(["aci"]));
  });

  test.each([
    {
      name: "a container becomes an ACI",
      first: [{ name: "a", image: "nginx" }],
      second: [{ name: "a", imageSpec: { aci: { name: "example.com/a" } } }],
    },
    { name: "a container goes", first: [{ name: "a", image: "nginx" }], second: [] },
  ])("server-side apply has the affinity at once where $name", async ({ name, first, second }) => {
    const etcd = { name: "etcd", imageSpec: etcdSpec };
    const title = name.replaceAll(" ", "-").toLowerCase();
    const apply = async (containers: readonly WrittenContainer[]): Promise<unknown> => {
      const answer = await gateway.request("PATCH", `${deployments}/${title}?fieldManager=test`, {
        contentType: patchTypes.apply,
        body: deploymentManifest(title, [etcd, ...containers]),
      });
      const { spec } = JSON.parse(answer.text) as { spec: { template: Template } };
      return spec.template.spec.affinity;
    };
    expect(await apply(first)).toEqual(required(["aci", "docker"]));
    expect(await apply(second)).toEqual(required(["aci"]));
    expect(await apply(second)).toEqual(required(["aci"]));
  });

  test("managers who apply containers of several formats have no conflict over the affinity", async () => {
    const other = { name: "b", imageSpec: { aci: { name: "example.com/b" } } };
    for (const [manager, containers] of [
      ["one", [{ name: "etcd", imageSpec: etcdSpec }]],
      ["two", [other]],
      ["two", [other, { name: "c", image: "nginx" }]],
      ["one", [{ name: "etcd", image: "nginx" }]],
    ] as const) {
      const answer = await gateway.request("PATCH", `${deployments}/managers?fieldManager=${manager}`, {
        contentType: patchTypes.apply,
        body: deploymentManifest("managers", containers),
      });
      expect(answer.status, answer.text).toSatisfy((status) => status === 200 || status === 201);
    }
  });

  test("a version that is no longer the object's is a conflict", async () => {
    await gateway.post(deployments, deploymentManifest("conflict", [{ name: "a", image: "nginx" }]));
    const metadata = { resourceVersion: "1" };
    for (const [type, body] of [
      ["strategic", { metadata, ...inTemplate([{ name: "a", imageSpec: etcdSpec, image: null }]) }],
      ["merge", { metadata, ...inTemplate([{ name: "a", imageSpec: etcdSpec }]) }],
      [
        "json",
        [
          { op: "replace", path: "/metadata/resourceVersion", value: "1" },
          { op: "replace", path: "/spec/template/spec/containers/0/imageSpec", value: etcdSpec },
        ],
      ],
    ] as const) {
      const answer = await gateway.request("PATCH", `${deployments}/conflict`, {
        contentType: patchTypes[type],
        body,
      });
      expect(answer.status, `${type}: ${answer.text}`).toBe(409);
    }
  });

  describe("nodes", () => {
    const own = {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "Exists" }] }],
        },
      },
    };

    test.each([
      { name: "an ACI", containers: [{ name: "etcd", imageSpec: etcdSpec }], affinity: required(["aci"]) },
      {
        name: "an ACI and a Docker image",
        containers: [
          { name: "etcd", imageSpec: etcdSpec },
          { name: "a", image: "nginx" },
        ],
        affinity: required(["aci", "docker"]),
      },
      { name: "Docker images", containers: [{ name: "a", image: "nginx" }], affinity: undefined },
      {
        name: "a node affinity of the user's",
        containers: [{ name: "etcd", imageSpec: etcdSpec }],
        given: own,
        affinity: own,
      },
    ])("$name", async ({ name, containers, given, affinity }) => {
      const body = podOf(`nodes-${name.toLowerCase().replaceAll(/[^a-z]+/gu, "-")}`, containers, given);
      const created = await gateway.post<Template>(pods, body);
      expect(created.spec.affinity).toEqual(affinity);
    });

    test("the affinity goes with the ACI, by every kind of patch", async () => {
      await gateway.post(deployments, deploymentManifest("moves", [{ name: "etcd", imageSpec: etcdSpec }]));
      const affinityNow = async (): Promise<object | undefined> =>
        (await cluster.api.get<{ spec: { template: Template } }>(`${deployments}/moves`)).spec.template.spec
          .affinity;
      const dockerSpec = { dockerImage: { registry: "quay.io", name: "etcd" } };
      const path = "/spec/template/spec/containers/0/imageSpec";
      expect(await affinityNow()).toEqual(required(["aci"]));
      for (const [type, toDocker, toAci] of [
        [
          "strategic",
          inTemplate([{ name: "etcd", image: null, imageSpec: dockerSpec }]),
          inTemplate([{ name: "etcd", image: null, imageSpec: etcdSpec }]),
        ],
        [
          "merge",
          inTemplate([{ name: "etcd", imageSpec: dockerSpec }]),
          inTemplate([{ name: "etcd", imageSpec: etcdSpec }]),
        ],
        ["json", [{ op: "replace", path, value: dockerSpec }], [{ op: "replace", path, value: etcdSpec }]],
      ] as const) {
        await gateway.patch(`${deployments}/moves`, type, toDocker);
        expect(await affinityNow(), type).toSatisfy(
          (affinity) =>
            JSON.stringify(affinity ?? {}) === "{}" || JSON.stringify(affinity) === '{"nodeAffinity":{}}',
        );
        await gateway.patch(`${deployments}/moves`, type, toAci);
        expect(await affinityNow(), type).toEqual(required(["aci"]));
      }
    });
  });

  describe("hostile bodies", () => {
    test("more than 3 MiB", async () => {
      const body = JSON.stringify(
        podOf("large", [{ name: "a", imageSpec: etcdSpec, image: "x".repeat(3 * 1024 * 1024) }]),
      );
      const answer = await gateway.request("POST", pods, { body });
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.text)).toMatchObject({ kind: "Status", reason: "RequestEntityTooLarge" });
    });

    test.each([
      { name: "deep lists", body: `{"imageSpec":${"[".repeat(200_000)}${"]".repeat(200_000)}}` },
      { name: "deep objects", body: `${'{"imageSpec":'.repeat(100_000)}1${"}".repeat(100_000)}` },
      { name: "an end that is missing", body: '{"spec":{"containers":[{"imageSpec":{' },
      { name: "no JSON", body: "imageSpec" },
      { name: "a list", body: '["imageSpec"]' },
      {
        name: "containers that are none",
        body: '{"apiVersion":"v1","kind":"Pod","spec":{"containers":{"imageSpec":1}}}',
      },
    ])("$name", async ({ body }) => {
      const answer = await gateway.request("POST", pods, { body });
      expect(answer.status, answer.text).toSatisfy((status) => status === 400 || status === 422);
      expect(JSON.parse(answer.text)).toMatchObject({ kind: "Status", status: "Failure" });
    });

    test("a JSON patch that copies without end", async () => {
      await gateway.post(deployments, deploymentManifest("copied", [{ name: "a", image: "nginx" }]));
      const copies = Array.from({ length: 60 }, () => ({
        op: "copy",
        from: "/spec/template/spec/containers",
        path: "/spec/template/spec/containers/0/imageSpec",
      }));
      const answer = await gateway.request("PATCH", `${deployments}/copied`, {
        contentType: patchTypes.json,
        body: copies,
      });
      expect(answer.status).toBe(422);
      expect(JSON.parse(answer.text)).toMatchObject({ kind: "Status", reason: "Invalid" });
    });
  });
});

function podOf(name: string, containers: readonly WrittenContainer[], affinity?: object): object {
  return { apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { containers, affinity } };
}

function inTemplate(containers: readonly object[]): object {
  return { spec: { template: { spec: { containers } } } };
}

function containersOf(answer: ApiAnswer): readonly WrittenContainer[] {
  return (JSON.parse(answer.text) as Template).spec.containers;
}

function required(formats: readonly string[]): object {
  return {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          {
            matchExpressions: formats.map((format) => ({
              key: `image-format.fairlead.dev/${format}`,
              operator: "In",
              values: ["true"],
            })),
          },
        ],
      },
    },
  };
}
