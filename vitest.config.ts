import { defineConfig, type ViteUserConfig } from "vitest/config";
import { LeftOutReporter } from "./test/support/left-out-reporter.ts";

const config: ViteUserConfig = defineConfig({
  test: {
    reporters: ["default", new LeftOutReporter()],
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "src/**/*.test.ts",
            "tools/**/*.test.ts",
            "test/{architecture,corpus,support}/**/*.test.ts",
          ],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});

export default config;
