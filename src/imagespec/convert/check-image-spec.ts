import { FairleadError } from "../../core/error.ts";
import { isTag } from "../../reference/grammar.ts";
import { fromImageSpec, type ImageSpec } from "../../reference/image-spec.ts";
import { type FieldProblem, invalid, required, wrongType } from "./field-problem.ts";

/** appc specification 0.8.11, "AC Identifier Type". */
const aciName = /^[a-z0-9]+(?:[-._~/][a-z0-9]+)*$/u;
const aciId = /^sha512-[a-f0-9]{128}$/u;

/** Either the spec, with the known parts only, or what is wrong with it. */
export type CheckedImageSpec =
  | { readonly spec: ImageSpec; readonly problems: readonly [] }
  | { readonly spec?: never; readonly problems: readonly FieldProblem[] };

/**
 * Checks data from outside against document 003 (Design 4): exactly one member, `dockerImage` or `aci`, with its
 * required parts. Null members and parts count as absent.
 * @param field where it stands, such as `spec.containers[0].imageSpec`
 */
export function checkImageSpec(value: unknown, field: string): CheckedImageSpec {
  const problems: FieldProblem[] = [];
  const members = readParts(value, field, ["dockerImage", "aci"], problems);
  if (problems.length > 0) return { problems };
  if (members.size !== 1) {
    const detail = "exactly one of dockerImage and aci must be set";
    return { problems: [members.size === 0 ? required(field, detail) : invalid(field, value, detail)] };
  }
  const docker = members.get("dockerImage");
  const spec =
    docker === undefined
      ? checkAci(members.get("aci"), `${field}.aci`, problems)
      : checkDockerImage(docker, `${field}.dockerImage`, problems);
  return spec === undefined ? { problems } : { spec, problems: [] };
}

function checkDockerImage(value: unknown, field: string, problems: FieldProblem[]): ImageSpec | undefined {
  const parts = readParts(value, field, ["registry", "name", "tag", "digest"], problems);
  const registry = readRequired(parts, field, "registry", problems);
  const name = readRequired(parts, field, "name", problems);
  const tag = readText(parts, field, "tag", problems);
  const digest = readText(parts, field, "digest", problems);
  if (problems.length > 0 || registry === undefined || name === undefined) return undefined;
  const spec: ImageSpec = {
    dockerImage: {
      registry,
      name,
      ...(tag === undefined ? {} : { tag }),
      ...(digest === undefined ? {} : { digest }),
    },
  };
  try {
    fromImageSpec(spec);
    return spec;
  } catch (error) {
    if (!(error instanceof FairleadError)) throw error;
    problems.push(
      invalid(field, value, `the parts do not make up an image reference. ${error.hint ?? ""}`.trim()),
    );
    return undefined;
  }
}

function checkAci(value: unknown, field: string, problems: FieldProblem[]): ImageSpec | undefined {
  const parts = readParts(value, field, ["name", "tag", "id"], problems);
  const name = readRequired(parts, field, "name", problems);
  const tag = readText(parts, field, "tag", problems);
  const id = readText(parts, field, "id", problems);
  if (name !== undefined && !aciName.test(name)) {
    problems.push(invalid(`${field}.name`, name, "must be an AC identifier, such as coreos.com/etcd"));
  }
  // The tag is a part of the image string that old clients see.
  if (tag !== undefined && !isTag(tag)) {
    problems.push(invalid(`${field}.tag`, tag, "must be 1 to 128 letters, digits, '_', '.' and '-'"));
  }
  if (id !== undefined && !aciId.test(id)) {
    problems.push(invalid(`${field}.id`, id, "must be sha512- and 128 lower-case hexadecimal characters"));
  }
  if (problems.length > 0 || name === undefined) return undefined;
  return { aci: { name, ...(tag === undefined ? {} : { tag }), ...(id === undefined ? {} : { id }) } };
}

function readParts(
  value: unknown,
  field: string,
  known: readonly string[],
  problems: FieldProblem[],
): ReadonlyMap<string, unknown> {
  const parts = new Map<string, unknown>();
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    problems.push(wrongType(field, value, "an object"));
    return parts;
  }
  for (const [key, part] of Object.entries(value)) {
    if (!known.includes(key)) problems.push(invalid(`${field}.${key}`, part, "unknown field"));
    else if (part !== null && part !== undefined) parts.set(key, part);
  }
  return parts;
}

function readText(
  parts: ReadonlyMap<string, unknown>,
  field: string,
  key: string,
  problems: FieldProblem[],
): string | undefined {
  const part = parts.get(key);
  if (part === undefined || typeof part === "string") return part;
  problems.push(wrongType(`${field}.${key}`, part, "a string"));
  return undefined;
}

function readRequired(
  parts: ReadonlyMap<string, unknown>,
  field: string,
  key: string,
  problems: FieldProblem[],
): string | undefined {
  const text = readText(parts, field, key, problems);
  if (text !== undefined && text !== "") return text;
  if (text === "" || !parts.has(key)) problems.push(required(`${field}.${key}`, "an image needs it"));
  return undefined;
}
