import { FairleadError } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { findSimilar } from "../../core/similar-text.ts";
import { isYamlList, isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import { formatValuePath, type ValuePath } from "../../yaml/value-path.ts";

/** A key, an index, or the `name` of a list's item. */
type FieldStep = string | number | { readonly name: string };

const segment =
  /\[(?<index>\d+)\]|\[(?<quoted>"(?:[^"\\]|\\.)*")\]|\[(?<name>[^[\]"]+)\]|(?<dot>\.?)(?<key>[^.[\]"]+)/uy;

/**
 * The path of a field that a user names in an object, such as `spec.containers[0].image`, `containers[web].image`
 * below it, or `metadata.annotations["a.b/c"]`. The beginning may be left out where one field alone is meant.
 * @throws FairleadError `input-invalid` where it cannot be read, and where the object has no such field, or several
 */
export function findField(content: YamlMap, text: string): ValuePath {
  const steps = parseSteps(text);
  const found = follow(content, steps);
  if (found.missing === undefined) return found.path;
  const [place, ...others] = [...placesBelow(content, steps, [])];
  if (place === undefined) throw missingField(found.missing.value, found.missing.step, found.path);
  if (others.length === 0) return place;
  const names = [place, ...others].map((path) => formatValuePath(path));
  throw new FairleadError("input-invalid", `several fields are called ${excerpt(text)}`, {
    hint: `name one of ${names.slice(0, maxNames).join(", ")}`,
  });
}

interface Followed {
  /** As far as there are fields. */
  readonly path: ValuePath;
  /** The first step that leads nowhere, and from what. */
  readonly missing?: { readonly value: YamlValue; readonly step: FieldStep };
}

function follow(content: YamlValue, steps: readonly FieldStep[]): Followed {
  const path: (string | number)[] = [];
  let value = content;
  for (const step of steps) {
    const found = stepInto(value, step);
    if (found === undefined) return { path, missing: { value, step } };
    path.push(found.key);
    value = found.value;
  }
  return { path };
}

/** Every place below a value where all steps lead somewhere. */
function* placesBelow(value: YamlValue, steps: readonly FieldStep[], at: ValuePath): Generator<ValuePath> {
  const entries = isYamlMap(value) ? Object.entries(value) : isYamlList(value) ? value.entries() : [];
  for (const [key, item] of entries) {
    const { path, missing } = follow(item, steps);
    if (missing === undefined) yield [...at, key, ...path];
    yield* placesBelow(item, steps, [...at, key]);
  }
}

function parseSteps(text: string): FieldStep[] {
  const steps: FieldStep[] = [];
  segment.lastIndex = 0;
  while (segment.lastIndex < text.length) {
    const start = segment.lastIndex;
    const groups = segment.exec(text)?.groups;
    if (groups === undefined || (groups["key"] !== undefined && (groups["dot"] === ".") !== start > 0)) {
      throw new FairleadError("input-invalid", `'${excerpt(text)}' is no path of a field`, {
        hint: 'write it like spec.replicas, containers[0].image, containers[web].image or annotations["a.b/c"]',
      });
    }
    steps.push(stepOf(groups));
  }
  return steps;
}

function stepOf(groups: Readonly<Record<string, string | undefined>>): FieldStep {
  const { index, quoted, name, key = "" } = groups;
  if (index !== undefined) return Number(index);
  if (name !== undefined) return { name };
  if (quoted === undefined) return key;
  try {
    return String(JSON.parse(quoted));
  } catch (cause) {
    throw new FairleadError("input-invalid", `${excerpt(quoted)} is no quoted key`, { cause });
  }
}

interface Entry {
  readonly key: string | number;
  readonly value: YamlValue;
}

function stepInto(value: YamlValue, step: FieldStep): Entry | undefined {
  if (typeof step === "string") {
    return isYamlMap(value) && Object.hasOwn(value, step)
      ? { key: step, value: value[step] ?? null }
      : undefined;
  }
  if (!isYamlList(value)) return undefined;
  const key =
    typeof step === "number"
      ? step
      : value.findIndex((item) => isYamlMap(item) && item["name"] === step.name);
  const item = value[key];
  return item === undefined ? undefined : { key, value: item };
}

function missingField(value: YamlValue, step: FieldStep, path: ValuePath): FairleadError {
  const asked = typeof step === "object" ? step.name : step;
  const at = path.length === 0 ? "the object" : formatValuePath(path);
  const names = namesIn(value, step);
  const similar = typeof asked === "number" ? undefined : findSimilar(asked, names);
  const there = names.length === 0 ? "nothing" : names.slice(0, maxNames).join(", ");
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : "";
  return new FairleadError("input-invalid", `${at} has no ${excerpt(String(asked))}`, {
    hint: `${similar === undefined ? "" : `did you mean ${similar}? `}It has ${there}${more}`,
  });
}

const maxNames = 20;

/** What could have been named in the place of a step. */
function namesIn(value: YamlValue, step: FieldStep): string[] {
  if (isYamlMap(value)) return Object.keys(value);
  if (!isYamlList(value)) return [];
  const named = value.flatMap((item) =>
    isYamlMap(item) && typeof item["name"] === "string" ? [item["name"]] : [],
  );
  const indexes = value.map((_, index) => String(index));
  return typeof step === "number" || named.length === 0 ? indexes : named;
}
