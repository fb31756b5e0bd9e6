import { FairleadError } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { sourceGroups, type SourceKind } from "../../notification/objects/source-kinds.ts";
import type { ResourceType } from "../api/api-object.ts";

/** For those that name no version of a kind; as notification-controller has them. */
const defaultVersions: Readonly<Partial<Record<SourceKind, string>>> = {
  Bucket: "v1",
  GitRepository: "v1",
  HelmChart: "v1",
  HelmRepository: "v1",
  OCIRepository: "v1",
  ImageRepository: "v1",
  ArtifactGenerator: "v1beta1",
};

/**
 * Where the API server has the objects of a kind that Alerts and Receivers name.
 * @param apiVersion empty: the default
 * @throws FairleadError `object-invalid`
 */
export function sourceType(kind: string, apiVersion: string = ""): ResourceType {
  if (!isSourceKind(kind)) {
    throw new FairleadError("object-invalid", `${excerpt(kind)} is no kind that sends events`);
  }
  const group = sourceGroups[kind];
  const resource = pluralOf(kind);
  const version = apiVersion === "" ? defaultVersions[kind] : versionIn(apiVersion, group);
  if (version !== undefined) return { group, version, resource, namespaced: true };
  const problem = apiVersion === "" ? "has no default apiVersion" : `is not of ${excerpt(apiVersion)}`;
  throw new FairleadError("object-invalid", `${kind} ${problem}`, {
    hint: `give an apiVersion such as ${group}/v1`,
  });
}

function isSourceKind(kind: string): kind is SourceKind {
  return Object.hasOwn(sourceGroups, kind);
}

/** It becomes a part of a path. */
function versionIn(apiVersion: string, group: string): string | undefined {
  const [given, version = "", ...rest] = apiVersion.split("/");
  return given === group && rest.length === 0 && /^v[0-9a-z]{1,20}$/u.test(version) ? version : undefined;
}

function pluralOf(kind: SourceKind): string {
  const name = kind.toLowerCase();
  return name.endsWith("y") ? `${name.slice(0, -1)}ies` : `${name}s`;
}
