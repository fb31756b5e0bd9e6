import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../src/core/process.ts";
import { parseReference, type ImageReference } from "../../src/reference/reference.ts";
import { createCheckout, type Checkout } from "../support/checkout.ts";
import { pullImage, pushImage } from "../support/images.ts";
import { startProjectRouter, type Project, type ProjectRouter } from "../support/project-router.ts";
import { startRegistry, type Registry } from "../support/registry.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

const sources = ["docker.io", "quay.io", "ghcr.io"] as const;

await describeWithTools(["registry", "crane", "helm3"], "pull-through of the example chart", (tools) => {
  const upstreams = new Map<string, Registry>();
  const caches: Registry[] = [];
  /** Every image that the chart renders as it is, with what the test put into it. */
  const contents = new Map<string, string>();
  let checkout: Checkout;
  let folder: TempDir;
  let router: ProjectRouter;
  let valueFlags: readonly string[];
  let overrideFile: string;

  beforeAll(async () => {
    checkout = await createCheckout(tools.helm3);
    folder = await createTempDir("pull-through");
    overrideFile = path.join(folder.path, "override.yaml");
    const projects: Record<string, Project> = {};
    for (const source of sources) {
      const upstream = await startRegistry(tools.registry);
      const cache = await startRegistry(tools.registry, { proxyUrl: upstream.url });
      upstreams.set(source, upstream);
      caches.push(cache);
      projects[source.replaceAll(".", "")] = { host: cache.host, addsLibrary: source === "docker.io" };
    }
    router = await startProjectRouter(projects);
    valueFlags = ["--set", "search.enabled=true", "--set", `metrics.image.digest=${await pushMetrics()}`];
    for (const reference of await renderedImages([])) contents.set(reference, await push(reference));
    const written = await runFairlead(["--output-file", overrideFile]);
    expect(written.exitCode, written.stderr).toBe(0);
  });

  afterAll(async () => {
    await router?.stop();
    for (const registry of [...caches, ...upstreams.values()]) await registry.stop();
    await folder?.remove();
    await checkout?.remove();
  });

  /** A digest cannot be chosen: the image is made first, and the chart is given its digest. */
  async function pushMetrics(): Promise<string> {
    return pushImage(
      tools.crane,
      `${upstreamOf("quay.io")}/prometheus/prometheus:by-digest`,
      "quay.io/prometheus/prometheus by digest",
    );
  }

  async function push(text: string): Promise<string> {
    const reference = parseReference(text);
    if (reference.digest !== undefined) return "quay.io/prometheus/prometheus by digest";
    await pushImage(tools.crane, `${upstreamOf(reference.registry)}/${remainder(reference)}`, text);
    return text;
  }

  function upstreamOf(source: string): string {
    return upstreams.get(source)?.host ?? `no stand-in for ${source}`;
  }

  async function renderedImages(flags: readonly string[]): Promise<readonly string[]> {
    const args = ["template", "examples/shop", ...valueFlags, ...flags];
    const { exitCode, stdout, stderr } = await run(tools.helm3, args, { cwd: checkout.path });
    expect(exitCode, stderr).toBe(0);
    return [...stdout.matchAll(/(?:image: |--worker-image=)"?(?<image>[^\s"]+)/gu)].map(
      (match) => match.groups?.["image"] ?? "",
    );
  }

  function runFairlead(flags: readonly string[]): ReturnType<typeof run> {
    const target = ["--target-registry", router.host, "--source-registries", sources.join(",")];
    const args = ["override", "examples/shop", ...target, "--target-type", "harbor", ...valueFlags, ...flags];
    return run("fairlead", [...args, "--verify"], { cwd: checkout.path, env: checkout.env });
  }

  test("every image of the chart and its subcharts is one that the test made", () => {
    expect([...contents.keys()].sort()).toHaveLength(13);
    const registries = new Set([...contents.keys()].map((text) => parseReference(text).registry));
    expect([...registries].sort()).toEqual([...sources].sort());
  });

  test("names exactly the projects that have to exist", async () => {
    const { stderr } = await runFairlead(["--dry-run"]);
    expect(stderr).toContain(`Projects that must exist at ${router.host}: dockerio, ghcrio, quayio\n`);
    expect(stderr).toMatch(/^OK: shop 1\.0\.0: 100% images matched \(13\/13\)$/mu);
  });

  test("every moved image is pulled by its new name", async () => {
    const before = await renderedImages([]);
    const after = await renderedImages(["--values", overrideFile]);
    expect(after).toHaveLength(before.length);
    for (const [index, target] of after.entries()) {
      expect(target.startsWith(`${router.host}/`), target).toBe(true);
      expect(await pullImage(tools.crane, target)).toBe(contents.get(before[index] ?? ""));
    }
    expect([...router.asked].sort()).toEqual(["dockerio", "ghcrio", "quayio"]);
  });

  test("what was pulled once is kept when its source is gone", async () => {
    const before = await renderedImages([]);
    const after = await renderedImages(["--values", overrideFile]);
    for (const upstream of upstreams.values()) await upstream.stop();
    for (const [index, target] of after.entries()) {
      expect(await pullImage(tools.crane, target), target).toBe(contents.get(before[index] ?? ""));
    }
  });

  test("refuses a push, and a project that is not there", async () => {
    const pushed = await fetch(`http://${router.host}/v2/dockerio/mine/blobs/uploads/`, { method: "POST" });
    expect(pushed.status).toBe(405);
    await expect(pullImage(tools.crane, `${router.host}/gcrio/x:1`)).rejects.toThrow(/NAME_UNKNOWN/u);
  });
});

function remainder({ path: name, tag }: ImageReference): string {
  return `${name}:${tag ?? "latest"}`;
}
