import { type ErrorCode, FairleadError, messageOf } from "../../../core/error.ts";

/** What a call of gRPC ended with. */
export interface GrpcStatus {
  /** Of google.rpc.Code; 0: it succeeded. */
  readonly code: number;
  readonly message: string;
}

const codes: Readonly<Partial<Record<ErrorCode, number>>> = {
  aborted: 1,
  "registry-failed": 2,
  "registry-unreachable": 2,
  "signature-invalid": 2,
  "image-spec-invalid": 3,
  "reference-invalid": 3,
  "input-invalid": 3,
  timeout: 4,
  "aci-not-found": 5,
  "image-not-found": 5,
  "address-refused": 7,
  "limit-exceeded": 8,
  "aci-invalid": 9,
  "image-format-unsupported": 9,
  "image-in-use": 9,
  internal: 13,
  "runtime-unreachable": 14,
  "registry-unauthorized": 16,
};

/** The failures that kubelet tells from others, by what their text begins with (k8s.io/cri-api, pkg/errors). */
const kubeletNames: Readonly<Partial<Record<ErrorCode, string>>> = {
  "registry-failed": "RegistryUnavailable",
  "registry-unreachable": "RegistryUnavailable",
  "signature-invalid": "SignatureValidationFailed",
};

/** What a client is told of an error of ours. */
export function statusOfError(error: unknown): GrpcStatus {
  if (!(error instanceof FairleadError)) return { code: 13, message: messageOf(error) };
  const name = kubeletNames[error.code];
  const text = error.hint === undefined ? error.message : `${error.message} (${error.hint})`;
  return { code: codes[error.code] ?? 2, message: name === undefined ? text : `${name}: ${text}` };
}

/** The headers or trailers that tell a status (gRPC over HTTP2, "Responses"). */
export function statusHeaders({ code, message }: GrpcStatus): Readonly<Record<string, string>> {
  const encoded = Buffer.from(message.toWellFormed())
    .toString("latin1")
    .replaceAll(
      /[^\x20-\x24\x26-\x7e]/gu,
      (character) => `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, "0")}`,
    );
  return { "grpc-status": String(code), ...(encoded === "" ? {} : { "grpc-message": encoded }) };
}
