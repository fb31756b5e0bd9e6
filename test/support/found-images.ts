import { describe, expect, test } from "vitest";
import { describeSite, discoverIn } from "./relocation.ts";

/** Values and what is found in them, as {@link describeSite} has it. */
export interface FoundRow {
  readonly name: string;
  readonly values: string;
  readonly found: readonly string[];
}

/** A test for each row, in a block of its own. */
export function describeFound(title: string, table: readonly FoundRow[]): void {
  describe(title, () => {
    test.each(table)("$name", async ({ values, found }) => {
      const { sites, unparsable } = await discoverIn(values);
      expect(sites.map(describeSite)).toEqual(found);
      expect(unparsable).toEqual([]);
    });
  });
}
