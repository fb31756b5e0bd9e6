/** Values of a metric's labels, by their names. */
export type Labels = Readonly<Record<string, string>>;

/** A metric as Prometheus reads it. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** Its lines, without their line ends. */
  samples(): readonly string[];
}

/** Beyond so many combinations of labels, those that come are counted under `other`. */
const maxSeries = 10_000;

class Series<Value> {
  readonly #labels = new Map<string, Value>();
  readonly #make: () => Value;

  constructor(make: () => Value) {
    this.#make = make;
  }

  of(labels: Labels): Value {
    const text = formatLabels(labels);
    const known = this.#labels.get(text);
    if (known !== undefined) return known;
    if (this.#labels.size > maxSeries && Object.values(labels).some((value) => value !== "other")) {
      return this.of(Object.fromEntries(Object.keys(labels).map((name) => [name, "other"])));
    }
    const made = this.#make();
    this.#labels.set(text, made);
    return made;
  }

  remove(labels: Labels): void {
    this.#labels.delete(formatLabels(labels));
  }

  entries(): IterableIterator<[string, Value]> {
    return this.#labels.entries();
  }
}

/** A number that only grows. */
export class Counter implements Metric {
  readonly type = "counter";
  readonly name: string;
  readonly help: string;
  readonly #series = new Series(() => ({ value: 0 }));

  constructor(name: string, help: string) {
    this.name = name;
    this.help = help;
  }

  /** Counts one more, or several. */
  increment(labels: Labels = {}, by: number = 1): void {
    this.#series.of(labels).value += by;
  }

  samples(): readonly string[] {
    return Array.from(this.#series.entries(), ([labels, { value }]) => sample(this.name, labels, value));
  }
}

/** A number that is looked up when it is asked for, or that goes up and down. */
export class Gauge implements Metric {
  readonly type = "gauge";
  readonly name: string;
  readonly help: string;
  readonly #series = new Series(() => ({ value: 0 }));
  readonly #read: (() => number) | undefined;

  constructor(name: string, help: string, read?: () => number) {
    this.name = name;
    this.help = help;
    this.#read = read;
  }

  /** Changes the number by so much. */
  add(change: number, labels: Labels = {}): void {
    this.#series.of(labels).value += change;
  }

  samples(): readonly string[] {
    if (this.#read !== undefined) return [sample(this.name, "", this.#read())];
    return Array.from(this.#series.entries(), ([labels, { value }]) => sample(this.name, labels, value));
  }
}

/** How often values fell below bounds. */
export class Histogram implements Metric {
  readonly type = "histogram";
  readonly name: string;
  readonly help: string;
  readonly #bounds: readonly number[];
  /** The bounds as labels. */
  readonly #limits: readonly string[];
  readonly #series: Series<{ counts: number[]; sum: number; count: number }>;

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.name = name;
    this.help = help;
    this.#bounds = bounds;
    this.#limits = [...bounds.map(formatBound), "+Inf"].map((bound) => `le="${bound}"}`);
    this.#series = new Series(() => ({ counts: bounds.map(() => 0), sum: 0, count: 0 }));
  }

  /** Counts a value. */
  observe(value: number, labels: Labels = {}): void {
    const series = this.#series.of(labels);
    series.sum += value;
    series.count += 1;
    const index = this.#bounds.findIndex((bound) => value <= bound);
    if (index !== -1) series.counts[index] = (series.counts[index] ?? 0) + 1;
  }

  /** Forgets what was counted under these labels. */
  remove(labels: Labels): void {
    this.#series.remove(labels);
  }

  samples(): readonly string[] {
    const lines: string[] = [];
    for (const [labels, { counts, sum, count }] of this.#series.entries()) {
      const bucket = `${this.name}_bucket{${labels === "" ? "" : `${labels},`}`;
      let below = 0;
      for (const [index, limit] of this.#limits.entries()) {
        below = index < counts.length ? below + (counts[index] ?? 0) : count;
        lines.push(`${bucket}${limit} ${below}`);
      }
      lines.push(sample(`${this.name}_sum`, labels, sum), sample(`${this.name}_count`, labels, count));
    }
    return lines;
  }
}

/** A metric whose series are looked up when it is asked for. */
export function lookUpMetric(
  type: "counter" | "gauge",
  name: string,
  help: string,
  read: () => Iterable<readonly [labels: Labels, value: number]>,
): Metric {
  const samples = (): readonly string[] =>
    Array.from(read(), ([labels, value]) => sample(name, formatLabels(labels), value));
  return { name, help, type, samples };
}

/** The metrics in Prometheus's text format, version 0.0.4. */
export function formatMetrics(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap((metric) => [
    `# HELP ${metric.name} ${metric.help.replaceAll("\\", String.raw`\\`).replaceAll("\n", String.raw`\n`)}`,
    `# TYPE ${metric.name} ${metric.type}`,
    ...metric.samples(),
  ]);
  return [...lines, ""].join("\n");
}

/** The media type of {@link formatMetrics}. */
export const metricsContentType = "text/plain; version=0.0.4; charset=utf-8";

function formatLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(",");
}

function escapeLabel(value: string): string {
  if (!/[\\"\n\ud800-\udfff]/u.test(value)) return value;
  return value
    .toWellFormed()
    .replaceAll("\\", String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll("\n", String.raw`\n`);
}

/** A bound is text like any label, and the same as Go writes it. */
function formatBound(bound: number): string {
  const size = Math.abs(bound);
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return String(bound);
  return bound.toExponential().replace(/(?<=e[+-])(?=\d$)/u, "0");
}

function sample(name: string, labels: string, value: number): string {
  return `${name}${labels === "" ? "" : `{${labels}}`} ${Number.isNaN(value) ? "NaN" : value}`;
}
