import * as fc from "fast-check";

/** A value that a marker writes, and whether it needs quotes where it had none. */
export interface MarkedValue {
  readonly setter: string;
  readonly value: string;
  readonly isPlain: boolean;
}

/** Text, or a marked scalar before and after an update. */
type Part =
  | string
  | {
      readonly before: string;
      readonly after: string;
      /** The key by which the value is found again. */
      readonly key: string;
      readonly expected: string;
      readonly setter: string;
      readonly isChanged: boolean;
    };

type Slot = Exclude<Part, string>;

/** A YAML text with marked scalars, made of what must stay and what must change. */
export interface MarkedText {
  readonly before: string;
  readonly after: string;
  readonly changes: readonly { readonly key: string; readonly setter: string; readonly value: string }[];
  /** What each marked key holds afterwards. */
  readonly values: Readonly<Record<string, string>>;
}

interface SlotStyle {
  readonly raw: string;
  readonly quote: "" | "'" | '"';
}

const plainScalars = [
  "old",
  "1.0",
  "1",
  "null",
  "~",
  "true",
  "on",
  "1.10",
  "0x1F",
  "2024-01-01",
  "a b",
  "x:y",
  "a#b",
  "😀",
];
const singleScalars = ["'old'", "''", "'it''s'", "'# {}'", "'{{ .x }}'", "'a: b'", "'😀'"];
const doubleScalars = ['"old"', '""', '"a\\"b"', '"\\u00e9"', '"# {}"', '"{{ .x }}"', '"a\\tb"'];

const inline: fc.Arbitrary<SlotStyle> = fc.oneof(
  fc.constantFrom(...plainScalars).map((raw): SlotStyle => ({ raw, quote: "" })),
  fc.constantFrom(...singleScalars).map((raw): SlotStyle => ({ raw, quote: "'" })),
  fc.constantFrom(...doubleScalars).map((raw): SlotStyle => ({ raw, quote: '"' })),
);

/** A scalar over two lines, which becomes one. */
const spread = (pad: string): fc.Arbitrary<SlotStyle> =>
  fc.constantFrom<SlotStyle>(
    { raw: `old\n${pad}  older`, quote: "" },
    { raw: `old\n\n${pad}    older`, quote: "" },
    { raw: `'old\n${pad}  older'`, quote: "'" },
    { raw: `"old\n${pad}  older"`, quote: '"' },
    { raw: `"old \\\n${pad}  older"`, quote: '"' },
  );

function write(value: MarkedValue, quote: SlotStyle["quote"]): string {
  if (quote !== "") return `${quote}${value.value}${quote}`;
  return value.isPlain ? value.value : `"${value.value}"`;
}

const blanks = fc.constantFrom(" ", "  ", "\t", "   \t");
const properties = fc.constantFrom("", "", "", "!!str ", "&NAME ", "&NAME !!str ", "!own ");

function markerOf({ setter }: MarkedValue): fc.Arbitrary<string> {
  return fc
    .constantFrom(
      '# {"$imagepolicy": "NAME"}',
      '#{"$imagepolicy":"NAME"}',
      '## { "$imagepolicy" : "NAME" }  ',
      '# {"note": "😀", "$imagepolicy": "NAME"}',
    )
    .map((marker) => marker.replace("NAME", setter));
}

/** What has no marker, at an indentation. */
function noise(pad: string, key: string): fc.Arbitrary<readonly Part[]> {
  return fc
    .constantFrom(
      "\n",
      "\n\n",
      `${pad}# keep {{ .x }} 😀\n`,
      `${pad}# image: old # {"$imagepolicy": "apps:shop"}\n`,
      `${pad}${key}: old # keep\n`,
      `${pad}${key}:   "😀 # no comment"   \n`,
      `${pad}${key}: '{{ .x }}'\n`,
      `${pad}${key}: {{ .x }}\n`,
      `${pad}${key}: {a: [b, c], d: "e"}\n`,
      `${pad}${key}: |\n${pad}  old # {"$imagepolicy": "apps:shop"}\n\n${pad}  more\n`,
      `${pad}${key}: >-\n${pad}  folded\n${pad}  text\n`,
      `${pad}${key}: &${key} {a: b}\n${pad}${key}x: *${key}\n`,
      `${pad}${key}:\n${pad}- a\n${pad}-   b\n`,
      `${pad}? ${key}\n${pad}: old\n`,
      `${pad}${key}:\n`,
      `${pad}${key}: []\n`,
    )
    .map((text) => [text]);
}

