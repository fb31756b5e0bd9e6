import { loadYaml } from "./load.ts";
import type { ScalarRanges } from "./records.ts";
import type { YamlValue } from "./value.ts";

/** About how many characters of documents are remembered, twice; one costs some itself. */
const maxCharacters = 8_000_000;
const charactersOfEntry = 200;

/** What has been made of texts of late, by the text: it is remembered in two generations. */
class Recent<Made> {
  #recent = new Map<string, Made>();
  #earlier = new Map<string, Made>();
  #characters = 0;

  get(text: string): Made | undefined {
    return this.#recent.get(text) ?? this.#earlier.get(text);
  }

  set(text: string, made: Made): void {
    const characters = text.length + charactersOfEntry;
    if (this.#characters + characters > maxCharacters) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
      this.#characters = 0;
    }
    this.#recent.set(text, made);
    this.#characters += characters;
  }

  clear(): void {
    this.#recent = new Map();
    this.#earlier = new Map();
    this.#characters = 0;
  }
}

/** A document, and where its scalars are written. */
export interface RangedDocument {
  readonly value: YamlValue;
  readonly scalarRanges: ScalarRanges;
}

const documents = new Recent<{ readonly value: YamlValue }>();
const rangedDocuments = new Recent<RangedDocument>();

/**
 * Reads the first document of a text like {@link loadYaml}, and each text of late only once: a chart is rendered
 * several times, and most of its documents are the same each time. Equal texts give one value.
 * @throws FairleadError like {@link loadYaml}, without a file
 */
export function loadRecentYaml(text: string): YamlValue {
  const known = documents.get(text) ?? rangedDocuments.get(text);
  if (known !== undefined) return known.value;
  const { value } = loadYaml(text);
  documents.set(text, { value });
  return value;
}

/**
 * {@link loadRecentYaml} with where the scalars are written.
 * @throws FairleadError like {@link loadYaml}, without a file
 */
export function loadRecentRanges(text: string): RangedDocument {
  const known = rangedDocuments.get(text);
  if (known !== undefined) return known;
  const scalarRanges: ScalarRanges = new Map();
  const document: RangedDocument = { value: loadYaml(text, { scalarRanges }).value, scalarRanges };
  rangedDocuments.set(text, document);
  return document;
}

/** Forgets what has been read, as when one chart is done. */
export function forgetRecentYaml(): void {
  documents.clear();
  rangedDocuments.clear();
}
