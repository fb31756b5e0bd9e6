import { readFile } from "node:fs/promises";
import path from "node:path";
import { aciId, makeAci } from "../../../../test/support/aci-archive.ts";
import { startAciHost, usualTemplate } from "../../../../test/support/aci-host.ts";
import { createAuthority } from "../../../../test/support/certificates.ts";
import {
  describeImageService,
  type ImageServiceHarness,
} from "../../../../test/support/image-service-contract.ts";
import { createTempDir } from "../../../../test/support/temp-dir.ts";
import { describeWithTools } from "../../../../test/support/tools.ts";
import { createAciImageService } from "./aci-image-service.ts";

await describeWithTools(["openssl"], "ACIs", ({ openssl }) => {
  describeImageService("an image service of ACIs", async () => startHarness(openssl));
});

function fileOf(name: string, tag: string): string {
  return `files.example/images.example/${name}-${tag}-linux-amd64.aci`;
}

async function startHarness(openssl: string): Promise<ImageServiceHarness> {
  const folder = await createTempDir("aci");
  const authority = await createAuthority(openssl, folder.path, "aci-ca");
  const host = await startAciHost(authority, ["images.example", "files.example"]);
  host.discover("images.example", `images.example ${usualTemplate}`);
  const ca = await readFile(authority.certificateFile);
  return {
    format: "aci",
    imagesShareTags: false,
    open: async () =>
      createAciImageService({
        folder: path.join(folder.path, "store"),
        access: { ca, proxy: { address: host.proxy } },
        platform: { os: "linux", architecture: "amd64" },
        retry: { baseDelayMs: 10 },
      }),
    publish: async ({ name, tag, content }) => {
      const fullName = `images.example/${name}`;
      const archive = makeAci({ name: fullName, version: tag }, { content });
      const id = aciId(archive);
      for (const served of [tag, "latest"]) host.serve(fileOf(name, served), archive);
      return Promise.resolve({
        tagged: { aci: { name: fullName, tag } },
        pinned: { aci: { name: fullName, id } },
        exact: { aci: { name: fullName, tag, id } },
        bare: { aci: { name: fullName } },
      });
    },
    hold: () => host.hold(),
    timesAsked: ({ tagged }) =>
      host.asked.filter(
        (address) =>
          address === fileOf((tagged.aci?.name ?? "").replace("images.example/", ""), tagged.aci?.tag ?? ""),
      ).length,
    requests: () => host.asked.length,
    stop: async () => {
      await host.stop();
      await folder.remove();
    },
  };
}
