import type { ApiClient } from "./kubernetes/api-client.ts";

/** What came of a storm. */
export interface StormReport {
  /** Those that the API server took. */
  readonly writes: number;
  /** Those that it refused, as somebody else was faster. */
  readonly conflicts: number;
  /** What was written and was not there when it was looked at again. */
  readonly lost: readonly string[];
}

interface Written {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly message: string }[] };
}

const mark = "storm.example.com/count";

/**
 * Writes a label, an annotation and a condition of its own into objects as fast as it can, and looks whether they stay.
 * @param objects of the image group, such as `imagepolicies/app`
 */
export function startStorm(
  api: ApiClient,
  namespace: string,
  objects: readonly string[],
): { end(): Promise<StormReport> } {
  let writes = 0;
  let conflicts = 0;
  const lost: string[] = [];
  const ending = new AbortController();

  const writeMetadata = async (path: string): Promise<void> => {
    for (let round = 0; !ending.signal.aborted; round++) {
      const count = String(writes);
      await api.patch(path, "merge", {
        metadata: { labels: { [mark]: count }, annotations: { [mark]: count } },
      });
      writes += 1;
      if (round % 5 !== 0) continue;
      const { labels = {}, annotations = {} } = (await api.get<Written>(path)).metadata;
      if (labels[mark] !== count || annotations[mark] !== count) lost.push(`${path}: ${count}`);
    }
  };

  const writeCondition = async (path: string): Promise<void> => {
    let told: string | undefined;
    while (!ending.signal.aborted) {
      const { metadata, status } = await api.get<Written>(path);
      const conditions = status?.conditions ?? [];
      const known = conditions.find(({ type }) => type === "Storm")?.message;
      if (known !== told) lost.push(`${path}: condition ${told} is ${known}`);
      const condition = {
        type: "Storm",
        status: "True",
        reason: "Storm",
        message: String(writes),
        lastTransitionTime: "2026-08-01T00:00:00Z",
      };
      const body = {
        metadata: { resourceVersion: metadata.resourceVersion },
        status: { conditions: [...conditions.filter(({ type }) => type !== "Storm"), condition] },
      };
      const contentType = "application/merge-patch+json";
      const answer = await api.request("PATCH", `${path}/status`, { body, contentType });
      if (answer.status === 409) {
        conflicts += 1;
        continue;
      }
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
      told = condition.message;
      writes += 1;
    }
  };

  const running = Promise.all(
    objects
      .map((object) => `/apis/image.toolkit.fluxcd.io/v1/namespaces/${namespace}/${object}`)
      .flatMap((path) => [writeMetadata(path), writeCondition(path)]),
  );
  return {
    end: async () => {
      ending.abort();
      await running;
      return { writes, conflicts, lost };
    },
  };
}
