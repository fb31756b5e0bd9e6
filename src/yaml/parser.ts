import { Cursor, type YamlSourceOptions } from "./cursor.ts";
import { maxYamlDepth, type NodeProperties, type YamlHandler } from "./handler.ts";
import { Scanner } from "./scanner.ts";
import type { Token } from "./token.ts";

const noProperties: NodeProperties = { anchor: undefined, tag: undefined, end: undefined };
const standardTags: ReadonlyMap<string, string> = new Map([
  ["!", "!"],
  ["!!", "tag:yaml.org,2002:"],
]);

/**
 * Parses YAML 1.1 by libyaml's grammar, one document at a time, so that what follows a document is not read
 * before it is asked for.
 */
export class YamlParser {
  readonly cursor: Cursor;
  private readonly scanner: Scanner;
  private isFirst = true;
  private depth = 0;
  private tags: ReadonlyMap<string, string> = standardTags;

  constructor(text: string, options: YamlSourceOptions = {}) {
    this.cursor = new Cursor(text, options);
    this.scanner = new Scanner(this.cursor);
  }

  /**
   * Parses the next document into the handler.
   * @returns false at the end of the text
   * @throws FairleadError for malformed text, with `limit-exceeded` below {@link maxYamlDepth}
   */
  parseDocument(handler: YamlHandler): boolean {
    if (!this.isFirst) while (this.scanner.peek().type === "document-end") this.scanner.skip();
    const { type } = this.scanner.peek();
    if (type === "stream-end") return false;
    const isBare =
      this.isFirst && type !== "version-directive" && type !== "tag-directive" && type !== "document-start";
    this.isFirst = false;
    this.tags = standardTags;
    if (isBare) this.parseNode(handler, true, false);
    else {
      this.parseDirectives();
      this.expect("document-start", "expected '---'", "did not find expected <document start>");
      if (this.atDocumentEnd()) this.parseEmpty(handler, this.scanner.peek().start, undefined);
      else this.parseNode(handler, true, false);
    }
    if (this.scanner.peek().type === "document-end") this.scanner.skip();
    return true;
  }

  private atDocumentEnd(): boolean {
    const { type } = this.scanner.peek();
    return (
      type === "version-directive" ||
      type === "tag-directive" ||
      type === "document-start" ||
      type === "document-end" ||
      type === "stream-end"
    );
  }

  private parseDirectives(): void {
    const tags = new Map<string, string>();
    let hasVersion = false;
    for (let token = this.scanner.peek(); ; token = this.scanner.peek()) {
      if (token.type === "version-directive") {
        if (hasVersion)
          throw this.cursor.failToParse(
            token,
            "duplicate %YAML directive",
            "found duplicate %YAML directive",
          );
        if (!/^0*1\.0*1$/u.test(token.text))
          throw this.cursor.failToParse(
            token,
            "Helm reads only YAML 1.1",
            "found incompatible YAML document",
          );
        hasVersion = true;
      } else if (token.type === "tag-directive") {
        if (tags.has(token.text))
          throw this.cursor.failToParse(token, "duplicate %TAG directive", "found duplicate %TAG directive");
        tags.set(token.text, token.suffix);
      } else break;
      this.scanner.skip();
    }
    if (tags.size > 0) this.tags = new Map([...standardTags, ...tags]);
  }

  private parseNode(handler: YamlHandler, block: boolean, indentlessAllowed: boolean): void {
    let token = this.scanner.peek();
    if (token.type === "alias") {
      this.scanner.skip();
      handler.alias(token.text, token.start);
      return;
    }
    let properties = noProperties;
    if (token.type === "anchor" || token.type === "tag") {
      properties = this.parseProperties(token);
      token = this.scanner.peek();
    }
    if (token.type === "plain" || token.type === "quoted") {
      this.scanner.skip();
      const { text, type, start, end, block } = token;
      handler.scalar(text, type === "plain", properties, start, end, block && { block });
    } else if (token.type === "flow-sequence-start") {
      this.enter(handler, "list", properties, token, () => this.parseFlowSequence(handler));
    } else if (token.type === "flow-mapping-start") {
      this.enter(handler, "map", properties, token, () => this.parseFlowMapping(handler));
    } else if (block && token.type === "block-sequence-start") {
      this.enter(handler, "list", properties, token, () => this.parseBlockSequence(handler));
    } else if (block && token.type === "block-mapping-start") {
      this.enter(handler, "map", properties, token, () => this.parseBlockMapping(handler));
    } else if (indentlessAllowed && token.type === "block-entry") {
      this.enter(handler, "list", properties, undefined, () => this.parseIndentlessSequence(handler));
    } else if (properties === noProperties) {
      throw this.cursor.failToParse(token, "expected a value", "did not find expected node content");
    } else {
      handler.scalar("", true, properties, token.start, token.start, {
        place: properties.end ?? token.start,
      });
    }
  }

  private parseProperties(first: Token): NodeProperties {
    this.scanner.skip();
    const second = this.scanner.peek();
    const hasSecond = first.type === "anchor" ? second.type === "tag" : second.type === "anchor";
    if (hasSecond) this.scanner.skip();
    const anchor = first.type === "anchor" ? first : hasSecond ? second : undefined;
    const tag = first.type === "tag" ? first : hasSecond ? second : undefined;
    return {
      anchor: anchor?.text,
      tag: tag === undefined ? undefined : this.resolveTag(tag),
      end: hasSecond ? second.end : first.end,
    };
  }

  private resolveTag(token: Token): string {
    if (token.text === "") return token.suffix;
    const prefix = this.tags.get(token.text);
    if (prefix === undefined)
      throw this.cursor.failToParse(
        token,
        `undefined tag handle ${token.text}`,
        "found undefined tag handle",
      );
    return prefix + token.suffix;
  }

