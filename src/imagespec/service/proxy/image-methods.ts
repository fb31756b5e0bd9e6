import { FairleadError } from "../../../core/error.ts";
import type { ImageSpec } from "../../../reference/image-spec.ts";
import type { CallOptions } from "../image-service.ts";
import type { ContainerdAciService } from "../containerd/containerd-aci-service.ts";
import { tryReadAciName } from "../containerd/aci-names.ts";
import type { CriMessages, CriReceived } from "../cri/cri-api.ts";
import type { GrpcCodec } from "../cri/grpc-codec.ts";
import { requestedSpec } from "./requested-spec.ts";

/** What becomes of a call: the runtime has it as it is or changed, or it is answered here. */
export type Verdict =
  | { readonly kind: "pass" }
  | { readonly kind: "change"; readonly message: Buffer }
  | { readonly kind: "answer"; readonly message: Buffer };

interface MethodCall {
  readonly codec: GrpcCodec<CriMessages>;
  /** Undefined where the node takes no ACIs. */
  readonly acis: ContainerdAciService | undefined;
  readonly message: Buffer;
  readonly options: CallOptions;
}

const pass: Verdict = { kind: "pass" };

/** The methods of runtime.v1's ImageService that are looked at. */
export const imageMethods: Readonly<Record<string, (call: MethodCall) => Promise<Verdict>>> = {
  PullImage: async ({ codec, acis, message, options }) => {
    const spec = tryAci(tryDecode(codec, "PullImageRequest", message)?.image);
    if (spec === undefined) return pass;
    const imageRef = await need(acis).pullImage(spec, options);
    return { kind: "answer", message: codec.encode("PullImageResponse", { imageRef }) };
  },
  ImageStatus: async ({ codec, acis, message }) => {
    const request = tryDecode(codec, "ImageStatusRequest", message);
    const image = tryRename(request?.image, acis);
    if (image === undefined) return Promise.resolve(pass);
    return Promise.resolve({
      kind: "change",
      message: codec.encode("ImageStatusRequest", { ...request, image }),
    });
  },
  ListImages: async ({ codec, acis, message }) => {
    const request = tryDecode(codec, "ListImagesRequest", message);
    const image = tryRename(request?.filter?.image, acis);
    if (image === undefined) return Promise.resolve(pass);
    return Promise.resolve({
      kind: "change",
      message: codec.encode("ListImagesRequest", { filter: { image } }),
    });
  },
  RemoveImage: async ({ codec, acis, message, options }) => {
    const image = tryDecode(codec, "RemoveImageRequest", message)?.image;
    const name = tryRename(image, acis)?.image ?? fullNameOf(image?.image ?? "");
    if (name === undefined || acis === undefined) return pass;
    if (await acis.tryRemoveByName(name, options)) {
      return { kind: "answer", message: codec.encode("RemoveImageResponse", {}) };
    }
    // The image of an annotation is not the Docker image with the same string.
    return name === fullNameOf(image?.image ?? "")
      ? pass
      : { kind: "answer", message: codec.encode("RemoveImageResponse", {}) };
  },
};

type CriImageSpec = CriReceived<"ImageSpec">;

/** What is no such message is left to the runtime. */
function tryDecode<Name extends keyof CriMessages>(
  codec: GrpcCodec<CriMessages>,
  name: Name,
  message: Buffer,
): CriReceived<Name> | undefined {
  try {
    return codec.decode(name, message);
  } catch {
    return undefined;
  }
}

function tryAci(image: CriImageSpec | null | undefined): ImageSpec | undefined {
  const spec = image === null || image === undefined ? undefined : requestedSpec(image);
  return spec?.aci === undefined ? undefined : spec;
}

/** The same image by the name that the runtime has for it. */
function tryRename(
  image: CriImageSpec | null | undefined,
  acis: ContainerdAciService | undefined,
): CriImageSpec | undefined {
  const spec = tryAci(image);
  if (spec === undefined || image === null || image === undefined) return undefined;
  return { ...image, image: need(acis).runtimeName(spec), userSpecifiedImage: "" };
}

function need(acis: ContainerdAciService | undefined): ContainerdAciService {
  if (acis !== undefined) return acis;
  throw new FairleadError("image-format-unsupported", "the pod wants an ACI, which this node does not take");
}

/** The ID of an image or the name of an imported ACI, as containerd has it; undefined for what is neither. */
function fullNameOf(image: string): string | undefined {
  if (/^sha256:[0-9a-f]{64}$/u.test(image)) return image;
  if (/^[0-9a-f]{64}$/u.test(image)) return `sha256:${image}`;
  return tryReadAciName(image) === undefined ? undefined : image;
}
