import type { YamlMap } from "../../yaml/value.ts";
import { formatValuePath } from "../../yaml/value-path.ts";
import { valuesOfSwitches, type Switch } from "./switches.ts";

/** A rendering with more of the chart switched on. */
export interface Explored<Rendering> {
  readonly switches: readonly Switch[];
  readonly values: YamlMap;
  readonly rendering: Rendering;
}

export interface Exploration<Rendering> {
  readonly explored: readonly Explored<Rendering>[];
  /** Switches that no rendering could turn on, or for which the limit left no time. */
  readonly left: readonly Switch[];
  readonly renderings: number;
}

export interface ExploreInput<Rendering> {
  /** The switches of the chart as it is. */
  readonly switches: readonly Switch[];
  /** Renders with these values on top; undefined where the chart does not render. */
  readonly render: (values: YamlMap) => Promise<Rendering | undefined>;
  /** The switches that a rendering shows to be off. */
  readonly switchesOf: (rendering: Rendering) => readonly Switch[];
  /** How many renderings it may take. */
  readonly limit: number;
}

/**
 * Turns on what a chart keeps off: all together, in halves where that does not render, what comes to light then
 * as well, and at the end by themselves those that do not go with the others.
 */
export async function explore<Rendering>(input: ExploreInput<Rendering>): Promise<Exploration<Rendering>> {
  const explorer = new Explorer(input);
  await explorer.together(input.switches);
  await explorer.alone();
  return explorer.result();
}

class Explorer<Rendering> {
  readonly #input: ExploreInput<Rendering>;
  readonly #explored: Explored<Rendering>[] = [];
  readonly #known = new Set<string>();
  #on: readonly Switch[] = [];
  #left: Switch[] = [];
  #renderings = 0;

  constructor(input: ExploreInput<Rendering>) {
    this.#input = input;
  }

  /** Adds switches to those that are on; what the renderings bring to light is added in turn. */
  async together(found: readonly Switch[]): Promise<void> {
    let fresh = this.#fresh(found);
    while (fresh.length > 0) {
      const before = this.#explored.length;
      await this.#add(fresh);
      const last = this.#explored.length > before ? this.#explored.at(-1) : undefined;
      fresh = last === undefined ? [] : this.#fresh(this.#input.switchesOf(last.rendering));
    }
  }

  /** Turns on by itself each switch that did not go with the others. */
  async alone(): Promise<void> {
    const apart = this.#left;
    this.#left = [];
    for (const one of apart) {
      if (!(await this.#try([one]))) this.#left.push(one);
    }
  }

  result(): Exploration<Rendering> {
    return { explored: this.#explored, left: this.#left, renderings: this.#renderings };
  }

  async #add(switches: readonly Switch[]): Promise<void> {
    const all = [...this.#on, ...switches];
    if (await this.#try(all)) {
      this.#on = all;
    } else if (switches.length === 1 || this.#renderings >= this.#input.limit) {
      this.#left.push(...switches);
    } else {
      const middle = Math.ceil(switches.length / 2);
      await this.#add(switches.slice(0, middle));
      await this.#add(switches.slice(middle));
    }
  }

  async #try(switches: readonly Switch[]): Promise<boolean> {
    if (this.#renderings >= this.#input.limit) return false;
    this.#renderings += 1;
    const values = valuesOfSwitches(switches);
    const rendering = await this.#input.render(values);
    if (rendering !== undefined) this.#explored.push({ switches, values, rendering });
    return rendering !== undefined;
  }

  #fresh(switches: readonly Switch[]): Switch[] {
    return switches.filter(({ path }) => {
      const key = formatValuePath(path);
      return !this.#known.has(key) && this.#known.add(key);
    });
  }
}
