import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type ApiClient,
  type ApiObject,
  createApiClient,
  patchTypes,
} from "../support/kubernetes/api-client.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { createTranslate } from "../../src/imagespec/gateway/translate.ts";
import { type ModelContainer, pickImage, pickSpec, withTag } from "../support/image-model.ts";
import { type KubernetesCluster, startKubernetes } from "../support/kubernetes.ts";
import { deploymentManifest, type WrittenContainer } from "../support/kubernetes/workloads.ts";
import { createRandom, type Random } from "../support/random.ts";
import { describeWithTools } from "../support/tools.ts";

const sequences = 2000;
const operations = 6;
const workers = 4;
const namespace = "fuzz";

interface Workload extends ApiObject {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly ModelContainer[] } } };
}

/** An operation: what is sent, and what the containers are afterwards; undefined where it is refused. */
interface Operation {
  readonly name: string;
  readonly run: (at: Sequence) => Promise<number>;
  readonly expected: readonly ModelContainer[] | undefined;
  /** Whether nothing may change, not even the generation. */
  readonly isNoOperation?: boolean;
}

interface Sequence {
  readonly path: string;
  readonly name: string;
  readonly gateway: ApiClient;
  readonly direct: ApiClient;
}

await describeWithTools(["etcd", "kube-apiserver", "openssl"], "sequences of writes", (programs) => {
  let cluster: KubernetesCluster;
  let server: TestGateway;
  let gateway: ApiClient;

  beforeAll(async () => {
    cluster = await startKubernetes(programs);
    const { certificateFile, keyFile } = await cluster.authority.issue("gateway");
    server = await startTestGateway(cluster.url, {
      translate: createTranslate(),
      upstreamCaFile: cluster.caFile,
      tls: { cert: certificateFile, key: keyFile },
    });
    gateway = createApiClient({
      url: server.url,
      caFile: cluster.authority.certificateFile,
      token: cluster.token,
    });
    await cluster.createNamespace(namespace);
  });

  afterAll(async () => {
    gateway.close();
    await server.stop(0);
    await cluster.stop();
  });

  test(`${sequences} sequences leave what the model says`, async () => {
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < sequences) await runSequence(next++, gateway, cluster.api);
    };
    await Promise.all(Array.from({ length: workers }, work));
  }, 1_200_000);

  test("no write is lost when many patch one object", async () => {
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const names = Array.from({ length: 12 }, (_, index) => `c${index}`);
    await gateway.post(
      path,
      deploymentManifest(
        "busy",
        names.map((name) => ({ name, image: "nginx" })),
      ),
    );
    await Promise.all(
      names.map(async (name, index) => {
        const tag = `v${index}`;
        const containers = [{ name, imageSpec: { dockerImage: { tag } } }];
        const answer =
          index % 2 === 0
            ? await gateway.request("PATCH", `${path}/busy`, {
                contentType: patchTypes.strategic,
                body: { spec: { template: { spec: { containers } } } },
              })
            : await gateway.request("PATCH", `${path}/busy`, {
                contentType: patchTypes.json,
                body: [
                  {
                    op: "add",
                    path: `/spec/template/spec/containers/${index}/imageSpec/dockerImage/tag`,
                    value: tag,
                  },
                ],
              });
        expect(answer.status, answer.text).toBe(200);
      }),
    );
    const object = await cluster.api.get<Workload>(`${path}/busy`);
    expect(object.spec.template.spec.containers.map(({ image }) => image)).toEqual(
      names.map((_, index) => `docker.io/library/nginx:v${index}`),
    );
  }, 60_000);
});

async function runSequence(seed: number, gateway: ApiClient, direct: ApiClient): Promise<void> {
  const random = createRandom(`gateway ${seed}`);
  const name = `s${seed}`;
  const collection = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const at: Sequence = { path: `${collection}/${name}`, name, gateway, direct };
  let model: readonly ModelContainer[] = [pickContainer("a", random), pickContainer("b", random)];
  while (isAmbiguous(model)) model = [pickContainer("a", random), pickContainer("b", random)];
  const trail: string[] = [`create ${JSON.stringify(model)}`];
  const created = await gateway.request("POST", collection, {
    body: deploymentManifest(
      name,
      model.map((container) => asWritten(container)),
    ),
  });
  expect(created.status, created.text).toBe(201);
  await check(at, model, trail);
  for (let count = 0; count < operations; count++) {
    const operation = pickOperation(model, at, random);
    trail.push(`${operation.name} → ${JSON.stringify(operation.expected ?? "refused")}`);
    const isRefused = operation.expected === undefined || isAmbiguous(operation.expected);
    const before = await direct.get(at.path);
    const status = await operation.run(at);
    const told = `seed ${seed}\n${trail.join("\n")}`;
    expect(status, told).toBe(isRefused ? 422 : 200);
    if (!isRefused && operation.expected !== undefined) model = operation.expected;
    const after = await check(at, model, trail);
    if (isRefused || operation.isNoOperation === true) {
      expect(after.metadata.generation, told).toBe(before.metadata.generation);
      expect(after["spec"], told).toEqual(before["spec"]);
    }
  }
  await direct.delete(at.path);
}

