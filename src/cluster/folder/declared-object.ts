import { digestSpec } from "../../automation/run/request.ts";
import type { FieldReader } from "../../objects/field-reader.ts";
import type { KubernetesObject, ObjectKind, ObjectKinds } from "../../objects/object-kind.ts";
import type { ObjectMeta } from "../../objects/object-meta.ts";
import { readSecret } from "../../objects/read-secret.ts";
import { isYamlMap, type YamlMap } from "../../yaml/value.ts";
import type { JsonObject } from "../conditions/status-patch.ts";
import type { FolderKind } from "./folder-kinds.ts";
import { copyPlain } from "./plain-copy.ts";

/** An object as its manifest gives it. */
export interface DeclaredObject extends KubernetesObject {
  /** Undefined for kinds without namespaces. */
  readonly namespace: string | undefined;
  readonly finalizers: readonly string[];
  /** All but `apiVersion`, `kind`, `metadata` and `status`. */
  readonly content: JsonObject;
  /** Of the content. */
  readonly digest: string;
  readonly status: JsonObject | undefined;
}

/** What Kubernetes stores at most of an object, about. */
const maxCharacters = 1_500_000;
const namespaceNameLabel = "kubernetes.io/metadata.name";

/** How objects of these kinds are read from manifests. */
export function declaredKinds(kinds: ReadonlyMap<string, FolderKind>): ObjectKinds<DeclaredObject> {
  return new Map(
    Array.from(kinds, ([name, kind]): [string, ObjectKind<DeclaredObject>] => [
      name,
      {
        group: kind.type.group,
        versions: [kind.type.version, ...(kind.otherVersions ?? [])],
        isNamespaced: kind.type.namespaced,
        ...(isSecret(kind) ? { isSecret: true } : {}),
        read: (fields, meta) => readDeclared(name, kind, fields, meta),
      },
    ]),
  );
}

/** The key of an object among all: `ImagePolicy/apps/podinfo`. */
export function declaredKey({
  kind,
  namespace,
  meta: { name },
}: Pick<DeclaredObject, "kind" | "namespace" | "meta">): string {
  return `${kind}/${namespace ?? ""}/${name}`;
}

/** A namespace that has objects and no manifest of its own. */
export function impliedNamespace(name: string): DeclaredObject {
  const labels = { [namespaceNameLabel]: name };
  const meta = { namespace: name, name, labels, annotations: {}, generation: 0, where: {} };
  return {
    kind: "Namespace",
    meta,
    namespace: undefined,
    finalizers: [],
    content: {},
    digest: digestSpec({}),
    status: undefined,
  };
}

/** Whether objects of a kind are Secrets, whose contents must reach no file. */
export function isSecret({ type: { group, resource } }: FolderKind): boolean {
  return group === "" && resource === "secrets";
}

function readDeclared(
  kind: string,
  folderKind: FolderKind,
  fields: FieldReader,
  meta: ObjectMeta,
): DeclaredObject {
  const { group, resource, namespaced } = folderKind.type;
  const finalizers = isYamlMap(fields.written["metadata"])
    ? (fields.map("metadata")?.texts("finalizers") ?? [])
    : [];
  folderKind.reads?.read(fields, meta);
  const { apiVersion: _version, kind: _kind, metadata: _metadata, status, ...written } = plainOf(fields);
  const content = isSecret(folderKind) ? storedSecret(written, fields, meta) : written;
  const isNamespace = group === "" && resource === "namespaces";
  return {
    kind,
    meta: {
      ...meta,
      labels: { ...meta.labels, ...(isNamespace ? { [namespaceNameLabel]: meta.name } : {}) },
      annotations: { ...meta.annotations },
    },
    namespace: namespaced ? meta.namespace : undefined,
    finalizers,
    content,
    digest: digestSpec(content),
    status: isYamlMap(status) && !isSecret(folderKind) ? status : undefined,
  };
}

function plainOf(fields: FieldReader): YamlMap {
  const plain = copyPlain(fields.written, maxCharacters);
  if (isYamlMap(plain)) return plain;
  fields.problems.push({ path: [], message: `the object is larger than ${maxCharacters} characters` });
  return {};
}

/** A Secret as the API server stores it: `stringData` is part of `data`. */
function storedSecret(written: YamlMap, fields: FieldReader, meta: ObjectMeta): JsonObject {
  const { type, data } = readSecret(fields, meta);
  const { stringData: _stringData, ...rest } = written;
  const encoded = Object.entries(data).map(([key, bytes]) => [key, Buffer.from(bytes).toString("base64")]);
  return { ...rest, type, data: Object.fromEntries(encoded) as Readonly<Record<string, string>> };
}
