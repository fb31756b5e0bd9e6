import { createCriImageService } from "../../src/imagespec/service/cri/cri-image-service.ts";
import { startContainerd } from "../support/containerd.ts";
import { pushDockerImage } from "../support/docker-image.ts";
import { describeImageService, type ImageServiceHarness } from "../support/image-service-contract.ts";
import { startRegistryGate } from "../support/registry-gate.ts";
import { startRegistry } from "../support/registry.ts";
import { describeWithTools } from "../support/tools.ts";

await describeWithTools(["containerd", "docker-registry"], "the image service of containerd", (paths) => {
  describeImageService("keeps the contract", async () => startHarness(paths));
});

async function startHarness(
  paths: Readonly<Record<"containerd" | "docker-registry", string>>,
): Promise<ImageServiceHarness> {
  const registry = await startRegistry(paths["docker-registry"]);
  const gate = await startRegistryGate(registry.host);
  const containerd = await startContainerd(paths.containerd);
  return {
    format: "dockerImage",
    imagesShareTags: true,
    open: async () => Promise.resolve(createCriImageService({ endpoint: containerd.endpoint })),
    publish: async ({ name, tag, content }) => {
      const { manifestDigest: digest } = await pushDockerImage({
        url: registry.url,
        repository: name,
        tag,
        content,
      });
      const bare = { registry: gate.host, name };
      return {
        tagged: { dockerImage: { ...bare, tag } },
        pinned: { dockerImage: { ...bare, digest } },
        exact: { dockerImage: { ...bare, tag, digest } },
        bare: { dockerImage: bare },
      };
    },
    hold: () => gate.hold(),
    timesAsked: ({ tagged }) => {
      const { name, tag } = tagged.dockerImage ?? {};
      return gate.passed.filter(({ path }) => path === `/v2/${name}/manifests/${tag}`).length;
    },
    requests: () => gate.passed.length,
    stop: async () => {
      await containerd.stop();
      await gate.stop();
      await registry.stop();
    },
  };
}
