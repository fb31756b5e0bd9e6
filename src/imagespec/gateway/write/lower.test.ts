import { describe, expect, test } from "vitest";
import { formatFieldProblem } from "../../convert/field-problem.ts";
import { workloadOfKind, type Workload } from "../../convert/workloads.ts";
import {
  cloneObject,
  fromPlain,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberAt,
  toPlain,
} from "../../json/value.ts";
import { lowerTemplate } from "./lower-template.ts";
import { requiredNodes, requirementsFor, settleNodeAffinity } from "./node-affinity.ts";
import { lowerSchemalessPatch } from "./simulated-patch.ts";
import { lowerStrategicPatch } from "./strategic-patch.ts";
import { readLiveContainers, templateAt } from "./template-images.ts";

const deployment = workloadOfKind("apps/v1", "Deployment") as Workload;
const pod = workloadOfKind("v1", "Pod") as Workload;

const key = (container: string): string => `image-spec.fairlead.dev/${container}`;
const docker = (registry: string, name: string, tag?: string): object => ({
  dockerImage: { registry, name, tag },
});
const aci = (name: string, tag?: string): object => ({ aci: { name, tag } });
const etcdStored =
  '{"image":"coreos.com/etcd:v2.2.0","imageSpec":{"aci":{"name":"coreos.com/etcd","tag":"v2.2.0"}}}';

interface Container {
  readonly name: string;
  readonly image?: string | null | undefined;
  readonly imageSpec?: unknown;
}

function template(containers: readonly Container[], annotations: Record<string, string> = {}): JsonObject {
  return fromPlain({ metadata: { annotations }, spec: { containers } }) as JsonObject;
}

function deploymentOf(
  containers: readonly Container[],
  annotations: Record<string, string> = {},
): JsonObject {
  return new Map<string, JsonValue>([
    ["metadata", fromPlain({ name: "web", resourceVersion: "7" })],
    ["spec", new Map<string, JsonValue>([["template", template(containers, annotations)]])],
  ]);
}

function containersIn(object: JsonValue | undefined): unknown {
  return toPlain(memberAt(object, ["spec", "containers"]));
}

function create(containers: readonly Container[]): { template: JsonObject; problems: readonly string[] } {
  const made = template(containers);
  const problems = lowerTemplate(made, {
    live: new Map(),
    allowsBoth: false,
    missingIsRemoved: false,
    keepsAnnotations: true,
    fieldPrefix: "",
  });
  return { template: made, problems: problems.map(formatFieldProblem) };
}

function patchOf(container: object, metadata: object = {}): JsonObject {
  return fromPlain({ metadata, spec: { template: { spec: { containers: [container] } } } }) as JsonObject;
}

function applied(container: object): object {
  return {
    annotations: {
      "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify({
        spec: { template: { spec: { containers: [container] } } },
      }),
    },
  };
}

function at(path: string): string {
  return `/spec/template/spec/containers/${path}`;
}

