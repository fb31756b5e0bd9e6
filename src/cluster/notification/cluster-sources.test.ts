import { describe, expect, test } from "vitest";
import { failureFrom } from "../../../test/support/registry-case.ts";
import { type ErrorCode, FairleadError } from "../../core/error.ts";
import type { SourceSelection } from "../../notification/objects/notification-snapshot.ts";
import { sourceGroups, sourceKinds } from "../../notification/objects/source-kinds.ts";
import type { ApiObject, ObjectName, ResourceType } from "../api/api-object.ts";
import type { ListOptions } from "../api/api-client.ts";
import type { ObjectApi } from "../api/object-api.ts";
import { collectionPath } from "../api/resource-path.ts";
import { ClusterSources } from "./cluster-sources.ts";
import { sourceType } from "./source-type.ts";

const object = (name: string, labels: Readonly<Record<string, string>> = {}): ApiObject => ({
  metadata: { name, namespace: "apps", uid: `uid-${name}`, resourceVersion: "1", generation: 3, labels },
});

function cluster(answer: (name: string) => ApiObject | FairleadError = (name) => object(name)): {
  readonly sources: ClusterSources;
  readonly asked: string[];
  readonly pass: (ms: number) => void;
} {
  let nowMs = 0;
  const asked: string[] = [];
  const get = async (type: ResourceType, { namespace, name }: ObjectName): Promise<ApiObject> => {
    asked.push(`${collectionPath(type, namespace)}/${name}`);
    const found = answer(name);
    if (found instanceof FairleadError) throw found;
    return Promise.resolve(found);
  };
  const list = async (type: ResourceType, options: ListOptions): Promise<object> => {
    const { namespace, labelSelector, continueToken = "0" } = options;
    asked.push(`${collectionPath(type, namespace)}?${labelSelector}&${continueToken}`);
    const page = Number(continueToken);
    const items = [object(`a${page}`), object(`b${page}`)];
    return Promise.resolve({
      items,
      resourceVersion: "1",
      continueToken: page < 2 ? String(page + 1) : undefined,
    });
  };
  const api = { get: get as ObjectApi["get"], list: list as ObjectApi["list"] };
  return { sources: new ClusterSources(api, () => nowMs), asked, pass: (ms) => void (nowMs += ms) };
}

describe("where objects are", () => {
  test.each<[kind: string, apiVersion: string, path: string]>([
    ["Bucket", "", "/apis/source.toolkit.fluxcd.io/v1/buckets"],
    ["GitRepository", "", "/apis/source.toolkit.fluxcd.io/v1/gitrepositories"],
    ["HelmChart", "", "/apis/source.toolkit.fluxcd.io/v1/helmcharts"],
    ["HelmRepository", "", "/apis/source.toolkit.fluxcd.io/v1/helmrepositories"],
    ["OCIRepository", "", "/apis/source.toolkit.fluxcd.io/v1/ocirepositories"],
    ["ImageRepository", "", "/apis/image.toolkit.fluxcd.io/v1/imagerepositories"],
    ["ArtifactGenerator", "", "/apis/source.extensions.fluxcd.io/v1beta1/artifactgenerators"],
    ["ImagePolicy", "image.toolkit.fluxcd.io/v1", "/apis/image.toolkit.fluxcd.io/v1/imagepolicies"],
    ["HelmRelease", "helm.toolkit.fluxcd.io/v2", "/apis/helm.toolkit.fluxcd.io/v2/helmreleases"],
    [
      "Kustomization",
      "kustomize.toolkit.fluxcd.io/v1",
      "/apis/kustomize.toolkit.fluxcd.io/v1/kustomizations",
    ],
  ])("%s %s", (kind, apiVersion, path) => {
    expect(collectionPath(sourceType(kind, apiVersion), undefined)).toBe(path);
  });

  test.each<[kind: string, apiVersion: string]>([
    ["HelmRelease", ""],
    ["Secret", ""],
    ["Secret", "v1"],
    ["GitRepository", "v1"],
    ["GitRepository", "helm.toolkit.fluxcd.io/v1"],
    ["GitRepository", "source.toolkit.fluxcd.io/v1/namespaces/x"],
    ["GitRepository", "source.toolkit.fluxcd.io/.."],
    ["constructor", ""],
  ])("%s %s is nowhere", (kind, apiVersion) => {
    expect(() => sourceType(kind, apiVersion)).toThrow(FairleadError);
  });

  test("every kind has a place", () => {
    const paths = sourceKinds.map((kind) => sourceType(kind, `${sourceGroups[kind]}/v1`).resource);
    expect(new Set(paths).size).toBe(sourceKinds.length);
  });
});

describe("labels of an event's object", () => {
  const about = { kind: "ImageRepository", namespace: "apps", name: "app" };

  test("are asked for once in a second", async () => {
    const { sources, asked, pass } = cluster(() => object("app", { team: "a" }));
    const found = await Promise.all(Array.from({ length: 100 }, async () => sources.labelsOf(about)));
    expect(new Set(found)).toEqual(new Set([{ team: "a" }]));
    expect(asked).toHaveLength(1);
    pass(1_000);
    await sources.labelsOf(about);
    expect(asked).toHaveLength(2);
  });

  test.each<[code: ErrorCode, retryable: boolean, isUnknown: boolean]>([
    ["object-missing", false, true],
    ["object-invalid", false, true],
    ["access-denied", false, true],
    ["access-denied", true, false],
    ["upstream-unreachable", true, false],
    ["timeout", true, false],
  ])("that are refused by %s, which may pass: %s", async (code, retryable, isUnknown) => {
    const error = new FairleadError(code, "no", { retryable });
    const { sources } = cluster(() => error);
    const labels = sources.labelsOf(about);
    if (isUnknown) expect(await labels).toBeUndefined();
    else await expect(labels).rejects.toBe(error);
  });

  test("of a kind that is none are not known", async () => {
    const { sources, asked } = cluster();
    expect(await sources.labelsOf({ ...about, kind: "Secret", apiVersion: "v1" })).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe("what a Receiver names", () => {
  const selection: SourceSelection = { kind: "ImageRepository", namespace: "apps", name: "app" };

  test("one object", async () => {
    const { sources, asked } = cluster();
    const [found] = await sources.select(selection);
    expect(found).toMatchObject({
      kind: "ImageRepository",
      apiVersion: "image.toolkit.fluxcd.io/v1",
      meta: { namespace: "apps", name: "app", uid: "uid-app", generation: 3 },
    });
    expect(asked).toEqual(["/apis/image.toolkit.fluxcd.io/v1/namespaces/apps/imagerepositories/app"]);
  });

  test("all of some labels, page by page", async () => {
    const { sources, asked } = cluster();
    const found = await sources.select({
      ...selection,
      name: "*",
      matchLabels: { team: "a", "x.io/tier": "" },
    });
    expect(found.map(({ meta }) => meta.name)).toEqual(["a0", "b0", "a1", "b1", "a2", "b2"]);
    const path = "/apis/image.toolkit.fluxcd.io/v1/namespaces/apps/imagerepositories";
    expect(asked).toEqual([0, 1, 2].map((page) => `${path}?team=a,x.io/tier=&${page}`));
  });

  test.each<[name: string, matchLabels: Readonly<Record<string, string>>]>([
    ["no labels", {}],
    ["a label that says more than it should", { team: "a,tier!=b" }],
  ])("%s", async (_name, matchLabels) => {
    const { sources, asked } = cluster();
    const failure = await failureFrom(sources.select({ ...selection, name: "*", matchLabels }));
    expect(failure.code).toBe("object-invalid");
    expect(asked).toEqual([]);
  });
});
