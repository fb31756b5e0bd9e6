import { isLetter, isNumber, isPunctuation, isSpace, isUpper, toLower, toUpper } from "../go/rune.ts";
import { runeAt, runes, toBytes } from "../go/utf8.ts";

/** A run of like runes (xstrings' wordType); `invalid` is text without a single rune. */
type WordKind = "number" | "upper" | "alphabet" | "connector" | "punctuation" | "other" | "invalid";

interface Word {
  readonly kind: WordKind;
  readonly text: string;
}

const noRune = 0xfffd;
const end: Word = { kind: "invalid", text: "" };

/**
 * Words parted by spaces, underscores and hyphens as one word with capitals (xstrings.ToPascalCase). Of several
 * connectors in a row all but one stay, and so do those at the beginning and the end.
 */
export function toPascalCase(text: string): string {
  const codes = [...runes(text)].map(({ code }) => code);
  const first = codes.findIndex((code) => !isConnector(code));
  if (first === -1) return fromCodes([...codes, ...codes.slice(-1)]);
  const result = codes.slice(0, first);
  let pending = toUpper(codes[first] ?? noRune);
  let isInCapitals = isUpper(codes[first] ?? noRune);
  for (const code of codes.slice(first + 1)) {
    if (!isConnector(pending)) {
      isInCapitals &&= isUpper(code);
      result.push(pending);
      pending = isInCapitals ? toLower(code) : code;
    } else if (isConnector(code)) {
      result.push(pending);
      pending = code;
    } else {
      isInCapitals = isUpper(code);
      pending = toUpper(code);
    }
  }
  return fromCodes([...result, pending]);
}

/** Words of capitals and small letters in lower case with a connector between (xstrings.ToSnakeCase, ToKebabCase). */
export function toSeparatedWords(text: string, connector: string): string {
  const words = wordsOf(text);
  let result = "";
  let index = 0;
  const kind = (): WordKind => (words[index] ?? end).kind;
  const emit = (): void => {
    result += lowered(words[index] ?? end, connector);
    index += 1;
  };
  const emitAlphabetAndNumbers = (): void => {
    while (kind() === "alphabet" || kind() === "number") emit();
  };
  const separateUnless = (...kinds: readonly WordKind[]): void => {
    if (!kinds.includes(kind())) result += connector;
  };

  while (index < words.length - 1) {
    const previous = kind();
    emit();
    if (previous === "number") {
      emitAlphabetAndNumbers();
      separateUnless("invalid", "punctuation", "connector");
    } else if (previous !== "connector" && previous !== "punctuation") {
      if (kind() !== "number") separateUnless("connector", "punctuation");
      else if (index < words.length - 1) {
        if (words[index + 1]?.kind === "alphabet") {
          result += connector;
          emitAlphabetAndNumbers();
          separateUnless("invalid", "connector", "punctuation");
        } else {
          emit();
          separateUnless("connector", "punctuation");
        }
      }
    }
  }
  if (index < words.length) emit();
  return result;
}

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (let position = 0; position < text.length;) {
    const word = wordAt(text, position);
    words.push(word);
    position += word.text.length;
  }
  return words;
}

function wordAt(text: string, position: number): Word {
  const first = validRuneAt(text, position, noRune);
  const { code } = first;
  const word = (kind: WordKind, stop: number): Word => ({ kind, text: text.slice(position, stop) });
  const run = (belongs: (code: number) => boolean): number => runEnd(text, first.stop, code, belongs);
  if (code === noRune) return word("invalid", first.stop);
  if (isConnector(code)) return word("connector", run(isConnector));
  if (isPunctuation(code)) return word("punctuation", run(isPunctuation));
  if (isUpper(code)) return word("upper", upperWordEnd(text, first.stop, code));
  if (isAlphabet(code)) return word("alphabet", run(isSmallAlphabet));
  if (isNumber(code)) return word("number", run(isNumber));
  return word("other", run(isOther));
}

/** Capitals in a row are a word, without the last one where small letters follow it. */
function upperWordEnd(text: string, position: number, first: number): number {
  if (position >= text.length) return position;
  const second = validRuneAt(text, position, first);
  if (!isUpper(second.code)) {
    return isAlphabet(second.code) ? runEnd(text, second.stop, second.code, isSmallAlphabet) : position;
  }
  let lastStart = position;
  let stop = second.stop;
  let code = second.code;
  while (stop < text.length) {
    const next = validRuneAt(text, stop, code);
    code = next.code;
    if (!isUpper(code)) return isAlphabet(code) ? lastStart : stop;
    lastStart = stop;
    stop = next.stop;
  }
  return stop;
}

function runEnd(text: string, position: number, first: number, belongs: (code: number) => boolean): number {
  let stop = position;
  let code = first;
  while (stop < text.length) {
    const next = validRuneAt(text, stop, code);
    if (!belongs(next.code)) break;
    ({ stop, code } = next);
  }
  return stop;
}

/** The next rune; bytes that are none go with it, or with the one before where none follows. */
function validRuneAt(text: string, position: number, previous: number): { code: number; stop: number } {
  let stop = position;
  while (stop < text.length) {
    const { code, width } = runeAt(text, stop);
    stop += width;
    if (code !== noRune) return { code, stop };
  }
  return { code: previous, stop };
}

function lowered({ kind, text }: Word, connector: string): string {
  if (kind !== "upper" && kind !== "connector") return text;
  const codes = [...runes(text)].map(({ code }) => code);
  return codes
    .map((code) => (isConnector(code) ? connector : fromCodes([isUpper(code) ? toLower(code) : code])))
    .join("");
}

function isConnector(code: number): boolean {
  return code === 0x2d || code === 0x5f || isSpace(code);
}

/** Letters of scripts other than the ideographic ones. */
function isAlphabet(code: number): boolean {
  const isIdeograph =
    (code >= 0x4e00 && code <= 0x9fcc) ||
    (code >= 0x3400 && code <= 0x4d85) ||
    (code >= 0x20000 && code <= 0x2b81d);
  return !isIdeograph && isLetter(code);
}

function isSmallAlphabet(code: number): boolean {
  return isAlphabet(code) && !isUpper(code);
}

function isOther(code: number): boolean {
  return !isConnector(code) && !isAlphabet(code) && !isNumber(code) && !isPunctuation(code);
}

function fromCodes(codes: readonly number[]): string {
  return toBytes(codes.map((code) => String.fromCodePoint(code)).join(""));
}
