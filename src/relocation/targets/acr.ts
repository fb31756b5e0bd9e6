import { hostWithoutPort } from "../../reference/registry-host.ts";
import type { Target } from "./target.ts";

const hostSuffix = /\.azurecr\.(?:io|cn|us)$/u;

/** A registry's name; where its DNS label is scoped, a dash and a hash follow. */
const registryName = /^[a-z0-9]{5,50}(?:-[a-z0-9]+)?$/u;

/** Azure Container Registry: repositories appear with the first push, at any depth. */
export const acr: Target = {
  type: "acr",
  title: "Azure Container Registry",
  isServedBy: (host) => hostSuffix.test(host),
  rules: [
    {
      name: "acr-registry",
      requirement: "an Azure registry's name has 5 to 50 letters and digits",
      holds: ({ host }) => {
        const bare = hostWithoutPort(host);
        return !hostSuffix.test(bare) || registryName.test(bare.split(".")[0] ?? "");
      },
    },
  ],
  requiredProject: () => undefined,
};
