import { isMap, isSeq, LineCounter, parseDocument, visit, isScalar, type Document, type Node } from "yaml";
import type { z } from "zod";
import { excerpt } from "../../core/escape.ts";
import { FairleadError, messageOf, type Where } from "../../core/error.ts";
import { formatValuePath } from "../../yaml/value-path.ts";

export interface ConfigSource {
  /** The file's name, for messages. */
  readonly file: string;
}

type ConfigPath = readonly PropertyKey[];

const maxTextLength = 1024 * 1024;

/** A configuration file that has its schema's form, and still knows where each part of it stands. */
export class ConfigDocument<Content> {
  readonly content: Content;
  readonly #locate: (path: ConfigPath) => Where;

  constructor(content: Content, locate: (path: ConfigPath) => Where) {
    this.content = content;
    this.#locate = locate;
  }

  /**
   * Gives what `read` makes of the part at a path.
   * @throws FairleadError `config-invalid` with the part's place, for each FairleadError that `read` throws.
   */
  at<Result>(path: ConfigPath, read: () => Result): Result {
    try {
      return read();
    } catch (cause) {
      if (!(cause instanceof FairleadError)) throw cause;
      throw this.error(path, cause.message, cause.hint, cause);
    }
  }

  /** An error about the part at a path. */
  error(path: ConfigPath, message: string, hint?: string, cause?: unknown): FairleadError {
    return new FairleadError("config-invalid", message, { where: this.#locate(path), hint, cause });
  }
}

/**
 * Parses YAML 1.2 or JSON, at most 1 MiB, and holds it against a schema. An empty text is an empty map.
 * @throws FairleadError `config-invalid` with file, line and column of the first fault.
 */
export function parseConfigDocument<Content>(
  text: string,
  schema: z.ZodType<Content>,
  { file }: ConfigSource,
): ConfigDocument<Content> {
  if (text.length > maxTextLength) {
    throw new FairleadError("config-invalid", "The file is larger than 1 MiB", { where: { file } });
  }
  const { document, data, lines } = readYaml(text, file);
  const locate = (path: ConfigPath): Where => ({ file, ...positionOf(document, path, lines) });
  const result = schema.safeParse(data ?? {});
  if (result.success) return new ConfigDocument(result.data, locate);
  const [issue] = result.error.issues;
  if (issue?.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    throw new FairleadError("config-invalid", `Unknown key '${excerpt(key)}'`, {
      where: locate([...issue.path, key]),
    });
  }
  const path = issue?.path ?? [];
  const name = path.length === 0 ? "the file" : `'${excerpt(pathText(path))}'`;
  throw new FairleadError("config-invalid", `Invalid value of ${name}: ${issue?.message ?? "unknown"}`, {
    where: locate(path),
    cause: result.error,
  });
}

function pathText(path: ConfigPath): string {
  return formatValuePath(path.map((step) => (typeof step === "number" ? step : String(step))));
}

interface ReadYaml {
  readonly document: Document;
  readonly data: unknown;
  readonly lines: LineCounter;
}

function readYaml(text: string, file: string): ReadYaml {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const [fault] = document.errors;
    if (fault !== undefined) throw syntaxError(fault.message, file, lines.linePos(fault.pos[0]), fault);
    refusePrototypeKeys(document, file, lines);
    return { document, data: document.toJS(), lines };
  } catch (cause) {
    if (cause instanceof FairleadError) throw cause;
    // Too deep a nesting exhausts the stack, and too many aliases are refused by the parser.
    throw syntaxError(messageOf(cause), file, undefined, cause);
  }
}

function syntaxError(
  message: string,
  file: string,
  position: { readonly line: number; readonly col: number } | undefined,
  cause: unknown,
): FairleadError {
  const where = position === undefined ? { file } : { file, line: position.line, column: position.col };
  return new FairleadError("config-invalid", `Malformed YAML: ${excerpt(message)}`, { where, cause });
}

/** The schema does not see a key `__proto__` of a map with free keys. */
function refusePrototypeKeys(document: Document, file: string, lines: LineCounter): void {
  visit(document, {
    Pair: (_index, { key }) => {
      if (!isScalar(key) || key.value !== "__proto__") return;
      const position = lines.linePos(key.range?.[0] ?? 0);
      throw new FairleadError("config-invalid", "Unknown key '__proto__'", {
        where: { file, line: position.line, column: position.col },
      });
    },
  });
}

/** Where a part stands, or the nearest part around it; a map's entry stands where its key does. */
function positionOf(document: Document, path: ConfigPath, lines: LineCounter): Where {
  let offset = document.contents?.range?.[0] ?? 0;
  let node: unknown = document.contents;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (pair === undefined) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof step === "number") {
      node = node.items[step];
      offset = startOf(node) ?? offset;
    } else break;
  }
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function startOf(node: unknown): number | undefined {
  return (node as Partial<Node> | null | undefined)?.range?.[0];
}
