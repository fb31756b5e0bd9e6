import { isYamlList, isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import { formatValuePath, getAt, type ValuePath } from "../../yaml/value-path.ts";
import type { Manifest } from "../rendering/manifest.ts";
import { changeField } from "./change-text.ts";
import { hookOf } from "./plan-residual.ts";
import type { ResidualField, ResidualObject } from "./residual-object.ts";

/** A text of a manifest, and what it is to become. */
export interface FieldMatch {
  readonly field: ResidualField;
  readonly path: ValuePath;
  readonly text: string;
  readonly wanted: string;
}

/** A manifest in which every text of an object of the plan was found. */
export interface ObjectMatch<Candidate extends Manifest> {
  readonly manifest: Candidate;
  readonly fields: readonly FieldMatch[];
}

/** Something of the plan that is not as it was when the plan was made. */
export interface Mismatch {
  readonly object: ResidualObject;
  readonly reason: string;
  /** True where the object is not there at all. */
  readonly isMissing: boolean;
}

export interface Matching<Candidate extends Manifest> {
  readonly matches: readonly ObjectMatch<Candidate>[];
  readonly mismatches: readonly Mismatch[];
}

/**
 * Finds the objects of a plan among manifests: by kind, namespace and name; where there is none of that name, as
 * under another release or with a generated name, one of the same kind and template that holds the same texts.
 * An object that the plan does not know and that holds them too is a mismatch as well: its images would stay.
 * @param byName whether an object of another name is none of the plan's
 */
export function matchObjects<Candidate extends Manifest>(
  objects: readonly ResidualObject[],
  manifests: readonly Candidate[],
  byName: boolean,
): Matching<Candidate> {
  const matches: ObjectMatch<Candidate>[] = [];
  const mismatches: Mismatch[] = [];
  const free = new Set(manifests);
  const claim = (match: ObjectMatch<Candidate>): void => {
    free.delete(match.manifest);
    matches.push(match);
  };
  const unnamed: ResidualObject[] = [];
  for (const object of objects) {
    const named = manifests.filter((manifest) => isNamed(manifest, object));
    const match = named
      .filter((manifest) => free.has(manifest))
      .map((manifest) => tryMatch(object, manifest));
    const found = match.find((candidate) => candidate !== undefined);
    if (found !== undefined) claim(found);
    else if (named[0] === undefined) unnamed.push(object);
    else mismatches.push({ object, reason: firstProblem(object, named[0]), isMissing: false });
  }
  for (const object of unnamed) {
    const alike = byName ? [] : findAlike(object, free);
    // One that the values moved looks as if it were done: those with something to do go first.
    const found = alike.find((candidate) => hasWork(candidate)) ?? alike[0];
    if (found === undefined) mismatches.push({ object, reason: "the object is not there", isMissing: true });
    else claim(found);
  }
  for (const object of byName ? [] : objects) {
    const other = findAlike(object, free).find((candidate) => hasWork(candidate));
    if (other === undefined || other.manifest.isTest) continue;
    free.delete(other.manifest);
    const { kind, name } = other.manifest;
    mismatches.push({ object, reason: `${kind}/${name} holds the same images`, isMissing: false });
  }
  return { matches, mismatches };
}

function isNamed(manifest: Manifest, object: ResidualObject): boolean {
  return (
    isOfKind(manifest, object) && manifest.namespace === object.namespace && manifest.name === object.name
  );
}

function isOfKind(manifest: Manifest, object: ResidualObject): boolean {
  return manifest.apiVersion === object.apiVersion && manifest.kind === object.kind;
}

function findAlike<Candidate extends Manifest>(
  object: ResidualObject,
  manifests: Iterable<Candidate>,
): ObjectMatch<Candidate>[] {
  return [...manifests]
    .filter((manifest) => isOfKind(manifest, object) && hookOf(manifest.content) === object.hook)
    .filter(
      (manifest) => (templateOf(manifest) ?? object.template) === (object.template ?? templateOf(manifest)),
    )
    .flatMap((manifest) => tryMatch(object, manifest) ?? []);
}

/** Helm 4 hands the template's name to post-renderers in an annotation. */
function templateOf({ content, template }: Manifest): string | undefined {
  const annotation = getAt(content, ["metadata", "annotations", "postrenderer.helm.sh/postrender-filename"]);
  return typeof annotation === "string" ? annotation : template;
}

function hasWork({ fields }: ObjectMatch<Manifest>): boolean {
  return fields.some(({ text, wanted }) => text !== wanted);
}

function tryMatch<Candidate extends Manifest>(
  object: ResidualObject,
  manifest: Candidate,
): ObjectMatch<Candidate> | undefined {
  const fields = object.fields.flatMap((field) => matchField(field, manifest.content) ?? []);
  return fields.length === object.fields.length ? { manifest, fields } : undefined;
}

function matchField(field: ResidualField, content: YamlMap): FieldMatch | undefined {
  const path = placeOf(field, content);
  const text = path === undefined ? undefined : getAt(content, path);
  if (path === undefined || typeof text !== "string") return undefined;
  const wanted = changeField(text, field);
  return wanted === undefined ? undefined : { field, path, text, wanted };
}

/** The path of a field; that of a container by the container's name. */
function placeOf({ path, container }: ResidualField, content: YamlMap): ValuePath | undefined {
  if (container === undefined) return path;
  const list = getAt(content, path.slice(0, -2));
  const own = getAt(content, path.slice(0, -1));
  if (isNamedContainer(own, container)) return path;
  const index = isYamlList(list) ? list.findIndex((item) => isNamedContainer(item, container)) : -1;
  return index === -1 ? undefined : [...path.slice(0, -2), index, ...path.slice(-1)];
}

function isNamedContainer(item: YamlValue | undefined, name: string): boolean {
  return isYamlMap(item) && item["name"] === name;
}

function firstProblem(object: ResidualObject, manifest: Manifest): string {
  const field = object.fields.find((candidate) => matchField(candidate, manifest.content) === undefined);
  if (field === undefined) return "another object of the plan has its name";
  const names = field.changes.map(({ from }) => JSON.stringify(from)).join(", ");
  return `${formatValuePath(field.path)} does not hold ${names} where the plan has it`;
}
