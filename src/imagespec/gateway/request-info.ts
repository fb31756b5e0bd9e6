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
