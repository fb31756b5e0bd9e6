import { Buffer } from "node:buffer";
import { FairleadError } from "../../core/error.ts";
import { formatGoFloat } from "../../yaml/go-number.ts";
import { loadYaml } from "../../yaml/load.ts";
import type { RenderBudget } from "./context.ts";
import { formatDuration } from "./duration.ts";
import { CycleError } from "./encoding-depth.ts";
import { quoteJson } from "./json-encoder.ts";
import { formatJsonNumber } from "./json-number.ts";
import type { TextBuilder } from "./text.ts";
import { formatTime } from "./time-format.ts";
import { GoTime } from "./time.ts";
import { goTypes } from "./type.ts";
import { fromBytes, isAscii, toBytes } from "./utf8.ts";
import {
  GoBytes,
  GoError,
  GoInteger,
  GoMap,
  GoSlice,
  GoStruct,
  untracked,
  type GoComposite,
  type GoValue,
  type Tracked,
} from "./value.ts";
import { toWellFormed } from "./well-formed.ts";
import { emitYaml, type YamlDialect } from "./yaml-emitter.ts";
import { sortYamlKeys } from "./yaml-key-order.ts";

/**
 * A value as sigs.k8s.io/yaml writes it: to JSON, read as YAML by go.yaml.in/yaml/v2, and written by that.
 * @throws GoError where encoding/json cannot write the value, or yaml/v2 not read what it wrote
 */
export function encodeYaml(value: GoValue, budget: RenderBudget): TextBuilder {
  try {
    return emitYaml(value, throughJson, budget);
  } catch (error) {
    if (!(error instanceof GoError) || error instanceof ReadingError) throw error;
    const message = `error marshaling into JSON: ${error.message}`;
    throw error instanceof CycleError ? new CycleError(message) : new GoError(message);
  }
}

/** The error for JSON that yaml/v2 cannot read. */
class ReadingError extends GoError {}

/**
 * A value as go.yaml.in/yaml/v3 writes it with an indentation of 2.
 * @throws GoError what it cannot write
 */
export function encodeYamlPretty(value: GoValue, budget: RenderBudget): TextBuilder {
  return emitYaml(value, versionThree, budget);
}

const throughJson: YamlDialect = {
  version: 2,
  width: 80,
  listIndent: 0,
  convert: convertForJson,
  convertText: readJsonText,
  keysOf: (map) => sortYamlKeys([...map.entries.keys()], "v2"),
  formatScalar: formatThroughJson,
};

const versionThree: YamlDialect = {
  version: 3,
  width: Infinity,
  listIndent: 2,
  convert: convertForVersionThree,
  convertText: (text) => text,
  keysOf: (map) => {
    const keys = [...map.entries.keys()];
    return map instanceof FieldMap ? keys : sortYamlKeys(keys, "v3");
  },
  formatScalar: formatForVersionThree,
};

function convertForJson(value: Exclude<GoValue, Tracked>): GoValue {
  if (value instanceof GoMap) return value.isNil ? null : readJsonKeys(value);
  if (value instanceof GoSlice) return value.isNil ? null : value;
  if (value instanceof GoStruct) return convertForJson(untracked(value.toJson()));
  return value instanceof GoBytes ? Buffer.from(value.text, "latin1").toString("base64") : value;
}

/** What the JSON of a number is read as: an integer where 64 bits hold it, and else a float. */
function formatThroughJson(value: number | GoComposite): string {
  if (typeof value !== "number") throw new GoError(`json: unsupported type: ${value.type.name}`);
  const text = formatJsonNumber(value);
  if (Object.is(value, -0)) return "0";
  if (!Number.isInteger(value) || text.includes("e")) return formatGoFloat(value);
  if (Number.isSafeInteger(value)) return text;
  const integer = BigInt(text);
  return integer >= -(2n ** 63n) && integer < 2n ** 64n ? text : formatGoFloat(value);
}

/** Fields of a struct, which stay in their order. */
class FieldMap extends GoMap {}

function convertForVersionThree(value: Exclude<GoValue, Tracked>): GoValue {
  if (value instanceof GoTime) return value;
  if (value instanceof GoStruct) {
    return new FieldMap([...value.declaredFields()].map(([name, field]) => [name.toLowerCase(), field]));
  }
  if (value instanceof GoBytes) {
    const bytes = Buffer.from(value.text, "latin1");
    return new GoSlice([...bytes].map((byte) => new GoInteger(BigInt(byte), goTypes.uint8)));
  }
  if (value instanceof GoInteger && value.type.name === goTypes.duration.name) {
    return formatDuration(value.value);
  }
  return value;
}

function formatForVersionThree(value: number | GoComposite): string {
  if (value instanceof GoTime) return formatTime(value.instant, "2006-01-02T15:04:05.999999999Z07:00");
  if (typeof value !== "number") throw new GoError(`cannot marshal type: ${value.type.name}`);
  if (Number.isNaN(value)) return ".nan";
  return Number.isFinite(value) ? formatGoFloat(value) : value > 0 ? ".inf" : "-.inf";
}

/** A longer key is none to YAML's reader, quotes and all. */
const maxKeyLength = 1024;
const refusedByReader = /\u007f|\u00c2[\u0080-\u0084\u0086-\u009f]|\u00ef\u00bf[\u00be\u00bf]/;
const nextLine = "\u00c2\u0085";

/** What a string is after it has been JSON and was read as YAML. @throws GoError where it cannot be read */
function readJsonText(text: string): string {
  if (isAscii(text) && !text.includes("\u007f")) return text;
  const json = toWellFormed(text);
  if (refusedByReader.test(json)) throw new ReadingError("yaml: control characters are not allowed");
  // To YAML this is a line end, which folds; JSON does not escape it.
  return json.includes(nextLine) ? readFolded(json) : json;
}

function readFolded(text: string): string {
  try {
    const { value } = loadYaml(fromBytes(quoteJson(text)));
    return typeof value === "string" ? toBytes(value) : text;
  } catch (error) {
    if (error instanceof FairleadError) throw new ReadingError("yaml: found unexpected document indicator");
    throw error;
  }
}

/** The map with what is read for each key of its JSON. @throws GoError where a key cannot be read */
function readJsonKeys(map: GoMap): GoMap {
  for (const key of map.entries.keys()) {
    if (readJsonKey(key) !== key) {
      return new GoMap([...map.entries].map(([each, value]) => [readJsonKey(each), value]));
    }
  }
  return map;
}

function readJsonKey(key: string): string {
  // What has less than a sixth of the limit cannot exceed it, however much is escaped.
  const isLong = key.length > maxKeyLength / 6 && fromBytes(quoteJson(key)).length > maxKeyLength;
  if (isLong || key.includes(nextLine)) throw new ReadingError("yaml: did not find expected ',' or '}'");
  return readJsonText(key);
}
