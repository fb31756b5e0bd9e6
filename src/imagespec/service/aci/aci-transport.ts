import { open } from "node:fs/promises";
import { createAddressGuard, type AddressGuard } from "../../../core/address-guard.ts";
import { FairleadError } from "../../../core/error.ts";
import type { Logger } from "../../../core/log.ts";
import type { RegistryAccess } from "../../../registry/registry-api.ts";
import type { Call } from "../../../registry/transport/call.ts";
import { createDirectSender } from "../../../registry/transport/direct-sender.ts";
import { createDispatcherChoice } from "../../../registry/transport/dispatcher.ts";
import { createHostLimits } from "../../../registry/transport/host-limits.ts";
import {
  describeUrl,
  type HttpAnswer,
  type HttpRequest,
  type Send,
} from "../../../registry/transport/http-exchange.ts";
import type { Environment } from "../../../registry/transport/proxy-choice.ts";
import { type RetryOptions, withRetries } from "../../../registry/transport/retry.ts";
import { describeStoreFailure } from "./store-failure.ts";

/** How the hosts are reached that the names of images lead to. */
export interface AciTransportOptions {
  readonly access?: Pick<RegistryAccess, "ca" | "proxy"> | undefined;
  /** Where `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` stand, for an access without proxy; default: nowhere. */
  readonly env?: Environment | undefined;
  /** Default: one that allows nothing beyond the usual. */
  readonly guard?: AddressGuard | undefined;
  /** Host names, without ports, for which plain http is taken where https is not spoken. */
  readonly plainHttpHosts?: readonly string[] | undefined;
  readonly retry?: RetryOptions | undefined;
  readonly log?: Logger | undefined;
  /** For one page or signature, and for a file of which nothing more comes; default: 30,000 ms. */
  readonly attemptTimeoutMs?: number | undefined;
}

/** Reads pages and files over the network, each address checked as it is connected to. */
export interface AciTransport {
  /** Whether plain http may be spoken with a host. */
  allowsPlainHttp(url: URL): boolean;
  /** A body of at most so many bytes, whatever the status. @throws FairleadError `limit-exceeded`, `address-refused` */
  get(url: URL, maxBytes: number, call: Call): Promise<HttpAnswer>;
  /** Writes the body of a success into a file. @throws FairleadError as {@link get} */
  download(url: URL, target: DownloadTarget, call: Call): Promise<HttpAnswer>;
}

export interface DownloadTarget {
  readonly file: string;
  readonly maxBytes: number;
  readonly onBytes?: (doneBytes: number) => void;
}

const maxRedirects = 10;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const defaultAttemptTimeoutMs = 30_000;
/** A whole file; its call mostly ends sooner. */
const downloadTimeoutMs = 24 * 60 * 60_000;

/** A transport that retries, follows redirects and keeps connections. @throws FairleadError `config-invalid` */
export function createAciTransport(options: AciTransportOptions): AciTransport {
  const { access = {}, env = {}, guard = createAddressGuard(), retry = {}, log } = options;
  const { attemptTimeoutMs = defaultAttemptTimeoutMs } = options;
  const plainHttpHosts = new Set(options.plainHttpHosts);
  const dispatcherFor = createDispatcherChoice(undefined, { access, environment: env, lookup: guard.lookup });
  const limits = createHostLimits();
  const allowsPlainHttp = (url: URL): boolean => plainHttpHosts.has(url.hostname);
  const check = (url: URL): void => {
    if (url.protocol !== "https:" && !(url.protocol === "http:" && allowsPlainHttp(url))) {
      throw new FairleadError("registry-failed", `${describeUrl(url)} is not reached by https`, {
        hint: "plain http is spoken only with hosts for which it is allowed",
      });
    }
    guard.checkHost(url.hostname);
  };
  const senderOf = (timeoutMs: number): Send =>
    withRetries(following(createDirectSender(dispatcherFor, timeoutMs), check), { ...retry, limits, log });
  const sendPage = senderOf(attemptTimeoutMs);
  const sendFile = senderOf(downloadTimeoutMs);
  return {
    allowsPlainHttp,
    get: async (url, maxBytes, call) => sendPage(requestFor(url, maxBytes), call),
    download: async (url, target, call) => {
      const sink = async (chunks: AsyncIterable<Uint8Array>): Promise<void> =>
        writeFile(withoutStalls(chunks, url, attemptTimeoutMs), url, target);
      return sendFile({ ...requestFor(url, target.maxBytes), sink }, call);
    },
  };
}

function requestFor(url: URL, maxBytes: number): HttpRequest {
  return { method: "GET", url, headers: { "user-agent": "fairlead", accept: "*/*" }, maxBytes };
}

function following(send: Send, check: (url: URL) => void): Send {
  return async (first, call) => {
    let { url } = first;
    for (let count = 0; ; count += 1) {
      check(url);
      const answer = await send({ ...first, url }, call);
      if (!redirectStatuses.has(answer.status)) return answer;
      const target = URL.parse(answer.headers["location"] ?? "", url.href);
      if (target === null || answer.headers["location"] === undefined || target.username !== "") {
        throw refusal(url, "redirects to no address");
      }
      if (count === maxRedirects) throw refusal(first.url, `redirects more than ${maxRedirects} times`);
      url = target;
    }
  };
}

async function writeFile(
  chunks: AsyncIterable<Uint8Array>,
  url: URL,
  { file, maxBytes, onBytes }: DownloadTarget,
): Promise<void> {
  const output = await open(file, "w", 0o600).catch(rethrow);
  let doneBytes = 0;
  try {
    for await (const chunk of chunks) {
      doneBytes += chunk.length;
      if (doneBytes > maxBytes) {
        throw new FairleadError("limit-exceeded", `${describeUrl(url)} sends more than ${maxBytes} bytes`);
      }
      await output.appendFile(chunk).catch(rethrow);
      onBytes?.(doneBytes);
    }
  } finally {
    await output.close();
  }
}

async function* withoutStalls(
  chunks: AsyncIterable<Uint8Array>,
  url: URL,
  timeoutMs: number,
): AsyncGenerator<Uint8Array, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  for (;;) {
    const stall = Promise.withResolvers<never>();
    const message = `${describeUrl(url)} sent nothing for ${timeoutMs / 1000} s`;
    const timer = setTimeout(
      () => stall.reject(new FairleadError("registry-unreachable", message, { retryable: true })),
      timeoutMs,
    );
    const next = await Promise.race([iterator.next(), stall.promise]).finally(() => clearTimeout(timer));
    if (next.done === true) return;
    yield next.value;
  }
}

function rethrow(error: unknown): never {
  throw describeStoreFailure(error);
}

function refusal(url: URL, what: string): FairleadError {
  return new FairleadError("registry-failed", `${describeUrl(url)} ${what}`);
}
