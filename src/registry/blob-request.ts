import { parseDigest } from "../reference/digest.ts";
import type { ImageReference } from "../reference/reference.ts";
import { verifyDigest } from "./content-digest.ts";
import type { RegistrySession } from "./registry-session.ts";
import type { Call } from "./transport/call.ts";
import { describeUrl, isSuccess } from "./transport/http-exchange.ts";

/**
 * A blob, checked against its digest; registries may keep it on another host.
 * @throws FairleadError `limit-exceeded` beyond `maxBytes`, `image-not-found`, `digest-invalid`, `registry-failed`
 *   where the digest differs
 */
export async function getBlob(
  session: RegistrySession,
  repository: ImageReference,
  { digest, maxBytes }: { readonly digest: string; readonly maxBytes: number },
  call: Call,
): Promise<Uint8Array> {
  parseDigest(digest);
  const url = `/v2/${repository.path}/blobs/${digest}`;
  const answer = await session.send(repository, { method: "GET", url, accept: "*/*", maxBytes }, call);
  if (!isSuccess(answer)) throw answer.failure();
  verifyDigest(answer.body, digest, describeUrl(answer.url));
  return answer.body;
}