describe("what is created", () => {
  test.each([
    {
      name: "an image alone stays",
      containers: [{ name: "a", image: "nginx" }],
      images: [{ name: "a", image: "nginx" }],
      annotations: {},
    },
    {
      name: "a Docker image that its string tells has no annotation",
      containers: [{ name: "a", imageSpec: docker("docker.io", "test-repo/foo") }],
      images: [{ name: "a", image: "docker.io/test-repo/foo" }],
      annotations: {},
    },
    {
      name: "a short official image has one, since its user's spelling is shown",
      containers: [{ name: "a", imageSpec: docker("docker.io", "nginx") }],
      images: [{ name: "a", image: "docker.io/nginx" }],
      annotations: {
        [key("a")]:
          '{"image":"docker.io/nginx","imageSpec":{"dockerImage":{"registry":"docker.io","name":"nginx"}}}',
      },
    },
    {
      name: "an ACI has one",
      containers: [{ name: "etcd", imageSpec: aci("coreos.com/etcd", "v2.2.0") }],
      images: [{ name: "etcd", image: "coreos.com/etcd:v2.2.0" }],
      annotations: { [key("etcd")]: etcdStored },
    },
    {
      name: "a null spec is none",
      containers: [{ name: "a", image: "nginx", imageSpec: null }],
      images: [{ name: "a", image: "nginx" }],
      annotations: {},
    },
    {
      name: "an empty image is none",
      containers: [{ name: "a", image: "", imageSpec: docker("quay.io", "a") }],
      images: [{ name: "a", image: "quay.io/a" }],
      annotations: {},
    },
  ])("$name", ({ containers, images, annotations }) => {
    const { template: made, problems } = create(containers);
    expect(problems).toEqual([]);
    expect(containersIn(made)).toEqual(images);
    expect(toPlain(memberAt(made, ["metadata", "annotations"]))).toEqual(annotations);
  });

  test.each([
    {
      name: "both",
      container: { name: "a", image: "quay.io/a", imageSpec: docker("quay.io", "a") },
      problem: /^spec\.containers\[0\]\.imageSpec: Forbidden: may not be set together with image/u,
    },
    {
      name: "no member",
      container: { name: "a", imageSpec: {} },
      problem: /^spec\.containers\[0\]\.imageSpec: Required value: exactly one/u,
    },
    {
      name: "two members",
      container: { name: "a", imageSpec: { ...docker("quay.io", "a"), ...aci("a") } },
      problem: /^spec\.containers\[0\]\.imageSpec: Invalid value: .*exactly one/u,
    },
    {
      name: "a registry that is none",
      container: { name: "a", imageSpec: docker("myhost", "x") },
      problem: /^spec\.containers\[0\]\.imageSpec\.dockerImage: Invalid value: .*do not make up/u,
    },
    {
      name: "a tag in the name",
      container: { name: "a", imageSpec: docker("quay.io", "x:1") },
      problem: /^spec\.containers\[0\]\.imageSpec\.dockerImage: Invalid value/u,
    },
  ])("$name is refused", ({ container, problem }) => {
    const { problems } = create([container]);
    expect(problems).toEqual([expect.stringMatching(problem)]);
  });

  test("one image string in two formats is refused", () => {
    const { problems } = create([
      { name: "a", image: "coreos.com/etcd:v2.2.0" },
      { name: "b", imageSpec: aci("coreos.com/etcd", "v2.2.0") },
    ]);
    expect(problems).toEqual([expect.stringContaining("spec.containers[1].image: Invalid value")]);
  });
});

describe("what is updated", () => {
  const live = template(
    [
      { name: "etcd", image: "coreos.com/etcd:v2.2.0" },
      { name: "web", image: "nginx" },
    ],
    { [key("etcd")]: etcdStored, other: "kept" },
  );
  const webSpec = docker("docker.io", "library/nginx");
  const etcdSpec = aci("coreos.com/etcd", "v2.2.0");
  const etcd = { name: "etcd", image: "coreos.com/etcd:v2.2.0", imageSpec: etcdSpec };

  test.each([
    { name: "nothing", written: { name: "web", image: "nginx", imageSpec: webSpec }, image: "nginx" },
    { name: "the image", written: { name: "web", image: "nginx:2", imageSpec: webSpec }, image: "nginx:2" },
    {
      name: "the spec",
      written: { name: "web", image: "nginx", imageSpec: docker("quay.io", "a") },
      image: "quay.io/a",
    },
    {
      name: "both alike",
      written: { name: "web", image: "quay.io/a", imageSpec: docker("quay.io", "a") },
      image: "quay.io/a",
    },
    {
      name: "an image that was an ACI",
      written: { ...etcd, image: "quay.io/etcd" },
      image: "quay.io/etcd",
      stored: null,
    },
    {
      name: "an ACI's tag",
      written: { ...etcd, imageSpec: aci("coreos.com/etcd", "v3") },
      image: "coreos.com/etcd:v3",
      stored: '{"image":"coreos.com/etcd:v3","imageSpec":{"aci":{"name":"coreos.com/etcd","tag":"v3"}}}',
    },
    { name: "nothing of an ACI", written: etcd, image: etcd.image, stored: etcdStored },
  ])("$name", ({ written, image, stored }) => {
    const update = template([written], { [key("etcd")]: etcdStored, other: "kept" });
    const problems = lowerTemplate(update, {
      live: readLiveContainers(live),
      allowsBoth: true,
      missingIsRemoved: false,
      keepsAnnotations: true,
      fieldPrefix: "spec.template.",
    });
    expect(problems).toEqual([]);
    expect(containersIn(update)).toEqual([{ name: written.name, image }]);
    const annotations = toPlain(memberAt(update, ["metadata", "annotations"])) as Record<string, string>;
    expect(annotations["other"]).toBe("kept");
    expect(annotations[key("etcd")]).toBe(stored === null ? undefined : (stored ?? etcdStored));
  });

  test("both differently is refused", () => {
    const update = template([{ name: "web", image: "nginx:2", imageSpec: docker("quay.io", "a") }]);
    const problems = lowerTemplate(update, {
      live: readLiveContainers(live),
      allowsBoth: true,
      missingIsRemoved: false,
      keepsAnnotations: true,
      fieldPrefix: "spec.template.",
    });
    expect(problems.map(formatFieldProblem)).toEqual([
      expect.stringMatching(/^spec\.template\.spec\.containers\[0\]\.imageSpec: .*stands for quay\.io\/a/u),
    ]);
  });
});

