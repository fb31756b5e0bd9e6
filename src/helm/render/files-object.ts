import { Buffer } from "node:buffer";
import type { Chart, HelmVersion } from "../chart/chart.ts";
import type { GoContext } from "../go/context.ts";
import { define, parameters } from "../go/function.ts";
import { plainText, sliceText, splitText } from "../go/text.ts";
import { goTypes, type GoType } from "../go/type.ts";
import { bytesOf, fromBytes, toBytes } from "../go/utf8.ts";
import {
  GoBytes,
  GoError,
  GoMap,
  stringsOf,
  untracked,
  type GoFunction,
  type GoValue,
  type Text,
} from "../go/value.ts";
import { encodeYaml } from "../go/yaml-encoder.ts";
import { tryCompileGlob } from "./glob.ts";
import { helmTypesOf } from "./go-types.ts";
import { createMark } from "./source-tracking.ts";

interface FilesOptions {
  readonly helm: HelmVersion;
  readonly tracking: boolean;
  /** The beginning of the names of the chart's files, such as `shop/charts/redis`. */
  readonly folder: string;
}

/** `.Files`: the files of a chart that are no templates, by name (pkg/engine/files.go). */
export function createFilesObject(chart: Chart, options: FilesOptions): GoMap {
  const entries = chart.files.map(({ name, data }) => [toBytes(name), new GoBytes(bytesOf(data))] as const);
  const mark = createMark(options.tracking);
  const markFile: MarkFile = (name, content) =>
    mark(content, () => ({ kind: "file", file: `${options.folder}/${fromBytes(name)}` })) as Text;
  return new Files(entries, helmTypesOf(options.helm).files, markFile);
}

/** Gives a file's content with the file it comes from. */
type MarkFile = (name: string, content: string) => Text;

class Files extends GoMap {
  override readonly methods: ReadonlyMap<string, GoFunction>;
  readonly #mark: MarkFile;

  constructor(entries: Iterable<readonly [string, GoValue]>, type: GoType, mark: MarkFile) {
    super(entries, type);
    this.#mark = mark;
    this.methods = new Map<string, GoFunction>([
      ["Get", define([parameters.string], ([name]) => this.#get(name))],
      ["GetBytes", define([parameters.string], ([name]) => new GoBytes(plainText(this.#get(name))))],
      ["Lines", define([parameters.string], ([name]) => this.#lines(name))],
      ["Glob", define([parameters.string], ([pattern]) => this.#glob(pattern))],
      ["AsConfig", define([], (_args, context) => this.#asYaml((content) => content, context))],
      ["AsSecrets", define([], (_args, context) => this.#asYaml(encodeBase64, context))],
    ]);
  }

  override withEntries(entries: Iterable<readonly [string, GoValue]>): Files {
    return new Files(entries, this.type, this.#mark);
  }

  #get(name: string): Text {
    const content = untracked(this.entries.get(name) ?? null);
    return content instanceof GoBytes && content.text !== "" ? this.#mark(name, content.text) : "";
  }

  #lines(name: string): GoValue {
    const content = this.#get(name);
    const { length } = plainText(content);
    if (length === 0) return stringsOf([]);
    const end = plainText(content).endsWith("\n") ? length - 1 : length;
    return stringsOf(splitText(sliceText(content, 0, end), "\n"));
  }

  #glob(pattern: string): Files {
    const matches = tryCompileGlob(fromBytes(pattern)) ?? ((): boolean => true);
    const found = [...this.entries].filter(([name]) => matches(fromBytes(name)));
    return new Files(found, this.type, this.#mark);
  }

  /** The contents by the last parts of the names; nothing where they cannot be written as YAML. */
  #asYaml(convert: (content: Text) => Text, context: GoContext): Text {
    const entries = this.sortedKeys().map((name) => {
      const content = convert(this.#get(name));
      return [name.slice(name.lastIndexOf("/") + 1), content] as const;
    });
    try {
      const yaml = encodeYaml(new GoMap(entries, goTypes.stringMap), context.budget).toText();
      return plainText(yaml).endsWith("\n") ? sliceText(yaml, 0, plainText(yaml).length - 1) : yaml;
    } catch (error) {
      if (error instanceof GoError) return "";
      throw error;
    }
  }
}

function encodeBase64(content: Text): string {
  return Buffer.from(plainText(content), "latin1").toString("base64");
}
