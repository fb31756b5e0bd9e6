import { imageMessages } from "./cri-image-messages.ts";
import { sandboxEnums, sandboxMessages } from "./cri-sandbox-messages.ts";
import type { GrpcSchema, Received, Sent } from "./grpc-schema.ts";

/** Messages of runtime.v1 that its ImageService needs. */
export type CriMessages = typeof imageMessages & typeof sandboxMessages;

export type CriImageMethod = "ListImages" | "ImageStatus" | "PullImage" | "RemoveImage" | "ImageFsInfo";

/** A message of runtime.v1 as a runtime gives it. */
export type CriReceived<Name extends keyof CriMessages> = Received<CriMessages, Name>;

/** A message of runtime.v1 as a runtime takes it. */
export type CriSent<Name extends keyof CriMessages> = Sent<CriMessages, Name>;

/** runtime.v1's ImageService, held to Kubernetes' own description by a test. */
export const criImageApi: GrpcSchema<CriMessages, CriImageMethod> = {
  package: "runtime.v1",
  messages: { ...imageMessages, ...sandboxMessages },
  enums: sandboxEnums,
  services: { ImageService: ["ListImages", "ImageStatus", "PullImage", "RemoveImage", "ImageFsInfo"] },
};