/** Both views agree with the model, and with each other in all but `imageSpec`. */
async function check(
  { path, gateway, direct }: Sequence,
  model: readonly ModelContainer[],
  trail: readonly string[],
): Promise<ApiObject> {
  const told = trail.join("\n");
  const [oldView, newView] = await Promise.all([direct.get<Workload>(path), gateway.get<Workload>(path)]);
  expect(newView.spec.template.spec.containers.map(imageOf), told).toEqual(model.map(imageOf));
  const withoutSpecs = structuredClone(newView) as unknown as {
    spec: { template: { spec: { containers: object[] } } };
  };
  for (const container of withoutSpecs.spec.template.spec.containers)
    Reflect.deleteProperty(container, "imageSpec");
  expect(withoutSpecs, told).toEqual(oldView);
  return oldView;
}

function imageOf({ name, image, imageSpec }: ModelContainer): ModelContainer {
  return { name, image, imageSpec };
}

function pickContainer(name: string, random: Random): ModelContainer {
  return { name, ...(random.below(2) === 0 ? pickImage(random) : pickSpec(random)) };
}

/** A container as those write it who create: by the image where it tells the spec, else by the spec. */
function asWritten({ name, image, imageSpec }: ModelContainer): WrittenContainer {
  return isToldByImage(image, imageSpec) ? { name, image } : { name, imageSpec };
}

function isToldByImage(image: string, { dockerImage }: ModelContainer["imageSpec"]): boolean {
  return (
    dockerImage !== undefined &&
    image !== `docker.io/${dockerImage.name}${dockerImage.tag === undefined ? "" : `:${dockerImage.tag}`}`
  );
}

/** One string in two formats, which a runtime could not tell apart. */
function isAmbiguous(model: readonly ModelContainer[]): boolean {
  return model.some(({ image, imageSpec }) =>
    model.some(
      (other) =>
        other.image === image && (other.imageSpec.aci === undefined) !== (imageSpec.aci === undefined),
    ),
  );
}

function pickOperation(model: readonly ModelContainer[], at: Sequence, random: Random): Operation {
  const index = random.below(model.length);
  const target = model[index] as ModelContainer;
  const becomes = (change: Omit<ModelContainer, "name">): readonly ModelContainer[] =>
    model.map((container) => (container === target ? { ...container, ...change } : container));
  const image = pickImage(random);
  const spec = pickSpec(random);
  const tag = `t${random.below(3)}`;
  const field = `/spec/template/spec/containers/${index}`;
  const { name } = target;
  return random.pick<() => Operation>([
    () => ({
      name: "PUT of what was read",
      run: putChanged(() => ({})),
      expected: model,
      isNoOperation: true,
    }),
    () => ({
      name: `PUT another image ${image.image} of ${name}`,
      run: putChanged((container) => (container.name === name ? { image: image.image } : {})),
      expected: image.image === target.image ? model : becomes(image),
    }),
    () => ({
      name: `PUT another spec ${spec.image} of ${name}`,
      run: putChanged((container) => (container.name === name ? { imageSpec: spec.imageSpec } : {})),
      expected: becomes({ ...spec, image: keptImage(target, spec) }),
    }),
    () => ({
      name: `PUT both alike ${spec.image} of ${name}`,
      run: putChanged((container) => (container.name === name ? spec : {})),
      expected: becomes(spec),
    }),
    () => ({
      name: `PUT both unlike of ${name}`,
      run: putChanged((container) =>
        container.name === name
          ? { image: "quay.io/other/image:9", imageSpec: { aci: { name: "other.example/image" } } }
          : {},
      ),
      expected: undefined,
    }),
    () => ({
      name: `strategic: image ${image.image} of ${name}`,
      run: patch("strategic", inTemplate([{ name, image: image.image }])),
      expected: image.image === target.image ? model : becomes(image),
    }),
    () => ({
      name: `strategic: image for spec ${spec.image} of ${name}`,
      run: patch("strategic", inTemplate([{ name, image: null, imageSpec: spec.imageSpec }])),
      expected: becomes(mergedSpec(target, spec.imageSpec)),
    }),
    () => ({
      name: `strategic: tag ${tag} of ${name}`,
      run: patch(
        "strategic",
        inTemplate([
          {
            name,
            imageSpec: target.imageSpec.aci === undefined ? { dockerImage: { tag } } : { aci: { tag } },
          },
        ]),
      ),
      expected: becomes(withTag(target, tag)),
    }),
    () => ({
      name: `strategic: spec of ${name} gives way to image ${image.image}`,
      run: patch("strategic", inTemplate([{ name, image: image.image, imageSpec: null }])),
      expected: becomes(image),
    }),
    () => ({
      name: "strategic: labels alone",
      run: patch("strategic", { metadata: { labels: { round: tag } } }),
      expected: model,
      isNoOperation: true,
    }),
    () => ({
      name: `merge: the list, with spec ${spec.image} of ${name}`,
      run: patch(
        "merge",
        inTemplate(
          model.map((container) => (container === target ? { name, imageSpec: spec.imageSpec } : container)),
        ),
      ),
      expected: becomes(spec),
    }),
    () => ({
      name: "merge: the list as it is",
      run: patchAsRead("merge"),
      expected: model,
      isNoOperation: true,
    }),
    () => ({
      name: `JSON: tag ${tag} of ${name}`,
      run: patch("json", [
        {
          op: "add",
          path: `${field}/imageSpec/${target.imageSpec.aci === undefined ? "dockerImage" : "aci"}/tag`,
          value: tag,
        },
      ]),
      expected: becomes(withTag(target, tag)),
    }),
    () => ({
      name: `JSON: spec ${spec.image} of ${name}`,
      run: patch("json", [{ op: "replace", path: `${field}/imageSpec`, value: spec.imageSpec }]),
      expected: becomes({ ...spec, image: keptImage(target, spec) }),
    }),
    () => ({
      name: `JSON: image ${image.image} of ${name}`,
      run: patch("json", [{ op: "replace", path: `${field}/image`, value: image.image }]),
      expected: image.image === target.image ? model : becomes(image),
    }),
    () => ({
      name: `JSON: a test of ${name} that fails`,
      run: patch("json", [
        { op: "test", path: `${field}/imageSpec`, value: { aci: { name: "no.example/such" } } },
      ]),
      expected: undefined,
    }),
    () => ({
      name: "apply: all of it",
      run: apply(at.name, model),
      expected: model,
    }),
    () => ({
      name: `apply: spec ${spec.image} of ${name}`,
      run: apply(at.name, becomes(spec)),
      expected: becomes(spec),
    }),
    () => ({
      name: `image ${image.image} of ${name} behind the gateway's back`,
      run: async ({ direct, path }) =>
        statusOf(
          direct.request("PATCH", path, {
            contentType: patchTypes.strategic,
            body: inTemplate([{ name, image: image.image }]),
          }),
        ),
      expected: image.image === target.image ? model : becomes(image),
    }),
  ])();
}