describe("strategic merge patches", () => {
  const object = deploymentOf(
    [
      { name: "etcd", image: "coreos.com/etcd:v2.2.0" },
      { name: "web", image: "nginx:1" },
    ],
    { [key("etcd")]: etcdStored },
  );
  test.each([
    {
      name: "an image for a spec",
      patch: patchOf({ name: "web", image: null, imageSpec: docker("quay.io", "web", "2") }),
      container: { name: "web", image: "quay.io/web:2" },
      annotations: undefined,
    },
    {
      name: "a tag alone",
      patch: patchOf({ name: "web", imageSpec: { dockerImage: { tag: "2" } } }),
      container: { name: "web", image: "docker.io/library/nginx:2" },
      annotations: undefined,
    },
    {
      name: "an ACI's tag alone",
      patch: patchOf({ name: "etcd", imageSpec: { aci: { tag: "v3" } } }),
      container: { name: "etcd", image: "coreos.com/etcd:v3" },
      annotations: {
        [key("etcd")]:
          '{"image":"coreos.com/etcd:v3","imageSpec":{"aci":{"name":"coreos.com/etcd","tag":"v3"}}}',
      },
    },
    {
      name: "a Docker image becomes an ACI although its derived spec stays",
      patch: patchOf({ name: "web", image: null, imageSpec: aci("example.com/web") }),
      container: { name: "web", image: "example.com/web" },
      annotations: {
        [key("web")]: '{"image":"example.com/web","imageSpec":{"aci":{"name":"example.com/web"}}}',
      },
    },
    {
      name: "an ACI becomes an image",
      patch: patchOf({ name: "etcd", image: "quay.io/etcd:1", imageSpec: null }),
      container: { name: "etcd", image: "quay.io/etcd:1" },
      annotations: { [key("etcd")]: null },
    },
    {
      name: "kubectl apply drops the tag with the image, and tells so in its annotation alone",
      patch: patchOf(
        { name: "web", image: null },
        applied({ name: "web", imageSpec: docker("docker.io", "library/nginx") }),
      ),
      container: { name: "web", image: "docker.io/library/nginx" },
      annotations: undefined,
    },
    {
      name: "an image that goes without a spec stays",
      patch: patchOf({ name: "web", image: null }),
      container: { name: "web" },
      annotations: undefined,
    },
    {
      name: "keys that are not retained go",
      patch: patchOf({
        name: "web",
        imageSpec: { dockerImage: { name: "a/b", $retainKeys: ["registry", "name"] } },
      }),
      container: { name: "web", image: "docker.io/a/b" },
      annotations: undefined,
    },
    {
      name: "a container that is removed",
      patch: patchOf({ name: "etcd", $patch: "delete" }),
      container: { name: "etcd", $patch: "delete" },
      annotations: { [key("etcd")]: null },
    },
    {
      name: "a container that stays as it is",
      patch: patchOf({ name: "etcd", imageSpec: aci("coreos.com/etcd", "v2.2.0") }),
      container: { name: "etcd", image: "coreos.com/etcd:v2.2.0" },
      annotations: undefined,
    },
  ])("$name", ({ patch, container, annotations }) => {
    expect(lowerStrategicPatch(patch, object, deployment, true)).toEqual([]);
    expect(toPlain(memberAt(patch, ["spec", "template", "spec", "containers"]))).toEqual([container]);
    expect(toPlain(memberAt(patch, ["spec", "template", "metadata", "annotations"]))).toEqual(annotations);
  });

  const etcd = { name: "etcd", imageSpec: aci("coreos.com/etcd", "v2.2.0") };
  test.each([
    {
      name: "an annotation that kubectl apply takes away with the image",
      template: { metadata: { annotations: { [key("etcd")]: null } }, spec: { containers: [etcd] } },
      annotations: { [key("etcd")]: etcdStored },
    },
    {
      name: "annotations that are removed",
      template: { metadata: { annotations: null }, spec: { containers: [etcd] } },
      annotations: { $patch: "replace", [key("etcd")]: etcdStored },
    },
    {
      name: "annotations that are replaced",
      template: { metadata: { annotations: { $patch: "replace" } }, spec: { containers: [etcd] } },
      annotations: { $patch: "replace", [key("etcd")]: etcdStored },
    },
    {
      name: "a template that is replaced",
      template: { $patch: "replace", spec: { containers: [etcd] } },
      annotations: { [key("etcd")]: etcdStored },
    },
    {
      name: "a container that moves up to another list",
      template: { spec: { initContainers: [etcd], containers: [{ name: "etcd", $patch: "delete" }] } },
      annotations: { [key("etcd")]: etcdStored },
    },
    {
      name: "an image and the annotation written for a spec",
      template: {
        metadata: { annotations: { [key("etcd")]: etcdStored } },
        spec: { containers: [{ name: "etcd", image: "coreos.com/etcd:v2.2.0", imageSpec: null }] },
      },
      annotations: { [key("etcd")]: etcdStored },
    },
  ])("an ACI stays: $name", ({ template: written, annotations }) => {
    const patch = fromPlain({ spec: { template: written } }) as JsonObject;
    expect(lowerStrategicPatch(patch, object, deployment, true)).toEqual([]);
    expect(toPlain(memberAt(patch, ["spec", "template", "metadata", "annotations"]))).toEqual(annotations);
  });

  test("an ACI stays where kubectl apply writes its annotation for its spec", () => {
    const patch = patchOf(
      { name: "etcd", imageSpec: null },
      {
        annotations: {
          "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify({
            spec: { template: { metadata: { annotations: { [key("etcd")]: etcdStored } } } },
          }),
        },
      },
    );
    expect(lowerStrategicPatch(patch, object, deployment, true)).toEqual([]);
    expect(memberAt(patch, ["spec", "template", "metadata"])).toBeUndefined();
  });

  test("a spec that is replaced whole has its node affinity again", () => {
    const patch = fromPlain({
      spec: { template: { spec: { $patch: "replace", containers: [etcd] } } },
    }) as JsonObject;
    lowerStrategicPatch(patch, object, deployment, true);
    expect(requiredNodes(templateAt(patch, deployment.templatePath))).toEqual(
      requirementsFor(new Set(["aci"])),
    );
  });

  test("an affinity that kubectl apply takes away is there again", () => {
    const live = cloneObject(object);
    settleNodeAffinity(
      templateAt(live, deployment.templatePath) ?? new Map(),
      new Set(["aci", "dockerImage"]),
    );
    const patch = patchOf({ ...etcd, image: null });
    (memberAt(patch, ["spec", "template", "spec"]) as JsonObject).set("affinity", null);
    lowerStrategicPatch(patch, live, deployment, true);
    const affinity = memberAt(patch, ["spec", "template", "spec", "affinity"]);
    expect(isJsonObject(affinity) && affinity.get("$patch")).toBe("replace");
    expect(requiredNodes(templateAt(patch, deployment.templatePath))).toEqual(
      requirementsFor(new Set(["aci", "dockerImage"])),
    );
  });

  test("an ACI brings its node affinity, and takes it away", () => {
    const patch = patchOf({ name: "web", image: null, imageSpec: aci("example.com/web") });
    const required = ["spec", "template", "spec", "affinity", "nodeAffinity"];
    lowerStrategicPatch(patch, deploymentOf([{ name: "web", image: "nginx" }]), deployment, true);
    const affinity = memberAt(patch, required);
    expect(toPlain(affinity)).toEqual({
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          {
            matchExpressions: [{ key: "image-format.fairlead.dev/aci", operator: "In", values: ["true"] }],
          },
        ],
      },
    });
    const live = deploymentOf([{ name: "web", image: "example.com/web" }], {
      [key("web")]: '{"image":"example.com/web","imageSpec":{"aci":{"name":"example.com/web"}}}',
    });
    const spec = memberAt(live, ["spec", "template", "spec"]) as JsonObject;
    spec.set("affinity", new Map([["nodeAffinity", affinity ?? null]]));
    const back = patchOf({ name: "web", image: "nginx", imageSpec: null });
    lowerStrategicPatch(back, live, deployment, true);
    expect(toPlain(memberAt(back, required))).toEqual({
      requiredDuringSchedulingIgnoredDuringExecution: null,
    });
  });

  test("one image string in two formats is refused", () => {
    const patch = patchOf({ name: "web", image: "coreos.com/etcd:v2.2.0", imageSpec: null });
    const problems = lowerStrategicPatch(patch, object, deployment, true);
    expect(problems.map(({ field }) => field)).toEqual(["spec.template.spec.containers[web].image"]);
  });

  test("an ephemeral container is no ACI", () => {
    const patch = fromPlain({
      spec: { ephemeralContainers: [{ name: "debug", imageSpec: aci("a.example/b") }] },
    }) as JsonObject;
    const problems = lowerStrategicPatch(patch, template([{ name: "a", image: "nginx" }]), pod, false);
    expect(problems.map(({ field }) => field)).toEqual(["spec.ephemeralContainers[0].imageSpec"]);
  });
});

