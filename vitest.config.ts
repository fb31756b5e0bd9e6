import { defineConfig, type ViteUserConfig } from "vitest/config";
import { LeftOutReporter } from "./test/support/left-out-reporter.ts";

/** What installs a copy of the repository or starts hundreds of processes: `npm run test:slow`. */
const slowSuites = [
  "test/e2e/chart-install.test.ts",
  "test/e2e/{aci-store-kill,automate-kill,container-image,controller-faults,controller-kill,documents,fuzz,gateway-fuzz,gateway-watch-load,notify-kill,release}.test.ts",
];

/** A busy machine may take its time; what is to come about comes sooner. */
const patience = { poll: { timeout: 20_000 } };

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
          testTimeout: 40_000,
          expect: patience,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          exclude: slowSuites,
          testTimeout: 120_000,
          expect: patience,
          hookTimeout: 600_000,
          // After the unit tests, some of which measure time.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "slow",
          include: slowSuites,
          testTimeout: 300_000,
          expect: patience,
          hookTimeout: 600_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

export default config;
