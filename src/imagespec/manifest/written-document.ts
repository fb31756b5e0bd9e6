import { DocumentBuilder } from "../../yaml/construct.ts";
import type { Cursor, YamlComment } from "../../yaml/cursor.ts";
import type { NodeProperties, ScalarLayout, YamlHandler } from "../../yaml/handler.ts";
import { defaultMaxNodes } from "../../yaml/load.ts";
import { YamlParser } from "../../yaml/parser.ts";
import type { YamlValue } from "../../yaml/value.ts";
import { isJsonObjectText, readJsonDocument } from "./json-document.ts";
import { type WrittenNode, WrittenNodeBuilder } from "./written-node.ts";

/** A document of a text: what it says, and how it is written. */
export interface WrittenDocument {
  /** As Kubernetes's clients read it. */
  readonly value: YamlValue;
  readonly root: WrittenNode;
}

export interface WrittenDocuments {
  readonly text: string;
  readonly documents: readonly WrittenDocument[];
  readonly comments: readonly YamlComment[];
  /** Knows the lines of the text. */
  readonly cursor: Cursor;
}

/**
 * Reads the documents of a YAML or JSON text.
 * @param file for messages
 * @throws FairleadError `object-invalid` where it is malformed, `limit-exceeded` where it is too deep or too large
 */
export function readWrittenDocuments(text: string, file?: string): WrittenDocuments {
  const comments: YamlComment[] = [];
  const parser = new YamlParser(text, {
    code: "object-invalid",
    comments,
    ...(file !== undefined && { file }),
  });
  const { cursor } = parser;
  const documents: WrittenDocument[] = [];
  const readNext = (read: (handler: YamlHandler) => boolean): boolean => {
    const values = new DocumentBuilder(cursor, defaultMaxNodes);
    const nodes = new WrittenNodeBuilder(text);
    if (!read(new BothHandlers(values, nodes))) return false;
    if (nodes.root !== undefined) documents.push({ value: values.value, root: nodes.root });
    return true;
  };
  if (isJsonObjectText(text)) {
    readNext((handler) => {
      readJsonDocument(cursor, handler);
      return true;
    });
  } else while (readNext((handler) => parser.parseDocument(handler)));
  return { text, documents, comments, cursor };
}

class BothHandlers implements YamlHandler {
  readonly #first: YamlHandler;
  readonly #second: YamlHandler;

  constructor(first: YamlHandler, second: YamlHandler) {
    this.#first = first;
    this.#second = second;
  }

  scalar(
    text: string,
    plain: boolean,
    properties: NodeProperties,
    offset: number,
    end: number,
    layout: ScalarLayout | undefined,
  ): void {
    this.#first.scalar(text, plain, properties, offset, end, layout);
    this.#second.scalar(text, plain, properties, offset, end, layout);
  }

  alias(name: string, offset: number): void {
    this.#first.alias(name, offset);
    this.#second.alias(name, offset);
  }

  open(kind: "list" | "map", properties: NodeProperties, offset: number): void {
    this.#first.open(kind, properties, offset);
    this.#second.open(kind, properties, offset);
  }

  close(end: number | undefined): void {
    this.#first.close(end);
    this.#second.close(end);
  }
}