  /** @param start the token that begins the collection; an indentless list has none */
  private enter(
    handler: YamlHandler,
    kind: "list" | "map",
    properties: NodeProperties,
    start: Token | undefined,
    parseContent: () => number | undefined,
  ): void {
    const offset = start?.start ?? this.scanner.peek().start;
    if (start !== undefined) this.scanner.skip();
    if (++this.depth > maxYamlDepth) {
      throw this.cursor.exceed(offset, `lists and maps nest deeper than ${maxYamlDepth} levels`);
    }
    handler.open(kind, properties, offset);
    handler.close(parseContent());
    this.depth--;
  }

  private parseBlockSequence(handler: YamlHandler): undefined {
    for (let token = this.scanner.peek(); token.type === "block-entry"; token = this.scanner.peek()) {
      this.scanner.skip();
      const { type } = this.scanner.peek();
      if (type === "block-entry" || type === "block-end") this.parseEmpty(handler, token.start, token.end);
      else this.parseNode(handler, true, false);
    }
    this.expect(
      "block-end",
      "expected '-' for the next list item, or less indentation",
      "did not find expected '-' indicator",
    );
  }

  /** A list whose dashes stand in the same column as the key it belongs to. */
  private parseIndentlessSequence(handler: YamlHandler): undefined {
    for (let token = this.scanner.peek(); token.type === "block-entry"; token = this.scanner.peek()) {
      this.scanner.skip();
      const { type } = this.scanner.peek();
      if (type === "block-entry" || type === "key" || type === "value" || type === "block-end") {
        this.parseEmpty(handler, token.start, token.end);
      } else this.parseNode(handler, true, false);
    }
  }

  private parseBlockMapping(handler: YamlHandler): undefined {
    // A `value` without a `key` before it is refused here too: libyaml wants a key.
    for (let token = this.scanner.peek(); token.type === "key"; token = this.scanner.peek()) {
      this.scanner.skip();
      this.parseBlockMappingPart(handler, token);
      const value = this.scanner.peek();
      if (value.type === "value") {
        this.scanner.skip();
        this.parseBlockMappingPart(handler, value);
      } else this.parseEmpty(handler, value.start, undefined);
    }
    this.expect("block-end", "expected a key, or less indentation", "did not find expected key");
  }

  private parseBlockMappingPart(handler: YamlHandler, { start, end }: Token): void {
    const { type } = this.scanner.peek();
    if (type === "key" || type === "value" || type === "block-end") this.parseEmpty(handler, start, end);
    else this.parseNode(handler, true, true);
  }

  private parseFlowSequence(handler: YamlHandler): number {
    for (let isFirst = true; this.scanner.peek().type !== "flow-sequence-end"; isFirst = false) {
      if (!isFirst) {
        this.expect("flow-entry", "expected ',' or ']'", "did not find expected ',' or ']'");
        if (this.scanner.peek().type === "flow-sequence-end") break;
      }
      const token = this.scanner.peek();
      if (token.type !== "key") this.parseNode(handler, false, false);
      else this.enter(handler, "map", noProperties, token, () => this.parseFlowPair(handler));
    }
    return this.takeEnd();
  }

  /** The single pair of `[key: value]`, which is a map of its own. */
  private parseFlowPair(handler: YamlHandler): undefined {
    const key = this.scanner.peek();
    if (key.type === "value" || key.type === "flow-entry" || key.type === "flow-sequence-end") {
      this.scanner.skip();
      this.parseEmpty(handler, key.start, undefined);
    } else this.parseNode(handler, false, false);
    this.parseFlowValue(handler, "flow-sequence-end");
  }

  private parseFlowMapping(handler: YamlHandler): number {
    for (let isFirst = true; this.scanner.peek().type !== "flow-mapping-end"; isFirst = false) {
      if (!isFirst) {
        this.expect("flow-entry", "expected ',' or '}'", "did not find expected ',' or '}'");
        if (this.scanner.peek().type === "flow-mapping-end") break;
      }
      if (this.scanner.peek().type === "key") {
        this.scanner.skip();
        const { type, start } = this.scanner.peek();
        if (type === "value" || type === "flow-entry" || type === "flow-mapping-end") {
          this.parseEmpty(handler, start, undefined);
        } else this.parseNode(handler, false, false);
        this.parseFlowValue(handler, "flow-mapping-end");
      } else {
        this.parseNode(handler, false, false);
        this.parseEmpty(handler, this.scanner.peek().start, undefined);
      }
    }
    return this.takeEnd();
  }

  private parseFlowValue(handler: YamlHandler, end: Token["type"]): void {
    const value = this.scanner.peek();
    if (value.type === "value") {
      this.scanner.skip();
      const { type } = this.scanner.peek();
      if (type !== "flow-entry" && type !== end) {
        this.parseNode(handler, false, false);
        return;
      }
    }
    const place = value.type === "value" ? value.end : undefined;
    this.parseEmpty(handler, this.scanner.peek().start, place);
  }

  /** @param place where its text would go, if an indicator announces it */
  private parseEmpty(handler: YamlHandler, offset: number, place: number | undefined): void {
    handler.scalar("", true, noProperties, offset, offset, place === undefined ? undefined : { place });
  }

  /** Passes the end of a flow collection and gives the offset after it. */
  private takeEnd(): number {
    const { end } = this.scanner.peek();
    this.scanner.skip();
    return end;
  }

  private expect(type: Token["type"], message: string, problem: string): void {
    const token = this.scanner.peek();
    if (token.type !== type) throw this.cursor.failToParse(token, message, problem);
    this.scanner.skip();
  }
}
