import { expect, test } from "vitest";
import { isKnownHost } from "../../../test/support/relocation.ts";
import { configMap, pod, secret, verify } from "../../../test/support/renderings.ts";
import { loadYamlMap } from "../../yaml/load.ts";
import { getAt } from "../../yaml/value-path.ts";
import { kustomizationFiles } from "./kustomization.ts";
import { planResidual } from "./plan-residual.ts";
import type { ResidualFile, ResidualSource } from "./residual-files.ts";

const source: ResidualSource = { chart: { name: "app", version: "1.0.0" }, releaseName: "live" };

async function fileOf(rendered: string, changes: Partial<ResidualSource> = {}): Promise<ResidualFile> {
  const { outcomes } = await verify(rendered, rendered);
  const [file] = kustomizationFiles({ ...source, ...changes }, planResidual(outcomes, isKnownHost));
  return file ?? { name: "", kind: "kustomization", text: "" };
}

test("an object is a patch that tests each text before it replaces it", async () => {
  const { name, text, mode } = await fileOf(
    pod("quay.io/a/b:1", "  namespace: web\n").replace("name: pod", "name: a.b"),
  );
  const value = loadYamlMap(text).value;
  expect([name, mode]).toEqual(["kustomization.yaml", undefined]);
  expect(value).toMatchObject({ kind: "Kustomization", resources: ["all.yaml"] });
  expect(getAt(value, ["patches", 0, "target"])).toEqual({
    version: "v1",
    kind: "Pod",
    name: String.raw`a\.b`,
    namespace: "web",
  });
  const patch = getAt(value, ["patches", 0, "patch"]);
  expect(JSON.parse(typeof patch === "string" ? patch : "")).toEqual([
    { op: "test", path: "/spec/containers/0/image", value: "quay.io/a/b:1" },
    { op: "replace", path: "/spec/containers/0/image", value: "registry.lan/quayio/a/b:1" },
  ]);
});

test("keys are escaped in pointers, and groups stand apart from versions", async () => {
  const rendered = configMap('"a/b~c.yaml": use quay.io/a/b:1').replace(
    "apiVersion: v1",
    "apiVersion: example.com/v2",
  );
  const { value } = loadYamlMap((await fileOf(rendered)).text);
  expect(getAt(value, ["patches", 0, "target"])).toMatchObject({ group: "example.com", version: "v2" });
  expect(getAt(value, ["patches", 0, "patch"])).toContain('"path": "/data/a~1b~0c.yaml"');
});

test("the header says how to render", async () => {
  expect((await fileOf(pod("redis"), { namespace: "web" })).text).toContain(
    "#   helm template live CHART --namespace web --values override.yaml > all.yaml\n",
  );
});

test("with a Secret's text, it is its owner's", async () => {
  const { text, mode } = await fileOf(secret("use quay.io/a/b:1"));
  expect(mode).toBe(0o600);
  expect(text).toContain("# It holds the content of a Secret");
});

test("without anything to do it has no patches", async () => {
  expect((await fileOf(configMap("a: b"))).text).toContain("\npatches: []\n");
});

test("an object whose name the cluster makes cannot be patched", async () => {
  await expect(fileOf(pod("redis").replace("name: pod", "generateName: pod-"))).rejects.toMatchObject({
    code: "input-invalid",
    hint: "--residual post-renderer can",
  });
});
