import { FairleadError } from "../../core/error.ts";
import { describeUrl, type HttpAnswer, type HttpRequest, type Send } from "./http-exchange.ts";

const maxRedirects = 5;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Follows redirects of reads, at most five, as registries send blobs to their store and old names to new hosts.
 * Another origin is not given the `Authorization`; https does not lead to plain http.
 * @throws FairleadError `registry-failed` for a redirect that is refused
 */
export function withRedirects(send: Send): Send {
  return async (first, call) => {
    let request = first;
    for (let count = 0; ; count += 1) {
      const answer = await send(request, call);
      if (!redirectStatuses.has(answer.status) || request.method === "POST") return answer;
      if (count === maxRedirects) throw refusal(first, `redirects more than ${maxRedirects} times`);
      request = redirected(request, targetOf(request, answer));
    }
  };
}

function targetOf(request: HttpRequest, { headers }: HttpAnswer): URL {
  const target = URL.parse(headers["location"] ?? "", request.url.href);
  if (headers["location"] === undefined || target === null) throw refusal(request, "redirects to no address");
  if (target.protocol !== "https:" && !(target.protocol === "http:" && request.url.protocol === "http:")) {
    throw refusal(request, "redirects from https to another scheme");
  }
  if (target.username !== "" || target.password !== "") {
    throw refusal(request, "redirects to an address with a user");
  }
  return target;
}

function redirected(request: HttpRequest, url: URL): HttpRequest {
  if (url.origin === request.url.origin) return { ...request, url };
  const { authorization: _authorization, ...headers } = request.headers;
  return { ...request, url, headers };
}

function refusal({ url }: HttpRequest, what: string): FairleadError {
  return new FairleadError("registry-failed", `${describeUrl(url)} ${what}`);
}
