import { unionOfSources, type Source } from "../provenance/span.ts";
import { Tracked, type GoScalar, type Text } from "./value.ts";

/** What a value prints: the text as a whole has the value's source. */
export function printedFrom(text: string, value: Tracked): Text {
  const [span] = value.spans;
  return covered(text, value.spans.length === 1 ? span?.source : unionOf(value));
}

/** What was made from a value in another way than printing it: none of its bytes stands in the origin as it is. */
export function madeFrom(text: string, value: GoScalar | Tracked): Text {
  return value instanceof Tracked ? covered(text, unionOf(value)) : text;
}

function unionOf(value: Tracked): Source | undefined {
  return unionOfSources(value.spans.map((span) => span.source));
}

function covered(text: string, source: Source | undefined): Text {
  if (source === undefined || text === "") return text;
  return new Tracked(text, [{ start: 0, end: text.length, source, offset: 0 }]);
}
