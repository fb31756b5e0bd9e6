import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { create as createArchive } from "tar";
import { withTempDir } from "./temp-dir.ts";

/** Where to push to, and how it should look. */
export interface ImageToPush {
  /** Of the registry, such as `http://127.0.0.1:5000`. */
  readonly url: string;
  /** Such as `library/tiny`. */
  readonly repository: string;
  readonly tag: string;
  /** What its one file says: the same text gives the same image. */
  readonly content: string;
  /** A static program that the image runs with `content` as its argument; default: none. */
  readonly program?: Uint8Array;
  /** An OCI artifact with a layer that is no archive, which no runtime can unpack; default: false. */
  readonly isArtifact?: boolean;
  readonly user?: { readonly name: string; readonly password: string };
}

/** The digests of a pushed image. */
export interface PushedImage {
  readonly manifestDigest: string;
  readonly configDigest: string;
}

const manifestType = "application/vnd.oci.image.manifest.v1+json";

/** Pushes an image of one layer by the OCI distribution specification. */
export async function pushDockerImage(image: ImageToPush): Promise<PushedImage> {
  const { content, isArtifact = false } = image;
  const archive = await layerOf(image);
  const layer = isArtifact ? Buffer.from(content) : gzipSync(archive);
  const config = Buffer.from(
    JSON.stringify(
      isArtifact
        ? {}
        : {
            architecture: process.arch === "x64" ? "amd64" : process.arch,
            os: "linux",
            config: { Cmd: image.program === undefined ? ["/content.txt"] : ["/program", content] },
            rootfs: { type: "layers", diff_ids: [digestOf(archive)] },
          },
    ),
  );
  const [configType, layerType] = isArtifact
    ? ["application/vnd.oci.empty.v1+json", "application/vnd.example.data"]
    : ["application/vnd.oci.image.config.v1+json", "application/vnd.oci.image.layer.v1.tar+gzip"];
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: manifestType,
      ...(isArtifact ? { artifactType: "application/vnd.example" } : {}),
      config: { mediaType: configType, digest: digestOf(config), size: config.length },
      layers: [{ mediaType: layerType, digest: digestOf(layer), size: layer.length }],
    }),
  );
  await pushBlob(image, layer);
  await pushBlob(image, config);
  const target = `${image.url}/v2/${image.repository}/manifests/${image.tag}`;
  await send(image, "PUT", target, manifest, manifestType);
  return { manifestDigest: digestOf(manifest), configDigest: digestOf(config) };
}

async function layerOf({ content, program }: ImageToPush): Promise<Buffer> {
  return withTempDir(async (folder) => {
    await writeFile(path.join(folder, "content.txt"), content);
    if (program !== undefined) await writeFile(path.join(folder, "program"), program, { mode: 0o755 });
    const files = program === undefined ? ["content.txt"] : ["content.txt", "program"];
    return buffer(createArchive({ cwd: folder, portable: true, mtime: new Date(0) }, files));
  });
}

async function pushBlob(image: ImageToPush, bytes: Buffer): Promise<void> {
  const started = await send(image, "POST", `${image.url}/v2/${image.repository}/blobs/uploads/`);
  const location = new URL(started.headers.get("location") ?? "", image.url);
  location.searchParams.set("digest", digestOf(bytes));
  await send(image, "PUT", location.href, bytes, "application/octet-stream");
}

async function send(
  { user }: ImageToPush,
  method: string,
  url: string,
  body?: Buffer,
  type?: string,
): Promise<Response> {
  const basic = user === undefined ? undefined : Buffer.from(`${user.name}:${user.password}`);
  const response = await fetch(url, {
    method,
    headers: {
      ...(type === undefined ? {} : { "content-type": type }),
      ...(basic === undefined ? {} : { authorization: `Basic ${basic.toString("base64")}` }),
    },
    ...(body === undefined ? {} : { body: new Uint8Array(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  return response;
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
