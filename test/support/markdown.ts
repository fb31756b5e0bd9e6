/** A link of a Markdown document with the line it stands on. */
export interface MarkdownLink {
  readonly target: string;
  readonly line: number;
}

/** A fenced block: its text without the fences, and the line of the opening fence. */
export interface FencedBlock {
  readonly language: string;
  /** Whether the fence says `output` after the language: what the block before it prints. */
  readonly isOutput: boolean;
  readonly text: string;
  readonly line: number;
}

interface Line {
  readonly text: string;
  readonly number: number;
}

/** The inline links and images of a document, code left out. */
export function linksOf(markdown: string): readonly MarkdownLink[] {
  return split(markdown).prose.flatMap(({ text, number }) =>
    [...text.replace(/`[^`]*`/gu, "").matchAll(/\]\((?<target>[^()\s]+)\)/gu)].map((match) => ({
      target: match.groups?.["target"] ?? "",
      line: number,
    })),
  );
}

/** The anchors of a document's headings, as GitHub makes them. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = split(markdown).prose.filter(({ text }) => /^#{1,6} /u.test(text));
  return new Set(
    headings.map(({ text }) =>
      text
        .replace(/^#+ /u, "")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(" ", "-"),
    ),
  );
}

/** The fenced blocks of a document in their order. */
export function blocksOf(markdown: string): readonly FencedBlock[] {
  return split(markdown).blocks;
}

function split(markdown: string): {
  readonly prose: readonly Line[];
  readonly blocks: readonly FencedBlock[];
} {
  const prose: Line[] = [];
  const blocks: FencedBlock[] = [];
  let open: { language: string; isOutput: boolean; lines: string[]; line: number } | undefined;
  for (const [index, text] of markdown.split("\n").entries()) {
    const fence = /^```(?<language>\S*)(?<output> output)?/u.exec(text);
    if (open !== undefined && fence === null) open.lines.push(text);
    else if (open !== undefined) {
      const { lines, ...block } = open;
      blocks.push({ ...block, text: lines.join("\n") });
      open = undefined;
    } else if (fence === null) prose.push({ text, number: index + 1 });
    else {
      const { language = "", output } = fence.groups ?? {};
      open = { language, isOutput: output !== undefined, lines: [], line: index + 1 };
    }
  }
  return { prose, blocks };
}
