import { excerpt } from "../../core/escape.ts";
import { isTag } from "../../reference/grammar.ts";
import { fromBytes } from "../../helm/go/utf8.ts";
import { LossList, type Loss } from "./explanation.ts";
import type { CompiledFilter } from "./tag-filter.ts";
import type { TagOrder } from "./tag-order.ts";

/** What decides which of a repository's tags is the latest. */
export interface ContestRules {
  /** The expression of the exclusion list that a tag matches. */
  readonly exclude: (tag: string) => string | undefined;
  readonly filter: CompiledFilter | undefined;
  readonly isExplained: boolean;
}

export interface ContestResult {
  /** Undefined where no tag can be chosen. */
  readonly winner: string | undefined;
  readonly losses: LossList;
}

interface Candidate<Rank> {
  readonly tag: string;
  /** What is compared: the tag, or what the filter extracts of it. */
  readonly text: string;
  readonly rank: Rank;
}

/**
 * Finds the latest of the tags in one pass, whatever their order. Of two with one rank the order's rule on texts
 * decides; of two with one text, the smaller tag wins, which is the last that Flux reads.
 * @throws FairleadError as the order does
 */
export function findWinner<Rank>(
  tags: Iterable<string>,
  order: TagOrder<Rank>,
  { exclude, filter, isExplained }: ContestRules,
): ContestResult {
  const losses = new LossList();
  const candidates: Candidate<Rank>[] = [];
  let best: Candidate<Rank> | undefined;
  for (const tag of tags) {
    const text = isTag(tag) ? textOf(tag, exclude, filter, losses) : undefined;
    if (text === undefined) {
      if (!isTag(tag)) losses.add(excerpt(tag), "invalid-tag");
      continue;
    }
    const rank = order.tryRank(text);
    if (rank === undefined) {
      const { reason, detail } = isExplained
        ? order.explainUnranked(text)
        : ({ reason: "unparsable", detail: "" } as const);
      losses.add(tag, reason, () => ({ ...extracted(tag, text), detail }));
      continue;
    }
    const candidate = { tag, text, rank };
    if (isExplained) candidates.push(candidate);
    if (best === undefined || isBetter(candidate, best, order)) best = candidate;
  }
  for (const candidate of candidates) {
    if (best === undefined || candidate.tag === best.tag) continue;
    const isTie = order.compare(candidate.rank, best.rank) === 0;
    losses.add(candidate.tag, isTie ? "tie" : "older", () => extracted(candidate.tag, candidate.text));
  }
  return { winner: best?.tag, losses };
}

function textOf(
  tag: string,
  exclude: ContestRules["exclude"],
  filter: CompiledFilter | undefined,
  losses: LossList,
): string | undefined {
  const expression = exclude(tag);
  if (expression !== undefined) {
    losses.add(tag, "excluded", () => ({ detail: `matches '${excerpt(expression)}' of the exclusion list` }));
    return undefined;
  }
  if (filter === undefined) return tag;
  const text = filter.extract(tag);
  if (text === undefined) losses.add(tag, "filtered");
  return text;
}

function extracted(tag: string, text: string): Pick<Loss, "extracted"> {
  return text === tag ? {} : { extracted: excerpt(fromBytes(text)) };
}

function isBetter<Rank>(candidate: Candidate<Rank>, best: Candidate<Rank>, order: TagOrder<Rank>): boolean {
  const difference = order.compare(candidate.rank, best.rank);
  if (difference !== 0) return difference > 0;
  if (candidate.text !== best.text) return candidate.text > best.text === order.greaterTextWins;
  return candidate.tag < best.tag;
}
