import { afterAll, beforeAll, expect, test } from "vitest";
import { pullImage, pushImage } from "../support/images.ts";
import { startRegistry, type Registry } from "../support/registry.ts";
import { describeWithTools } from "../support/tools.ts";

await describeWithTools(["registry", "crane"], "docker's registry", (tools) => {
  let source: Registry;
  let proxy: Registry;

  beforeAll(async () => {
    source = await startRegistry(tools.registry);
    proxy = await startRegistry(tools.registry, { proxyUrl: source.url });
  });

  afterAll(async () => {
    await proxy.stop();
    await source.stop();
  });

  test("gives back an image that was pushed", async () => {
    const digest = await pushImage(tools.crane, `${source.host}/team/shop:1.2`, "shop");
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/u);
    expect(await pullImage(tools.crane, `${source.host}/team/shop@${digest}`)).toBe("shop");
  });

  test("pulls through from another registry", async () => {
    await pushImage(tools.crane, `${source.host}/library/cache:3`, "cache");
    expect(await pullImage(tools.crane, `${proxy.host}/library/cache:3`)).toBe("cache");
  });

  test("refuses an image that is not there", async () => {
    await expect(pullImage(tools.crane, `${proxy.host}/library/absent:1`)).rejects.toThrow(/crane export/u);
  });
});
