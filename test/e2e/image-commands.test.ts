import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lowerImageSpec, storedSpecKey } from "../../src/imagespec/convert/stored-spec.ts";
import { connectCri } from "../../src/imagespec/service/cri/cri-connection.ts";
import { makeAci } from "../support/aci-archive.ts";
import { type AciHost, startAciHost, usualTemplate } from "../support/aci-host.ts";
import { type Authority, createAuthority } from "../support/certificates.ts";
import { buildCommands, runCommand, runInProcess } from "../support/cli.ts";
import { type Containerd, startContainerd } from "../support/containerd.ts";
import { pushDockerImage } from "../support/docker-image.ts";
import { startImageServiceProcess } from "../support/image-service-process.ts";
import { type Registry, startRegistry } from "../support/registry.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";
import { describeWithTools } from "../support/tools.ts";

await describeWithTools(["containerd", "docker-registry", "openssl"], "commands about images", (paths) => {
  let folder: TempDir;
  let authority: Authority;
  let host: AciHost;
  let registry: Registry;
  let containerd: Containerd;

  beforeAll(async () => {
    await buildCommands();
    folder = await createTempDir("image-commands");
    authority = await createAuthority(paths.openssl, folder.path, "aci-ca");
    host = await startAciHost(authority, ["images.example", "files.example"]);
    host.discover("images.example", `images.example ${usualTemplate}`);
    registry = await startRegistry(paths["docker-registry"]);
    containerd = await startContainerd(paths.containerd);
  });

  afterAll(async () => {
    await containerd.stop();
    await registry.stop();
    await host.stop();
    await folder.remove();
  });

  const flags = (store: string): readonly string[] => [
    `--runtime-endpoint=${containerd.endpoint}`,
    `--store=${path.join(folder.path, store)}`,
    `--ca-file=${authority.certificateFile}`,
    `--proxy=${host.proxy}`,
  ];

  const publish = (name: string, content: string | Uint8Array): string => {
    const archive = makeAci({ name: `images.example/${name}`, version: "1.0" }, { content });
    host.serve(`files.example/images.example/${name}-1.0-linux-amd64.aci`, archive);
    return `images.example/${name}`;
  };

  const image = async (command: string, ...args: readonly string[]): ReturnType<typeof runInProcess> =>
    runInProcess("fairlead", ["image", command, ...args, ...flags("cli")]);

  test("pull, find and remove images of both formats", async () => {
    const docker = `${registry.host}/library/tiny:v1`;
    const { configDigest } = await pushDockerImage({
      url: registry.url,
      repository: "library/tiny",
      tag: "v1",
      content: "tiny",
    });
    const aci = `aci:${publish("tiny", "tiny")}:1.0`;
    for (const name of [docker, aci]) {
      expect(await image("present", name)).toEqual({
        exitCode: 1,
        stdout: `${name} is not present\n`,
        stderr: "",
      });
      expect(await image("status", name)).toMatchObject({ exitCode: 1, stdout: `${name} is not present\n` });
    }
    expect(await image("pull", docker)).toEqual({ exitCode: 0, stdout: `${configDigest}\n`, stderr: "" });
    const pulled = await image("pull", aci, "--output", "json");
    expect(pulled).toMatchObject({ exitCode: 0, stderr: "" });
    const [{ id } = { id: "" }] = JSON.parse(pulled.stdout) as readonly { readonly id: string }[];
    expect(JSON.parse(pulled.stdout)).toEqual([{ image: aci, format: "aci", id }]);
    for (const name of [docker, aci]) {
      expect(await image("present", name)).toMatchObject({ exitCode: 0, stdout: `${name} is present\n` });
    }
    expect((await image("status", aci)).stdout).toContain(`id:      ${id}\nformat:  ACI\nname:    ${aci}\n`);
    const listed = JSON.parse((await image("list", "--output", "json")).stdout) as readonly object[];
    expect(listed).toHaveLength(2);
    expect(listed).toContainEqual(
      expect.objectContaining({ id: configDigest, format: "dockerImage", names: [docker] }),
    );
    expect(listed).toContainEqual(expect.objectContaining({ id, format: "aci", names: [aci] }));
    expect((await image("list")).stdout).toMatch(/NAMES +FORMAT +ID +SIZE\n/u);
    for (const name of [docker, aci, aci]) {
      expect(await image("remove", name)).toMatchObject({ exitCode: 0, stdout: `${name} is removed\n` });
    }
    expect(JSON.parse((await image("list", "--output", "json")).stdout)).toEqual([]);
  });

  test("take the images of files", async () => {
    const name = publish("filed", "filed");
    const spec = { aci: { name, tag: "1.0" } };
    const { image: oldImage, stored = "" } = lowerImageSpec(spec);
    const files: Readonly<Record<string, object>> = {
      "spec.json": spec,
      "container.yaml": { name: "a", imageSpec: spec },
      "pod.yaml": {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "a", annotations: { [storedSpecKey("a")]: stored } },
        spec: { containers: [{ name: "a", image: oldImage }] },
      },
      "deployment.yaml": {
        apiVersion: "apps/v1",
        kind: "Deployment",
        spec: { template: { spec: { containers: [{ name: "a", imageSpec: spec }] } } },
      },
    };
    for (const [file, content] of Object.entries(files)) {
      const target = path.join(folder.path, file);
      await writeFile(target, JSON.stringify(content));
      const pulled = await image("pull", target, "--output", "json");
      expect(pulled, file).toMatchObject({ exitCode: 0 });
      expect(JSON.parse(pulled.stdout), file).toMatchObject([{ image: `aci:${name}:1.0`, format: "aci" }]);
    }
    const empty = path.join(folder.path, "empty.yaml");
    await writeFile(empty, "kind: ConfigMap\napiVersion: v1\n");
    expect(await image("pull", empty)).toMatchObject({ exitCode: 2 });
    expect(await image("pull", "aci:Bad Name")).toMatchObject({ exitCode: 2 });
  });

  test("refuse an ACI where none are taken, and a runtime that is not there", async () => {
    const refused = await image("pull", "aci:images.example/tiny:1.0", "--no-aci");
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    const nowhere = ["--runtime-endpoint", `unix://${folder.path}/nowhere.sock`, "--no-aci"];
    const failed = await runInProcess("fairlead", ["image", "list", ...nowhere]);
    expect(failed).toMatchObject({ exitCode: 1, stdout: "" });
    expect(failed.stderr).toContain("does not answer");
  });

  test("serve until they are stopped, and tell their metrics", async () => {
    const listen = `${folder.path}/served.sock`;
    const service = await startImageServiceProcess("--listen", `unix://${listen}`, ...flags("served"));
    const cri = connectCri(service.endpoint);
    const { imageRef } = await cri.call("PullImage", { image: podImage(publish("served", "served")) });
    expect(imageRef).toMatch(/^sha256:/u);
    const metrics = await (await fetch(`http://${service.metrics}/metrics`)).text();
    expect(metrics).toContain('fairlead_image_service_calls_total{method="PullImage",answerer="proxy"} 1');
    expect((await fetch(`http://${service.metrics}/readyz`)).status).toBe(200);
    const second = await runCommand("fairlead", [
      "image-service",
      "--listen",
      `unix://${listen}`,
      ...flags("second"),
    ]);
    expect(second).toMatchObject({ exitCode: 2, stdout: "" });
    expect(second.stderr).toContain("another process listens there");
    cri.close();
    expect(await service.stop()).toMatchObject({ exitCode: 0 });
    expect(existsSync(listen)).toBe(false);
  });

  test("complete what was killed in the middle of an import", async () => {
    // Large enough that the import takes longer than it takes to see it.
    const pod = podImage(publish("large", randomBytes(96 * 1024 * 1024)));
    const listen = `unix://${folder.path}/killed.sock`;
    const start = async (): ReturnType<typeof startImageServiceProcess> =>
      startImageServiceProcess("--listen", listen, ...flags("killed"));
    const first = await start();
    const cri = connectCri(first.endpoint);
    const interrupted = cri.call("PullImage", { image: pod }).catch((error: unknown) => error);
    const ingest = path.join(containerd.folder, "root/io.containerd.content.v1.content/ingest");
    const endsAtMs = Date.now() + 60_000;
    while ((await readdir(ingest).catch(() => [])).length === 0 && Date.now() < endsAtMs) await sleep(2);
    await first.kill();
    expect(await interrupted).toMatchObject({ code: "runtime-unreachable" });
    cri.close();
    const direct = connectCri(containerd.endpoint);
    expect((await direct.call("ListImages", {})).images.flatMap(({ repoTags }) => repoTags)).not.toContain(
      "aci.invalid/images.example/large:1.0",
    );
    const second = await start();
    const again = connectCri(second.endpoint);
    const { imageRef } = await again.call("PullImage", { image: pod });
    const { image: status } = await direct.call("ImageStatus", { image: { image: imageRef } });
    expect(Number(status?.size)).toBeGreaterThan(96 * 1024 * 1024);
    again.close();
    direct.close();
    await second.stop();
  });
});

function podImage(name: string): {
  readonly image: string;
  readonly annotations: Readonly<Record<string, string>>;
} {
  const { image, stored = "" } = lowerImageSpec({ aci: { name, tag: "1.0" } });
  return { image, annotations: { [storedSpecKey("a")]: stored } };
}
