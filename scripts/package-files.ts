import type { Plugin } from "esbuild";

/** Large packages that few commands need; in a bundle they would cost every command some of its start. */
export const packageFiles: Readonly<Record<string, string>> = {
  "packages/aws4": "aws4",
  "packages/cel-js": "@marcbachmann/cel-js",
  "packages/grpc": "@grpc/grpc-js",
  "packages/jose": "jose",
  "packages/kubernetes-client": "@kubernetes/client-node",
  "packages/nats": "@nats-io/transport-node",
  "packages/nodemailer": "nodemailer",
  "packages/openpgp": "openpgp",
  "packages/proto-loader": "@grpc/proto-loader",
  "packages/tar": "tar",
  "packages/unbzip2-stream": "unbzip2-stream",
  "packages/undici": "undici",
  "packages/xz-decompress": "xz-decompress",
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
