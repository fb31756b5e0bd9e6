import { readFile } from "node:fs/promises";
import path from "node:path";
import { createAciImageService } from "../../src/imagespec/service/aci/aci-image-service.ts";
import { createContainerdAciService } from "../../src/imagespec/service/containerd/containerd-aci-service.ts";
import { aciId, makeAci } from "../support/aci-archive.ts";
import { startAciHost, usualTemplate } from "../support/aci-host.ts";
import { createAuthority } from "../support/certificates.ts";
import { startContainerd } from "../support/containerd.ts";
import { describeImageService, type ImageServiceHarness } from "../support/image-service-contract.ts";
import { createTempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

await describeWithTools(["containerd", "openssl"], "ACIs in containerd", (paths) => {
  describeImageService("keep the contract", async () => startHarness(paths));
});

function fileOf(name: string, tag: string): string {
  return `files.example/images.example/${name}-${tag}-linux-amd64.aci`;
}

async function startHarness(
  paths: Readonly<Record<"containerd" | "openssl", string>>,
): Promise<ImageServiceHarness> {
  const folder = await createTempDir("aci");
  const authority = await createAuthority(paths.openssl, folder.path, "aci-ca");
  const host = await startAciHost(authority, ["images.example", "files.example"]);
  host.discover("images.example", `images.example ${usualTemplate}`);
  const containerd = await startContainerd(paths.containerd);
  const ca = await readFile(authority.certificateFile);
  return {
    format: "aci",
    imagesShareTags: false,
    open: async () =>
      createContainerdAciService({
        endpoint: containerd.endpoint,
        aci: await createAciImageService({
          folder: path.join(folder.path, "store"),
          access: { ca, proxy: { address: host.proxy } },
          platform: { os: "linux", architecture: "amd64" },
          retry: { baseDelayMs: 10 },
        }),
      }),
    publish: async ({ name, tag, content }) => {
      const fullName = `images.example/${name}`;
      const archive = makeAci({ name: fullName, version: tag }, { content });
      for (const served of [tag, "latest"]) host.serve(fileOf(name, served), archive);
      const id = aciId(archive);
      return Promise.resolve({
        tagged: { aci: { name: fullName, tag } },
        pinned: { aci: { name: fullName, id } },
        exact: { aci: { name: fullName, tag, id } },
        bare: { aci: { name: fullName } },
      });
    },
    hold: () => host.hold(),
    timesAsked: ({ tagged }) => {
      const { name = "", tag = "" } = tagged.aci ?? {};
      return host.asked.filter((address) => address === fileOf(name.replace("images.example/", ""), tag))
        .length;
    },
    requests: () => host.asked.length,
    stop: async () => {
      await containerd.stop();
      await host.stop();
      await folder.remove();
    },
  };
}
