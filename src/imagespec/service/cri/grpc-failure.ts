import type { ServiceError } from "@grpc/grpc-js";
import { type ErrorCode, FairleadError } from "../../../core/error.ts";
import { excerpt } from "../../../core/escape.ts";

/** Numbers of google.rpc.Code that mean something of their own here. */
const codes: ReadonlyMap<number, ErrorCode> = new Map([
  [1, "aborted"],
  [4, "timeout"],
  [5, "image-not-found"],
  [7, "registry-unauthorized"],
  [8, "limit-exceeded"],
  [14, "runtime-unreachable"],
  [16, "registry-unauthorized"],
]);

/** The longest text of a runtime that a message repeats. */
const maxDetailsLength = 1_000;

/**
 * What a failed gRPC call means. A retry can help where the runtime does not answer or took too long, and where the
 * registry behind it did not answer.
 */
export function failureOf(error: ServiceError, method: string, endpoint: string): FairleadError {
  const number: number = error.code;
  const code = codes.get(number) ?? (number === 2 ? codeOfDetails(error.details) : "runtime-failed");
  const details = excerpt(connectionReason(error.details) ?? error.details, maxDetailsLength);
  if (code === "runtime-unreachable") {
    return new FairleadError(
      code,
      `the container runtime at ${excerpt(endpoint)} does not answer: ${details}`,
      {
        hint: "See that the runtime runs and that its socket may be used.",
        retryable: true,
        cause: error,
      },
    );
  }
  return new FairleadError(code, `the container runtime refused ${method}: ${details}`, {
    retryable: code === "timeout" || code === "registry-unreachable" || code === "registry-failed",
    cause: error,
    ...(number === 12 ? { hint: "The runtime does not have this method of runtime.v1." } : {}),
  });
}

/** What the system said, out of what grpc-js tells of a connection that failed. */
function connectionReason(details: string): string | undefined {
  return /Last error: (?:Error: )?(?<reason>.+?)\. Resolution note:/u.exec(details)?.groups?.["reason"];
}

/**
 * What code 2, UNKNOWN, stands for. Runtimes give it for nearly every failed pull, and only its text tells more: the
 * names that Kubernetes has for it (k8s.io/cri-api, pkg/errors), and what containerd's resolver says.
 */
function codeOfDetails(details: string): ErrorCode {
  if (details.startsWith("RegistryUnavailable")) return "registry-unreachable";
  if (details.startsWith("SignatureValidationFailed")) return "signature-invalid";
  // containerd 1.x and 2.x, remotes/docker: an answer of 401 or 403 of the registry or of its token server.
  if (/\b40[13] (?:Unauthorized|Forbidden)\b|authorization failed|pull access denied/u.test(details)) {
    return "registry-unauthorized";
  }
  // The same resolver, where nobody answered, and where the answer was that it cannot be done now.
  if (/\bfailed to do request\b|\bdial tcp\b/u.test(details)) return "registry-unreachable";
  if (/: (?:429 Too|5\d\d [A-Z])/u.test(details)) return "registry-failed";
  return "runtime-failed";
}
