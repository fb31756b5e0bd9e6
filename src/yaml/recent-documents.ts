import { loadYaml } from "./load.ts";
import type { YamlValue } from "./value.ts";

/** About how many characters of documents are remembered, twice. */
const maxCharacters = 8_000_000;

let recent = new Map<string, YamlValue>();
let earlier = new Map<string, YamlValue>();
let characters = 0;

/**
 * Reads the first document of a text like {@link loadYaml}, and each text of late only once: a chart is rendered
 * several times, and most of its documents are the same each time. Equal texts give one value.
 * @throws FairleadError like {@link loadYaml}, without a file
 */
export function loadRecentYaml(text: string): YamlValue {
  const known = recent.get(text) ?? earlier.get(text);
  if (known !== undefined) return known;
  const { value } = loadYaml(text);
  if (characters + text.length > maxCharacters) {
    earlier = recent;
    recent = new Map();
    characters = 0;
  }
  recent.set(text, value);
  characters += text.length;
  return value;
}

/** Forgets what {@link loadRecentYaml} has read, as when one chart is done. */
export function forgetRecentYaml(): void {
  recent = new Map();
  earlier = new Map();
  characters = 0;
}
