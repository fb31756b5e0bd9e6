/** What a request asks of the Kubernetes API, read from its method and target. */
export interface RequestInfo {
  /** Kubernetes's verb: get, list, watch, create, update, patch, delete, deletecollection; else the method in lower case. */
  readonly verb: string;
  /** Undefined for requests that concern no resource, such as `/openapi/v3`. */
  readonly resource: ResourceRequest | undefined;
  /** The path without the query, decoded nowhere. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export interface ResourceRequest {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural, in lower case: `pods`. */
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** Paths below these are the API's; `api` has no group in its path. */
const apiPrefixes: ReadonlySet<string> = new Set(["api", "apis"]);
/** Verbs that the oldest form of the API has in the path. */
const pathVerbs: ReadonlySet<string> = new Set(["proxy", "watch"]);
const namespaceSubresources: ReadonlySet<string> = new Set(["status", "finalize"]);

const methodVerbs: Readonly<Record<string, string>> = {
  POST: "create",
  GET: "get",
  HEAD: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/**
 * Reads what a request asks for as the API server does (RequestInfoFactory of k8s.io/apiserver): the path is decoded
 * and then split, and a list that names one object by `fieldSelector` has that name. A path that the server would
 * refuse or that has an empty or dotted step in it concerns no resource.
 * @param target path and query
 */
export function readRequestInfo(method: string, target: string): RequestInfo {
  const queryAt = target.indexOf("?");
  const path = queryAt === -1 ? target : target.slice(0, queryAt);
  const query = new URLSearchParams(queryAt === -1 ? "" : target.slice(queryAt + 1));
  const read = readResource(method, path, query);
  return read === undefined
    ? { verb: method.toLowerCase(), resource: undefined, path, query }
    : { ...read, path, query };
}

function readResource(
  method: string,
  path: string,
  query: URLSearchParams,
): { readonly verb: string; readonly resource: ResourceRequest } | undefined {
  const steps = tryDecode(path)
    ?.replace(/^\/+|\/+$/gu, "")
    .split("/");
  if (steps === undefined || steps.length < 3 || !apiPrefixes.has(steps[0] ?? "")) return undefined;
  const isCore = steps[0] === "api";
  if (!isCore && steps.length < 4) return undefined;
  const group = isCore ? "" : (steps[1] ?? "");
  const [version = "", ...rest] = steps.slice(isCore ? 1 : 2);

  let verb = methodVerbs[method] ?? method.toLowerCase();
  const pathVerb = rest[0] ?? "";
  if (pathVerbs.has(pathVerb)) {
    if (rest.length < 2) return undefined;
    verb = pathVerb;
    rest.shift();
  }
  const namespace = rest[0] === "namespaces" ? rest[1] : undefined;
  if (namespace !== undefined && rest.length > 2 && !namespaceSubresources.has(rest[2] ?? "")) {
    rest.splice(0, 2);
  }
  const [resource = "", named] = rest;
  // What follows the name in the oldest form of a proxied path is the path of the proxied.
  const subresource = verb === "proxy" ? undefined : rest[2];
  const read = [...(isCore ? [] : [group]), version, resource, namespace, named, subresource];
  if (read.some(isIrregular)) return undefined;

  const name = named ?? (verb === "get" ? nameInFieldSelector(query) : undefined);
  if (named === undefined && verb === "get") verb = asksToWatch(query) ? "watch" : "list";
  if (named === undefined && verb === "delete") verb = "deletecollection";
  return { verb, resource: { group, version, resource, namespace, name, subresource } };
}

function tryDecode(path: string): string | undefined {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function isIrregular(step: string | undefined): boolean {
  return step === "" || step === "." || step === "..";
}

/** Any value but these asks to watch, an empty one too. */
function asksToWatch(query: URLSearchParams): boolean {
  const value = query.get("watch")?.toLowerCase();
  return value !== undefined && value !== "false" && value !== "0";
}

/** The name in a selector such as `metadata.name=a,status.phase=Running`. */
function nameInFieldSelector(query: URLSearchParams): string | undefined {
  const selector = query.get("fieldSelector");
  if (selector === null) return undefined;
  const terms = selector.match(/(?:[^\\,]|\\.)+/gu) ?? [];
  const name = terms
    .map((term) => /^metadata\.name==?(?<name>(?:[^\\=]|\\[\\,=])*)$/u.exec(term)?.groups?.["name"])
    .find((found) => found !== undefined)
    ?.replaceAll(/\\(?<escaped>.)/gu, "$<escaped>");
  return name === undefined || name === "" || name === "." || name === ".." || /[/%]/u.test(name)
    ? undefined
    : name;
}