describe("schemaless patches", () => {
  const object = deploymentOf(
    [
      { name: "etcd", image: "coreos.com/etcd:v2.2.0" },
      { name: "web", image: "nginx:1" },
    ],
    { [key("etcd")]: etcdStored },
  );
  test.each([
    {
      name: "a tag",
      patch: [{ op: "replace", path: at("1/imageSpec/dockerImage/tag"), value: "2" }],
      changes: [{ op: "replace", path: at("1/image"), value: "docker.io/library/nginx:2" }],
    },
    {
      name: "a test that holds",
      patch: [
        { op: "test", path: at("1/imageSpec/dockerImage/tag"), value: "1" },
        { op: "replace", path: "/metadata/name", value: "web" },
      ],
      changes: [],
    },
    {
      name: "an ACI's spec that is removed leaves a Docker image",
      patch: [{ op: "remove", path: at("0/imageSpec") }],
      changes: [{ op: "remove", path: "/spec/template/metadata/annotations/image-spec.fairlead.dev~1etcd" }],
    },
    {
      name: "a spec that is copied to another container",
      patch: [{ op: "copy", from: at("0/imageSpec"), path: at("1/imageSpec") }],
      changes: expect.arrayContaining([
        { op: "replace", path: at("1/image"), value: "coreos.com/etcd:v2.2.0" },
      ]) as unknown,
    },
    {
      name: "a container that is copied and renamed has its spec with it",
      patch: [
        { op: "copy", from: at("0"), path: at("1") },
        { op: "replace", path: at("1/name"), value: "two" },
        { op: "remove", path: at("2") },
      ],
      changes: expect.arrayContaining([
        {
          op: "add",
          path: "/spec/template/metadata/annotations/image-spec.fairlead.dev~1two",
          value: etcdStored,
        },
      ]) as unknown,
    },
  ])("JSON: $name", ({ patch, changes }) => {
    const lowered = lowerSchemalessPatch(
      "json",
      fromPlain(patch),
      object,
      pod === deployment ? pod : deployment,
      true,
    );
    expect(lowered.problems).toEqual([]);
    const [guard, ...rest] = toPlain(lowered.patch) as readonly unknown[];
    expect(guard).toEqual({ op: "replace", path: "/metadata/resourceVersion", value: "7" });
    expect(rest).toEqual(changes);
  });

  test("JSON: a test that does not hold", () => {
    const patch = fromPlain([{ op: "test", path: at("1/imageSpec/dockerImage/tag"), value: "9" }]);
    expect(() => lowerSchemalessPatch("json", patch, object, deployment, true)).toThrow(
      /the test of .* failed/u,
    );
  });

  test("merge: a list is replaced whole", () => {
    const patch = fromPlain({
      spec: { template: { spec: { containers: [{ name: "web", imageSpec: docker("quay.io", "a") }] } } },
    });
    const lowered = lowerSchemalessPatch("merge", patch, object, deployment, true);
    expect(lowered.problems).toEqual([]);
    expect(toPlain(lowered.patch)).toEqual({
      spec: { template: { spec: { containers: [{ name: "web", image: "quay.io/a" }] } } },
      metadata: { resourceVersion: "7" },
    });
  });
});

test("a template is found where its kind has it", () => {
  expect(templateAt(deploymentOf([]), deployment.templatePath)).toBeDefined();
});
