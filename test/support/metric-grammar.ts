const name = /^[a-z_:][\w:]*$/iu;
const sampleLine = /^(?<name>[a-z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/iu;
const label = /(?<name>[a-z_]\w*)="(?<value>(?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/giy;

interface Family {
  readonly type: string;
  /** Without `le`, with the bounds and values of its buckets. */
  readonly series: Map<string, { readonly buckets: [bound: number, value: number][]; count?: number }>;
}

/**
 * What is wrong with a text in Prometheus's format 0.0.4, by the rules of promtool: one HELP and one TYPE before the
 * samples of a metric, which are together and each there once, counters that end in `_total`, and buckets that grow and
 * end with the count.
 */
export function metricProblems(text: string): readonly string[] {
  const problems: string[] = [];
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let current = "";
  if (!text.endsWith("\n")) problems.push("the last line does not end");
  for (const line of text.split("\n").slice(0, -1)) {
    const [, keyword, metric = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/u.exec(line) ?? [];
    if (keyword === "HELP") {
      if (!name.test(metric) || families.has(metric)) problems.push(`out of place: ${line}`);
      current = metric;
    } else if (keyword === "TYPE") {
      if (metric !== current) problems.push(`no HELP before: ${line}`);
      if ((rest === "counter") !== metric.endsWith("_total"))
        problems.push(`named otherwise than its type: ${line}`);
      families.set(metric, { type: rest, series: new Map() });
    } else {
      const family = families.get(current);
      const wrong = family === undefined ? "no TYPE before" : sampleProblem(line, current, family, seen);
      if (wrong !== undefined) problems.push(`${wrong}: ${line}`);
    }
  }
  return [...problems, ...Array.from(families, ([metric, family]) => bucketProblems(metric, family)).flat()];
}

function sampleProblem(line: string, metric: string, family: Family, seen: Set<string>): string | undefined {
  const { name: told = "", labels = "", value = "" } = sampleLine.exec(line)?.groups ?? {};
  const suffix = told.slice(metric.length);
  const suffixes = family.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
  if (!told.startsWith(metric) || !suffixes.includes(suffix)) return "not of this metric";
  if (Number.isNaN(Number(value))) return "no number";
  const pairs = [...labels.matchAll(label)].map(({ groups }) => [
    groups?.["name"] ?? "",
    groups?.["value"] ?? "",
  ]);
  if (pairs.map(([key, text]) => `${key}="${text}"`).join(",") !== labels) return "no labels";
  if (new Set(pairs.map(([key]) => key)).size < pairs.length) return "a label twice";
  const id = `${told}{${pairs
    .map((pair) => pair.join("="))
    .toSorted()
    .join(",")}}`;
  if (seen.has(id)) return "twice";
  seen.add(id);
  if (suffix === "_bucket" || suffix === "_count") {
    const others = JSON.stringify(pairs.filter(([key]) => key !== "le"));
    const bound = pairs.find(([key]) => key === "le")?.[1];
    const series = family.series.get(others) ?? { buckets: [] };
    family.series.set(others, series);
    if (suffix === "_count") series.count = Number(value);
    else series.buckets.push([bound === "+Inf" ? Infinity : Number(bound), Number(value)]);
  }
  return undefined;
}

function bucketProblems(metric: string, { type, series }: Family): readonly string[] {
  if (type !== "histogram") return [];
  return Array.from(series, ([labels, { buckets, count }]) => {
    const grows = buckets.every(([bound, value], index) => {
      const [before, below] = buckets[index - 1] ?? [-Infinity, 0];
      return bound > before && value >= below;
    });
    const [last, all] = buckets.at(-1) ?? [];
    return grows && last === Infinity && all === count ? [] : [`buckets of ${metric}${labels}`];
  }).flat();
}
