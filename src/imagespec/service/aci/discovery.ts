import { FairleadError } from "../../../core/error.ts";
import { excerpt } from "../../../core/escape.ts";
import type { Call } from "../../../registry/transport/call.ts";
import { describeUrl, type HttpAnswer, isSuccess } from "../../../registry/transport/http-exchange.ts";
import type { AciTransport } from "./aci-transport.ts";
import { readDiscoveryTags } from "./discovery-page.ts";
import { type DiscoveryQuery, type ImageLocation, renderTemplates } from "./discovery-template.ts";

const maxPageBytes = 1024 * 1024;

/**
 * Finds where an image is, as its name's host tells (appc specification, "App Container Image Discovery"): the page of
 * its name, then those of the folders above, until one has a template for it.
 * @returns at least one place, in the order in which they are to be tried
 * @throws FairleadError `aci-not-found`, `registry-unreachable`, `registry-failed`, `limit-exceeded`,
 *   `address-refused`, and the reason of the call's signal
 */
export async function discoverImage(
  query: DiscoveryQuery,
  transport: AciTransport,
  call: Call,
): Promise<readonly ImageLocation[]> {
  const parts = query.name.split("/");
  for (let count = parts.length; count > 0; count -= 1) {
    const answer = await getPage(parts.slice(0, count).join("/"), transport, call);
    if (!isSuccess(answer)) {
      if (answer.status >= 400 && answer.status < 500) continue;
      throw statusFailure(answer);
    }
    const tags = readDiscoveryTags(Buffer.from(answer.body).toString("utf8"));
    const locations = renderTemplates(tags, query).filter(
      ({ image }) => image.protocol === "https:" || transport.allowsPlainHttp(image),
    );
    if (locations.length > 0) return locations;
  }
  throw new FairleadError("aci-not-found", `nothing tells where the ACI ${describeQuery(query)} is`, {
    hint: `https://${query.name}?ac-discovery=1, or a page above it, has no meta tag ac-discovery for it`,
  });
}

/** A name with its labels, for people. */
export function describeQuery({ name, labels }: DiscoveryQuery): string {
  return [name, ...labels.map((label) => `${label.name}=${label.value}`)]
    .map((part) => excerpt(part))
    .join(",");
}

/** What a status that is no success means. */
export function statusFailure({ status, url }: Pick<HttpAnswer, "status" | "url">): FairleadError {
  const retryable = status >= 500 || status === 429;
  const code = status === 401 || status === 403 ? "registry-unauthorized" : "registry-failed";
  return new FairleadError(code, `${describeUrl(url)} answers with status ${status}`, { retryable });
}

async function getPage(path: string, transport: AciTransport, call: Call): Promise<HttpAnswer> {
  const secure = new URL(`https://${path}?ac-discovery=1`);
  try {
    return await transport.get(secure, maxPageBytes, call);
  } catch (error) {
    const isUnreachable = error instanceof FairleadError && error.code === "registry-unreachable";
    if (!isUnreachable || !transport.allowsPlainHttp(secure)) throw error;
    return transport.get(new URL(`http://${path}?ac-discovery=1`), maxPageBytes, call);
  }
}
