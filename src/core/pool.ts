/**
 * Runs `work` over `items` with at most `limit` at a time and gives the results in the items' order.
 * The first rejection stops new work from starting and is thrown once what runs has ended.
 */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  let stopped = false;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length && !stopped; index = next++) {
      try {
        results[index] = await work(items[index] as Item, index);
      } catch (error) {
        stopped = true;
        throw error;
      }
    }
  };
  const outcomes = await Promise.allSettled(
    Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, worker),
  );
  const failure = outcomes.find((outcome) => outcome.status === "rejected");
  if (failure !== undefined) throw failure.reason;
  return results;
}
