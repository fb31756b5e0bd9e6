import type { Plugin } from "esbuild";

/** Large packages that few commands need; in a bundle they would cost every command some of its start. */
export const packageFiles: Readonly<Record<string, string>> = {
  "packages/cel-js": "@marcbachmann/cel-js",
  "packages/jose": "jose",
  "packages/nats": "@nats-io/transport-node",
  "packages/nodemailer": "nodemailer",
  "packages/tar": "tar",
  "packages/undici": "undici",
  "packages/yaml": "yaml",
  "packages/zod": "zod",
};

/** Takes the packages of {@link packageFiles} from files of their own beside the bundle. */
export const packagesFromFiles: Plugin = {
  name: "packages-from-files",
  setup: (build) => {
    const files = new Map(Object.entries(packageFiles).map(([file, name]) => [name, `./${file}.cjs`]));
    build.onResolve({ filter: /^[@a-z]/ }, ({ path }) => {
      const file = files.get(path);
      return file === undefined ? undefined : { path: file, external: true };
    });
  },
};
