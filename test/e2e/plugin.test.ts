import { afterAll, beforeAll, expect, test } from "vitest";
import { createCheckout, type Checkout } from "../support/checkout.ts";
import { describeWithTools } from "../support/tools.ts";

const flags = "--target-registry harbor.example.com:5000 --source-registries docker.io,quay.io";

for (const version of ["helm3", "helm4"] as const) {
  await describeWithTools([version], `the plugin of ${version}`, (tools) => {
    let checkout: Checkout;

    beforeAll(async () => {
      checkout = await createCheckout(tools[version]);
      const installed = await checkout.shell("helm plugin install .");
      expect(installed.stderr + installed.stdout).toContain("Installed plugin: image-override");
    });

    afterAll(() => checkout.remove());

    test("gives what the command gives", async () => {
      const plugin = await checkout.shell(`helm image-override examples/shop ${flags}`);
      const command = await checkout.shell(`helm-image-override --chart-path examples/shop ${flags}`);
      expect(plugin.exitCode, plugin.stderr).toBe(0);
      expect(plugin.stdout).toContain("registry: harbor.example.com:5000/dockerio\n");
      expect(plugin.stdout).toBe(command.stdout);
    });

    test("passes the exit code on", async () => {
      const result = await checkout.shell(`helm image-override missing ${flags}`);
      expect(result.exitCode).toBe(2);
      expect(result.stdout).toBe("");
    });

    test("shows its help", async () => {
      const result = await checkout.shell("helm image-override --help");
      expect(result.stdout).toContain("--source-registries");
    });
  });
}
