import { FairleadError } from "../core/error.ts";
import type { Logger } from "../core/log.ts";
import type { ImageReference } from "../reference/reference.ts";
import { parseJsonObject } from "./json-body.ts";
import { tryFindNextLink } from "./link-header.ts";
import { errorCodesOf } from "./registry-failure.ts";
import type { RegistrySession, RepositoryAnswer } from "./registry-session.ts";
import type { Call } from "./transport/call.ts";
import { describeUrl, isSuccess } from "./transport/http-exchange.ts";

/** Bounds on what a registry may list; the defaults let a million tags through. */
export interface TagListLimits {
  /** Default: 20,000. */
  readonly maxPages?: number | undefined;
  /** Default: 2,000,000. */
  readonly maxTags?: number | undefined;
  /** Default: 32 MiB; docker's registry before version 3 gives all tags in one page. */
  readonly maxPageBytes?: number | undefined;
}

const pageSize = 1_000;
/** What registries take that refuse more. */
const smallPageSize = 100;
/** Pages in a row without a tag that is not known yet: some registries end with an empty page. */
const maxEmptyPages = 3;
/**
 * Objects, lists and fields that a page may have. Some registries tell of each manifest beside its tags; more than
 * this would keep the process busy for seconds.
 */
const maxPageParts = 1_000_000;
const tagPattern = /^\w[\w.-]{0,127}$/u;

interface TagListOptions {
  readonly limits: TagListLimits;
  readonly log: Logger | undefined;
}

/**
 * Every tag of a repository, in the registry's order, without repetition. What is no tag by the grammar is left
 * out with a warning in the log.
 * @throws FairleadError `image-not-found`, `registry-failed` for lists that never end or lead elsewhere
 */
export async function listTags(
  session: RegistrySession,
  repository: ImageReference,
  options: TagListOptions,
  call: Call,
): Promise<readonly string[]> {
  const { maxTags = 2_000_000 } = options.limits;
  const tags = new Set<string>();
  let emptyPages = 0;
  let invalid = 0;
  for await (const page of readPages(session, repository, options.limits, call)) {
    const before = tags.size;
    for (const tag of readTags(page)) {
      if (tagPattern.test(tag)) tags.add(tag);
      else invalid += 1;
    }
    emptyPages = tags.size === before ? emptyPages + 1 : 0;
    if (emptyPages > maxEmptyPages) throw endless(page, "in a circle");
    if (tags.size > maxTags) throw endless(page, "without an end");
  }
  if (invalid > 0) {
    options.log?.warn("the registry lists what is no tag", { repository: repository.path, count: invalid });
  }
  return [...tags];
}

async function* readPages(
  session: RegistrySession,
  { registry, path, writtenPath }: ImageReference,
  { maxPages = 20_000, maxPageBytes = 32 * 1024 * 1024 }: TagListLimits,
  call: Call,
): AsyncGenerator<RepositoryAnswer> {
  const repository = { registry, path, writtenPath };
  const visited = new Set<string>();
  const read = async (url: string | URL): Promise<RepositoryAnswer> =>
    session.send(repository, { method: "GET", url, maxBytes: maxPageBytes }, call);
  const list = `/v2/${path}/tags/list`;
  let answer = await read(`${list}?n=${pageSize}`);
  if (refusesPageSize(answer)) answer = await read(`${list}?n=${smallPageSize}`);
  for (let count = 1; ; count += 1) {
    if (!isSuccess(answer)) throw answer.failure();
    yield answer;
    const next = tryFindNextPage(answer);
    if (next === undefined) return;
    if (visited.has(next.href)) throw endless(answer, "in a circle");
    if (count >= maxPages) throw endless(answer, "without an end");
    visited.add(next.href);
    answer = await read(next);
  }
}

function refusesPageSize(answer: RepositoryAnswer): boolean {
  return answer.status === 400 && errorCodesOf(answer).includes("PAGINATION_NUMBER_INVALID");
}

/** The tags of a page; `null` is how docker's registry writes none. */
function readTags(answer: RepositoryAnswer): readonly string[] {
  const source = describeUrl(answer.url);
  if (countParts(answer.body) > maxPageParts) {
    throw new FairleadError("registry-failed", `${source} sends far more than a list of tags`);
  }
  const tags = parseJsonObject(answer.body, source)["tags"] ?? [];
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === "string")) {
    throw new FairleadError("registry-failed", `${source} sends no list of tags`);
  }
  return tags;
}

/** An upper bound on the objects, lists and fields of JSON text. */
function countParts(json: Uint8Array): number {
  let count = 0;
  for (const byte of json) {
    if (byte === 0x7b || byte === 0x5b || byte === 0x3a) count += 1;
  }
  return count;
}

/** The page that follows; only one of the same scheme and host is asked for. */
function tryFindNextPage({ url, headers }: RepositoryAnswer): URL | undefined {
  const link = tryFindNextLink(headers["link"]);
  if (link === undefined) return undefined;
  const next = URL.parse(link, url.href);
  if (next === null || next.origin !== url.origin || next.username !== "" || next.password !== "") {
    throw new FairleadError("registry-failed", `${describeUrl(url)} continues its list at another host`, {
      hint: "a registry behind a proxy must be told its own address",
    });
  }
  return next;
}

function endless({ url }: RepositoryAnswer, how: string): FairleadError {
  return new FairleadError("registry-failed", `${describeUrl(url)} continues its list ${how}`);
}