/** A marked scalar in one of the places that a marker can stand in. */
function slot(pad: string, key: string, value: MarkedValue): fc.Arbitrary<readonly Part[]> {
  const part = (before: string, after: string): Slot => {
    return { before, after, key, expected: value.value, setter: value.setter, isChanged: before !== after };
  };
  const inlineSlot = (style: SlotStyle): Part => {
    const isSame = style.raw === value.value || style.raw === `${style.quote}${value.value}${style.quote}`;
    return part(style.raw, isSame ? style.raw : write(value, style.quote));
  };
  const named = (text: string): string => text.replace("NAME", key);
  return fc
    .record({
      blank: blanks,
      marker: markerOf(value),
      props: properties.map(named),
      style: inline,
      wide: spread(pad),
    })
    .chain(({ blank, marker, props, style, wide }) => {
      const scalar = inlineSlot(style);
      const empty = part("", ` ${write(value, "")}`);
      const head = `${pad}${key}:`;
      const end = `${blank}${marker}\n`;
      const block = (indicator: string, lines: string): readonly Part[] => [
        `${head} ${props}${indicator}${end}${pad}  `,
        part(lines, value.value),
        "\n",
      ];
      return fc.constantFrom<readonly Part[]>(
        [`${head} ${props}`, scalar, end],
        [`${head} ${props}`, inlineSlot(wide), end],
        [head, empty, end],
        [`${head}\n${pad}- ${props}`, scalar, `${end}${pad}- b\n`],
        [`${head}\n${pad}  - a\n${pad}  -   ${props}`, scalar, end],
        [`${head}\n${pad}  ${marker}\n${pad}  - ${props}`, scalar, `\n${pad}  - b\n`],
        // A tab behind a dash would be indentation.
        [`${head}\n${pad}  -`, empty, ` ${marker}\n`],
        [`${head} {`, "a: ", scalar, `}${end}`],
        [`${head} [`, scalar, `]${end}`],
        [`${head} {\n${pad}  a: `, scalar, `,${end}${pad}  b: c\n${pad}}\n`],
        [`${head} [\n${pad}    b,\n${pad}    `, scalar, `${end}${pad}  ]\n`],
        block("|", "old"),
        block("|-", `old\n${pad}  older`),
        block(">-", `old\n${pad}  older`),
        block(">", `old\n\n${pad}     older`),
        block("|+", "old # no comment"),
        block("|2-", `   old\n${pad}  older`),
      );
    });
}

function document(
  values: readonly MarkedValue[],
  prefix: string,
  pad: string,
): fc.Arbitrary<readonly Part[]> {
  const entry = (index: number): fc.Arbitrary<readonly Part[]> => {
    const key = `${prefix}${index}`;
    const simple = fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...values).chain((value) => slot(pad, key, value)) },
      { weight: 1, arbitrary: noise(pad, key) },
    );
    if (pad.length > 4) return simple;
    const nested = fc
      .tuple(fc.constantFrom("  ", "    ", " "), fc.constantFrom("", " # keep", ` &${key}`))
      .chain(([deeper, behind]) =>
        document(values, `${key}x`, pad + deeper).map((parts) => {
          const opening: readonly Part[] = [`${pad}${key}:${behind}\n`, `${pad}${deeper}first${key}: a\n`];
          return opening.concat(parts);
        }),
      );
    return fc.oneof({ weight: 5, arbitrary: simple }, { weight: 1, arbitrary: nested });
  };
  return fc
    .integer({ min: 1, max: 5 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => entry(index))))
    .map((entries) => entries.flat());
}

/**
 * YAML texts of every style of scalar, with markers in every place, other comments and values between them, several
 * documents, byte order marks, CRLF, and with or without a line end at the end.
 */
export function arbitraryMarkedText(values: readonly MarkedValue[]): fc.Arbitrary<MarkedText> {
  return fc
    .record({
      documents: fc
        .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 3 })
        .chain((numbers) => fc.tuple(...numbers.map((_, index) => document(values, `s${index}x`, "")))),
      start: fc.constantFrom("", "---\n", "# keep\n---\n", "\n\n", "\ufeff", "\ufeff---\n"),
      separator: fc.constantFrom("---\n", "...\n---\n", "---   # keep\n", "\n---\n\n"),
      isWindows: fc.boolean(),
      keepsEnd: fc.boolean(),
    })
    .map(({ documents, start, separator, isWindows, keepsEnd }) => {
      const parts: Part[] = [start];
      for (const [index, entries] of documents.entries()) {
        // What ends with `...` must not be empty.
        parts.push(index === 0 ? "" : separator, `kind${index}: A\n`, ...entries);
      }
      const finish = (text: string): string => {
        const ended = keepsEnd ? text : text.replace(/\n+$/u, "");
        return isWindows ? ended.replaceAll("\n", "\r\n") : ended;
      };
      const slots = parts.filter((part) => typeof part !== "string");
      return {
        before: finish(parts.map((part) => (typeof part === "string" ? part : part.before)).join("")),
        after: finish(parts.map((part) => (typeof part === "string" ? part : part.after)).join("")),
        changes: slots
          .filter(({ isChanged }) => isChanged)
          .map(({ key, setter, expected }) => ({ key, setter, value: expected })),
        values: Object.fromEntries(slots.map(({ key, expected }) => [key, expected])),
      };
    });
}
