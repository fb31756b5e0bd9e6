/** A version of JSON Schema, by the year or number that tells which keywords it has. */
export type DraftVersion = 4 | 6 | 7 | 2019 | 2020;

/** How a keyword holds schemas: one, a list of them, or some by names. */
type Holding = readonly ("one" | "list" | "map")[];

export interface Draft {
  readonly version: DraftVersion;
  readonly metaschema: string;
  /** The keyword that names a schema. */
  readonly idKeyword: "id" | "$id";
  /** The keywords that hold schemas. */
  readonly holding: ReadonlyMap<string, Holding>;
}

const one: Holding = ["one"];
const list: Holding = ["list"];
const map: Holding = ["map"];

const draft4: Draft = {
  version: 4,
  metaschema: "http://json-schema.org/draft-04/schema",
  idKeyword: "id",
  holding: new Map([
    ["not", one],
    ["allOf", list],
    ["anyOf", list],
    ["oneOf", list],
    ["definitions", map],
    ["properties", map],
    ["patternProperties", map],
    ["additionalProperties", one],
    ["dependencies", map],
    ["items", ["one", "list"]],
    ["additionalItems", one],
  ]),
};

const draft6: Draft = {
  ...draft4,
  version: 6,
  metaschema: "http://json-schema.org/draft-06/schema",
  idKeyword: "$id",
  holding: new Map([...draft4.holding, ["propertyNames", one], ["contains", one]]),
};

const draft7: Draft = {
  ...draft6,
  version: 7,
  metaschema: "http://json-schema.org/draft-07/schema",
  holding: new Map([...draft6.holding, ["if", one], ["then", one], ["else", one]]),
};

const draft2019: Draft = {
  ...draft7,
  version: 2019,
  metaschema: "https://json-schema.org/draft/2019-09/schema",
  holding: new Map([
    ...draft7.holding,
    ["$defs", map],
    ["dependentSchemas", map],
    ["unevaluatedProperties", one],
    ["unevaluatedItems", one],
    ["contentSchema", one],
  ]),
};

const draft2020: Draft = {
  ...draft2019,
  version: 2020,
  metaschema: "https://json-schema.org/draft/2020-12/schema",
  holding: new Map([...draft2019.holding, ["prefixItems", list]]),
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
