/** A version of JSON Schema, by the year or number that tells which keywords it has. */
export type DraftVersion = 4 | 6 | 7 | 2019 | 2020;

export interface Draft {
  readonly version: DraftVersion;
  readonly metaschema: string;
  /** The keyword that names a schema. */
  readonly idKeyword: "id" | "$id";
  /** Keywords that hold one schema, a list of schemas, or schemas by names. */
  readonly single: readonly string[];
  readonly lists: readonly string[];
  readonly maps: readonly string[];
}

const draft4: Draft = {
  version: 4,
  metaschema: "http://json-schema.org/draft-04/schema",
  idKeyword: "id",
  single: ["not", "additionalProperties", "items", "additionalItems"],
  lists: ["allOf", "anyOf", "oneOf", "items"],
  maps: ["definitions", "properties", "patternProperties", "dependencies"],
};

const draft6: Draft = {
  ...draft4,
  version: 6,
  metaschema: "http://json-schema.org/draft-06/schema",
  idKeyword: "$id",
  single: [...draft4.single, "propertyNames", "contains"],
};

const draft7: Draft = {
  ...draft6,
  version: 7,
  metaschema: "http://json-schema.org/draft-07/schema",
  single: [...draft6.single, "if", "then", "else"],
};

const draft2019: Draft = {
  ...draft7,
  version: 2019,
  metaschema: "https://json-schema.org/draft/2019-09/schema",
  single: [...draft7.single, "unevaluatedProperties", "unevaluatedItems", "contentSchema"],
  maps: [...draft7.maps, "$defs", "dependentSchemas"],
};

const draft2020: Draft = {
  ...draft2019,
  version: 2020,
  metaschema: "https://json-schema.org/draft/2020-12/schema",
  lists: [...draft2019.lists, "prefixItems"],
};

/** What a schema without `$schema` is read as. */
export const latestDraft: Draft = draft2020;

const drafts: ReadonlyMap<string, Draft> = new Map([
  ["json-schema.org/schema", latestDraft],
  ...[draft4, draft6, draft7, draft2019, draft2020].map(
    (draft) => [draft.metaschema.replace(/^https?:\/\//u, ""), draft] as const,
  ),
]);

/** The draft that a `$schema` names; undefined for one that is not known. */
export function findDraft(address: string): Draft | undefined {
  const [base = "", fragment = ""] = address.split("#", 2);
  return fragment === "" ? drafts.get(base.replace(/^https?:\/\//u, "")) : undefined;
}
