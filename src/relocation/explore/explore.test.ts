import { describe, expect, test } from "vitest";
import { parseValuePath } from "../../yaml/value-path.ts";
import type { YamlMap } from "../../yaml/value.ts";
import { explore } from "./explore.ts";
import type { Switch } from "./switches.ts";

const switchAt = (path: string): Switch => ({ path: parseValuePath(path), on: true });
const switches = (...paths: readonly string[]): Switch[] => paths.map(switchAt);

/** Explores a chart that is told by what it refuses and by what shows only once something is on. */
async function run(
  found: readonly string[],
  {
    limit = 100,
    refuses = () => false,
    shows = {},
  }: {
    readonly limit?: number;
    readonly refuses?: (on: readonly string[]) => boolean;
    readonly shows?: Readonly<Record<string, readonly string[]>>;
  } = {},
) {
  const result = await explore<readonly string[]>({
    switches: switches(...found),
    limit,
    render: async (values: YamlMap) => {
      const on = Object.keys(values);
      return refuses(on) ? undefined : on;
    },
    switchesOf: (on) => switches(...on.flatMap((name) => shows[name] ?? [])),
  });
  return {
    on: result.explored.map(({ rendering }) => rendering.join("+")),
    left: result.left.map(({ path }) => path.join(".")),
    renderings: result.renderings,
  };
}

describe("explore", () => {
  test.each<[string, Parameters<typeof run>, Awaited<ReturnType<typeof run>>]>([
    ["nothing is off", [[]], { on: [], left: [], renderings: 0 }],
    ["all go together", [["a", "b", "c"]], { on: ["a+b+c"], left: [], renderings: 1 }],
    [
      "something shows only once another is on",
      [["a"], { shows: { a: ["b"], b: ["a", "c"] } }],
      { on: ["a", "a+b", "a+b+c"], left: [], renderings: 3 },
    ],
    [
      "one that never renders",
      [["a", "b", "c", "d"], { refuses: (on) => on.includes("c") }],
      { on: ["a+b", "a+b+d"], left: ["c"], renderings: 6 },
    ],
    [
      "two that exclude each other",
      [["a", "b"], { refuses: (on) => on.includes("a") && on.includes("b") }],
      { on: ["a", "b"], left: [], renderings: 4 },
    ],
    [
      "the limit",
      [["a", "b", "c", "d"], { limit: 2, refuses: (on) => on.length > 2 }],
      { on: ["a+b"], left: ["c", "d"], renderings: 2 },
    ],
  ])("%s", async (_name, input, expected) => {
    expect(await run(...input)).toEqual(expected);
  });
});
