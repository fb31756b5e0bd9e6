import type { EnumTable, Received, Sent } from "../cri/grpc-schema.ts";

/** As much of containerd's own API (containerd.services.*.v1, the same in 1.6 and 2.x) as an import takes. */
export const containerdMessages = {
  Descriptor: { mediaType: "1 string", digest: "2 string", size: "3 int64" },
  Image: { name: "1 string", labels: "2 map string", target: "3 Descriptor" },
  GetImageRequest: { name: "1 string" },
  GetImageResponse: { image: "1 Image" },
  ListImagesRequest: { filters: "1 repeated string" },
  ListImagesResponse: { images: "1 repeated Image" },
  CreateImageRequest: { image: "1 Image" },
  CreateImageResponse: { image: "1 Image" },
  UpdateImageRequest: { image: "1 Image" },
  UpdateImageResponse: { image: "1 Image" },
  DeleteImageRequest: { name: "1 string", sync: "2 bool" },
  Lease: { id: "1 string", labels: "3 map string" },
  CreateRequest: { id: "1 string", labels: "3 map string" },
  CreateResponse: { lease: "1 Lease" },
  DeleteRequest: { id: "1 string", sync: "2 bool" },
  Empty: {},
  WriteContentRequest: {
    action: "1 WriteAction",
    ref: "2 string",
    total: "3 int64",
    expected: "4 string",
    offset: "5 int64",
    data: "6 bytes",
    labels: "7 map string",
  },
  WriteContentResponse: {
    action: "1 WriteAction",
    offset: "4 int64",
    total: "5 int64",
    digest: "6 string",
  },
} as const;

export const containerdEnums: EnumTable = { WriteAction: ["STAT", "WRITE", "COMMIT"] };

export type ContainerdMessages = typeof containerdMessages;

export type ContainerdReceived<Name extends keyof ContainerdMessages> = Received<ContainerdMessages, Name>;

export type ContainerdSent<Name extends keyof ContainerdMessages> = Sent<ContainerdMessages, Name>;

/** The unary methods, by names of our own. */
export const containerdMethods = {
  getImage: {
    path: "/containerd.services.images.v1.Images/Get",
    request: "GetImageRequest",
    response: "GetImageResponse",
  },
  listImages: {
    path: "/containerd.services.images.v1.Images/List",
    request: "ListImagesRequest",
    response: "ListImagesResponse",
  },
  createImage: {
    path: "/containerd.services.images.v1.Images/Create",
    request: "CreateImageRequest",
    response: "CreateImageResponse",
  },
  updateImage: {
    path: "/containerd.services.images.v1.Images/Update",
    request: "UpdateImageRequest",
    response: "UpdateImageResponse",
  },
  deleteImage: {
    path: "/containerd.services.images.v1.Images/Delete",
    request: "DeleteImageRequest",
    response: "Empty",
  },
  createLease: {
    path: "/containerd.services.leases.v1.Leases/Create",
    request: "CreateRequest",
    response: "CreateResponse",
  },
  deleteLease: {
    path: "/containerd.services.leases.v1.Leases/Delete",
    request: "DeleteRequest",
    response: "Empty",
  },
} as const;

export type ContainerdMethodName = keyof typeof containerdMethods;

/** Takes any number of requests and answers each. */
export const writeContentPath = "/containerd.services.content.v1.Content/Write";
