import { criImageApi } from "../../src/imagespec/service/cri/cri-api.ts";
import type { imageMessages } from "../../src/imagespec/service/cri/cri-image-messages.ts";
import type { sandboxMessages } from "../../src/imagespec/service/cri/cri-sandbox-messages.ts";
import { connectGrpc, type GrpcConnection } from "../../src/imagespec/service/cri/grpc-connection.ts";
import type { GrpcSchema } from "../../src/imagespec/service/cri/grpc-schema.ts";

const runtimeMessages = {
  VersionRequest: { version: "1 string" },
  VersionResponse: {
    version: "1 string",
    runtimeName: "2 string",
    runtimeVersion: "3 string",
    runtimeApiVersion: "4 string",
  },
  StatusRequest: { verbose: "1 bool" },
  StatusResponse: { status: "1 RuntimeStatus", info: "2 map string" },
  RuntimeStatus: { conditions: "1 repeated RuntimeCondition" },
  RuntimeCondition: { type: "1 string", status: "2 bool", reason: "3 string", message: "4 string" },
  RunPodSandboxRequest: { config: "1 PodSandboxConfig", runtimeHandler: "2 string" },
  RunPodSandboxResponse: { podSandboxId: "1 string" },
  StopPodSandboxRequest: { podSandboxId: "1 string" },
  StopPodSandboxResponse: {},
  RemovePodSandboxRequest: { podSandboxId: "1 string" },
  RemovePodSandboxResponse: {},
  CreateContainerRequest: {
    podSandboxId: "1 string",
    config: "2 ContainerConfig",
    sandboxConfig: "3 PodSandboxConfig",
  },
  CreateContainerResponse: { containerId: "1 string" },
  StartContainerRequest: { containerId: "1 string" },
  StartContainerResponse: {},
  StopContainerRequest: { containerId: "1 string", timeout: "2 int64" },
  StopContainerResponse: {},
  RemoveContainerRequest: { containerId: "1 string" },
  RemoveContainerResponse: {},
  ContainerStatusRequest: { containerId: "1 string", verbose: "2 bool" },
  ContainerStatusResponse: { status: "1 ContainerStatus", info: "2 map string" },
  ContainerConfig: {
    metadata: "1 ContainerMetadata",
    image: "2 ImageSpec",
    command: "3 repeated string",
    args: "4 repeated string",
    workingDir: "5 string",
    envs: "6 repeated KeyValue",
    labels: "9 map string",
    annotations: "10 map string",
    logPath: "11 string",
    linux: "15 LinuxContainerConfig",
  },
  ContainerMetadata: { name: "1 string", attempt: "2 uint32" },
  KeyValue: { key: "1 string", value: "2 string" },
  LinuxContainerConfig: { resources: "1 LinuxContainerResources" },
  ContainerStatus: {
    id: "1 string",
    metadata: "2 ContainerMetadata",
    state: "3 ContainerState",
    exitCode: "7 int32",
    image: "8 ImageSpec",
    imageRef: "9 string",
    reason: "10 string",
    message: "11 string",
    imageId: "17 string",
  },
} as const;

type RuntimeMethod =
  | "Version"
  | "Status"
  | "RunPodSandbox"
  | "StopPodSandbox"
  | "RemovePodSandbox"
  | "CreateContainer"
  | "StartContainer"
  | "StopContainer"
  | "RemoveContainer"
  | "ContainerStatus";

type Messages = typeof runtimeMessages & typeof imageMessages & typeof sandboxMessages;

/** As much of runtime.v1's RuntimeService as it takes to run a container; some messages lack fields. */
export const criRuntimeApi: GrpcSchema<Messages, RuntimeMethod> = {
  package: "runtime.v1",
  messages: { ...criImageApi.messages, ...runtimeMessages },
  enums: {
    ...criImageApi.enums,
    ContainerState: ["CONTAINER_CREATED", "CONTAINER_RUNNING", "CONTAINER_EXITED", "CONTAINER_UNKNOWN"],
  },
  services: {
    RuntimeService: [
      "Version",
      "Status",
      "RunPodSandbox",
      "StopPodSandbox",
      "RemovePodSandbox",
      "CreateContainer",
      "StartContainer",
      "StopContainer",
      "RemoveContainer",
      "ContainerStatus",
    ],
  },
};

/** A connection to the runtime service at a socket. */
export function connectRuntime(endpoint: string): GrpcConnection<Messages, RuntimeMethod> {
  return connectGrpc(endpoint, criRuntimeApi);
}