/** A spec that is derived from the image already leaves the image as it is written. */
function keptImage(target: ModelContainer, spec: Omit<ModelContainer, "name">): string {
  return JSON.stringify(target.imageSpec) === JSON.stringify(spec.imageSpec) ? target.image : spec.image;
}

/** A strategic merge patch of a spec merges with what is shown, if that is of the same format. */
function mergedSpec(
  { imageSpec }: ModelContainer,
  patched: ModelContainer["imageSpec"],
): Omit<ModelContainer, "name"> {
  const merged: ModelContainer["imageSpec"] =
    patched.aci === undefined
      ? { dockerImage: { ...imageSpec.dockerImage, ...(patched.dockerImage ?? { registry: "", name: "" }) } }
      : { aci: { ...imageSpec.aci, ...patched.aci } };
  const { name = "", tag } = merged.dockerImage ?? merged.aci ?? {};
  const path = merged.dockerImage === undefined ? name : `${merged.dockerImage.registry}/${name}`;
  return { imageSpec: merged, image: tag === undefined ? path : `${path}:${tag}` };
}

function inTemplate(containers: readonly object[]): object {
  return { spec: { template: { spec: { containers } } } };
}

function putChanged(change: (container: ModelContainer) => object): Operation["run"] {
  return async ({ gateway, path }) => {
    const read = await gateway.get<Workload>(path);
    const containers = read.spec.template.spec.containers.map((container) => ({
      ...container,
      ...change(container),
    }));
    const template = { ...read.spec.template, spec: { ...read.spec.template.spec, containers } };
    return statusOf(gateway.request("PUT", path, { body: { ...read, spec: { ...read.spec, template } } }));
  };
}

function patchAsRead(type: "merge"): Operation["run"] {
  return async ({ gateway, path }) => {
    const { containers } = (await gateway.get<Workload>(path)).spec.template.spec;
    return statusOf(
      gateway.request("PATCH", path, { contentType: patchTypes[type], body: inTemplate(containers) }),
    );
  };
}

function patch(type: keyof typeof patchTypes, body: unknown): Operation["run"] {
  return async ({ gateway, path }) =>
    statusOf(gateway.request("PATCH", path, { contentType: patchTypes[type], body }));
}

function apply(name: string, model: readonly ModelContainer[]): Operation["run"] {
  return async ({ gateway, path }) =>
    statusOf(
      gateway.request("PATCH", `${path}?fieldManager=fuzz&force=true`, {
        contentType: patchTypes.apply,
        body: deploymentManifest(name, model.map(asWritten)),
      }),
    );
}

async function statusOf(answer: Promise<{ readonly status: number }>): Promise<number> {
  return (await answer).status;
}
