import type { Random } from "./random.ts";

/** An image spec as it is written in JSON. */
export interface SpecJson {
  readonly dockerImage?: { readonly registry: string; readonly name: string; readonly tag?: string };
  readonly aci?: { readonly name: string; readonly tag?: string };
}

/** A container as the model knows it. */
export interface ModelContainer {
  readonly name: string;
  readonly image: string;
  readonly imageSpec: SpecJson;
}

/** The images that sequences choose from, with the specs that they stand for by the proposal. */
const images: readonly (readonly [string, SpecJson])[] = [
  ["nginx", { dockerImage: { registry: "docker.io", name: "library/nginx" } }],
  ["nginx:1.27", { dockerImage: { registry: "docker.io", name: "library/nginx", tag: "1.27" } }],
  ["team/app:v2", { dockerImage: { registry: "docker.io", name: "team/app", tag: "v2" } }],
  ["quay.io/org/app:v1", { dockerImage: { registry: "quay.io", name: "org/app", tag: "v1" } }],
  ["localhost:5000/app", { dockerImage: { registry: "localhost:5000", name: "app" } }],
];

/** Specs that users write, with the image that old clients see. */
const specs: readonly (readonly [SpecJson, string])[] = [
  [{ dockerImage: { registry: "docker.io", name: "test-repo/foo" } }, "docker.io/test-repo/foo"],
  [{ dockerImage: { registry: "docker.io", name: "nginx", tag: "2" } }, "docker.io/nginx:2"],
  [{ dockerImage: { registry: "quay.io", name: "org/app", tag: "v3" } }, "quay.io/org/app:v3"],
  [{ aci: { name: "coreos.com/etcd", tag: "v2.2.0" } }, "coreos.com/etcd:v2.2.0"],
  [{ aci: { name: "coreos.com/flannel" } }, "coreos.com/flannel"],
];

/** An image that the model chooses, with its spec. */
export function pickImage(random: Random): { readonly image: string; readonly imageSpec: SpecJson } {
  const [image, imageSpec] = random.pick(images);
  return { image, imageSpec };
}

/** A spec that the model chooses, with its image. */
export function pickSpec(random: Random): { readonly image: string; readonly imageSpec: SpecJson } {
  const [imageSpec, image] = random.pick(specs);
  return { image, imageSpec };
}

/** A spec with another tag, and the image of it. */
export function withTag({ imageSpec }: ModelContainer, tag: string): Omit<ModelContainer, "name"> {
  const { dockerImage, aci } = imageSpec;
  if (aci !== undefined) return { imageSpec: { aci: { name: aci.name, tag } }, image: `${aci.name}:${tag}` };
  const { registry = "", name = "" } = dockerImage ?? {};
  return { imageSpec: { dockerImage: { registry, name, tag } }, image: `${registry}/${name}:${tag}` };
}
