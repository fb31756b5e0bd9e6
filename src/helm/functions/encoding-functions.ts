import { FairleadError } from "../../core/error.ts";
import { bytesOfItem, type GoContext, type RenderBudget } from "../go/context.ts";
import { countIn } from "../go/escape.ts";
import { define, parameters, type FunctionTable } from "../go/function.ts";
import { CycleError } from "../go/encoding-depth.ts";
import { decodeJson, jsonKindOf } from "../go/json-decoder.ts";
import { encodeJson, type JsonFormat } from "../go/json-encoder.ts";
import { plainText, sliceText, type TextBuilder } from "../go/text.ts";
import { decodeToml } from "../go/toml-decoder.ts";
import { encodeToml } from "../go/toml-encoder.ts";
import { goTypes, type GoType } from "../go/type.ts";
import {
  GoError,
  GoMap,
  GoSlice,
  listOf,
  nilMap,
  nilSlice,
  untracked,
  type GoFunction,
  type GoValue,
  type Text,
} from "../go/value.ts";
import { encodeYaml, encodeYamlPretty } from "../go/yaml-encoder.ts";
import { readYaml } from "../go/yaml-reader.ts";

/**
 * The functions of Helm 3 that write and read YAML, JSON and TOML, Sprig's among them. Most of them know no error:
 * what cannot be written is an empty text, and what cannot be read is a map with the error's text under `Error`
 * or a list of it.
 */
export const encodingFunctions: FunctionTable = {
  toYaml: encoder(withoutError(yamlText)),
  toYamlPretty: encoder(
    withoutError((value, context) => trimLineEnd(encodeYamlPretty(value, context.budget))),
  ),
  fromYaml: define([parameters.text], ([text], { budget }) =>
    asMap(() => readYamlAs(text, "object", goTypes.anyMap, budget)),
  ),
  fromYamlArray: define([parameters.text], ([text], { budget }) =>
    asList(() => readYamlAs(text, "array", goTypes.anySlice, budget)),
  ),
  toJson: encoder(withoutError(jsonText({}))),
  fromJson: define([parameters.text], ([text], { budget }) =>
    asMap(() => readJsonAs(text, "object", nilMap(), budget)),
  ),
  fromJsonArray: define([parameters.text], ([text], { budget }) =>
    asList(() => readJsonAs(text, "array", nilSlice(), budget)),
  ),
  toToml: encoder(tomlTextOrError),
  fromToml: define([parameters.string], ([text], { budget }) =>
    asMap(() => {
      spendItemsOf(text, budget);
      return { value: decodeToml(text) };
    }),
  ),
  toPrettyJson: encoder(withoutError(jsonText({ indent: "  " }))),
  toRawJson: encoder(jsonText({ escapesHtml: false })),
  mustToJson: encoder(jsonText({})),
  mustToPrettyJson: encoder(jsonText({ indent: "  " })),
  mustToRawJson: encoder(jsonText({ escapesHtml: false })),
  mustFromJson: define([parameters.text], ([text], { budget }) => {
    spendItemsOf(text, budget);
    const { value, problem } = decodeJson(text);
    if (problem !== undefined) throw new GoError(problem);
    return value;
  }),
};

/** What Helm 4 has beside those, or in place of them: like Helm 3's, with errors. */
export const helm4EncodingFunctions: FunctionTable = {
  mustToYaml: encoder(yamlText),
  mustToJson: encoder(jsonText({})),
  mustToToml: encoder(tomlText),
};

type Encode = (value: GoValue, context: GoContext) => Text;

function encoder(encode: Encode): GoFunction {
  return define([parameters.value], ([value], context) => encode(value, context));
}

function withoutError(encode: Encode): Encode {
  return (value, context) => {
    try {
      return encode(value, context);
    } catch (error) {
      refuseCycle(error);
      if (error instanceof GoError) return "";
      throw error;
    }
  };
}

/** To Helm, what contains itself is an empty text in YAML and JSON, and no end in TOML; here it is always refused. */
function refuseCycle(error: unknown): void {
  if (!(error instanceof CycleError)) return;
  throw new FairleadError("limit-exceeded", "a map or list to encode contains itself", { cause: error });
}

function yamlText(value: GoValue, context: GoContext): Text {
  return trimLineEnd(encodeYaml(value, context.budget));
}

function trimLineEnd(builder: TextBuilder): Text {
  const text = builder.toText();
  return plainText(text).endsWith("\n") ? sliceText(text, 0, plainText(text).length - 1) : text;
}

function jsonText(format: JsonFormat): Encode {
  return (value, context) => encodeJson(value, context.budget, format);
}

/** @throws GoError also for nil, which the encoder does not expect */
function tomlText(value: GoValue, context: GoContext): Text {
  if (untracked(value) === null) throw new GoError("reflect: call of reflect.Value.Type on zero Value");
  return encodeToml(value, context.budget);
}

/** Helm gives the error's text in place of the TOML, but not that of a panic. */
function tomlTextOrError(value: GoValue, context: GoContext): Text {
  if (untracked(value) === null) return tomlText(value, context);
  try {
    return encodeToml(value, context.budget);
  } catch (error) {
    refuseCycle(error);
    if (error instanceof GoError) return error.message;
    throw error;
  }
}

/** What was read, and what was found wrong with it nonetheless. */
interface Decoded {
  readonly value: GoValue;
  readonly problem?: string;
}

/** Before each of these stands an item, or after it. */
const itemSeparators = [",", "[", "{", "\n"];

/** Called before a text is decoded: what it is made into takes up more than it. @throws FairleadError `limit-exceeded` */
function spendItemsOf(text: Text, budget: RenderBudget): void {
  const plain = plainText(text);
  const count = itemSeparators.reduce((sum, separator) => sum + countIn(plain, separator), 0);
  budget.spendSteps(count);
  budget.spendBytes(bytesOfItem * count);
}

/** Null leaves the empty map or list as it is. */
function readYamlAs(text: Text, kind: "object" | "array", type: GoType, budget: RenderBudget): Decoded {
  spendItemsOf(text, budget);
  const read = readYaml(text);
  if (read.kind === kind) return read;
  if (read.kind === "null") return { value: null };
  const problem = `json: cannot unmarshal ${read.kind} into Go value of type ${type.name}`;
  throw new GoError(`error unmarshaling JSON: while decoding JSON: ${problem}`);
}

/** Null makes the map or list Go's nil. */
function readJsonAs(
  text: Text,
  kind: "object" | "array",
  nil: GoMap | GoSlice,
  budget: RenderBudget,
): Decoded {
  spendItemsOf(text, budget);
  const decoded = decodeJson(text);
  const isNumber = decoded.problem !== undefined && untracked(decoded.value) === null;
  const found = isNumber ? "number" : jsonKindOf(decoded.value);
  if (found === kind) return decoded;
  if (found === "null") return { value: nil };
  throw new GoError(`json: cannot unmarshal ${found} into Go value of type ${nil.type.name}`);
}

function asMap(decode: () => Decoded): GoMap {
  try {
    const { value, problem } = decode();
    const map = value instanceof GoMap ? value : new GoMap();
    if (problem !== undefined) map.entries.set("Error", problem);
    return map;
  } catch (error) {
    if (error instanceof GoError) return new GoMap([["Error", error.message]]);
    throw error;
  }
}

function asList(decode: () => Decoded): GoSlice {
  try {
    const { value, problem } = decode();
    if (problem !== undefined) return listOf([problem]);
    return value instanceof GoSlice ? value : listOf([]);
  } catch (error) {
    if (error instanceof GoError) return listOf([error.message]);
    throw error;
  }
}
