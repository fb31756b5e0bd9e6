import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const chart = "deploy/chart/fairlead";
const folder = path.join(import.meta.dirname, "../..", chart);

/** The manifests that the chart takes as they are, and their names in it: Helm reads nothing outside of a chart. */
const rolesInChart: Readonly<Record<string, string>> = {
  "deploy/rbac/cluster/roles.yaml": "cluster.yaml",
  "deploy/rbac/namespace/roles.yaml": "namespace.yaml",
  "deploy/rbac/users/roles.yaml": "users.yaml",
  "deploy/controllers/base/role.yaml": "lease.yaml",
  "deploy/image-service/role.yaml": "image-service.yaml",
};

/** The files of the chart that are made: path in the repository, and text. */
export function chartFiles(manifests: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const copies = [...manifests].flatMap(([file, text]): [string, string][] => {
    if (file.startsWith("deploy/crds/")) return [[`${chart}/files/crds/${path.basename(file)}`, text]];
    const role = rolesInChart[file];
    return role === undefined ? [] : [[`${chart}/files/roles/${role}`, text]];
  });
  return new Map([...copies, [`${chart}/README.md`, readme()]]);
}

/** What of a JSON schema describes a value. */
interface Description {
  readonly description?: string | undefined;
  readonly properties?: Readonly<Record<string, Description>> | undefined;
}

const description: z.ZodType<Description> = z.lazy(() =>
  z.object({
    description: z.string().optional(),
    properties: z.record(z.string(), description).optional(),
  }),
);

const beginning = "<!-- Written by scripts/deploy.ts from values.yaml and values.schema.json: -->\n";

/** The README with the table of values, whose text comes from their schema. */
function readme(): string {
  const text = readFileSync(path.join(folder, "README.md"), "utf8");
  const [before = ""] = text.split(beginning);
  const values: unknown = parse(readFileSync(path.join(folder, "values.yaml"), "utf8"));
  const schema = description.parse(JSON.parse(readFileSync(path.join(folder, "values.schema.json"), "utf8")));
  const rows = rowsOf([], values, schema).map((cells) => `| ${cells.join(" | ")} |\n`);
  return `${before}${beginning}\n| Value | Meaning | Default |\n| --- | --- | --- |\n${rows.join("")}`;
}

function rowsOf(place: readonly string[], value: unknown, schema: Description): readonly string[][] {
  const { properties = {} } = schema;
  const isDescribedInside = Object.values(properties).some((property) => property.description !== undefined);
  if (isDescribedInside || place.length === 0) {
    const members = z.record(z.string(), z.unknown()).parse(value);
    return Object.entries(members).flatMap(([key, member]) => {
      const known = properties[key];
      if (known === undefined)
        throw new Error(`values.schema.json does not know ${[...place, key].join(".")}`);
      return rowsOf([...place, key], member, known);
    });
  }
  const name = place.join(".");
  if (schema.description === undefined) throw new Error(`values.schema.json does not describe ${name}`);
  return [[`\`${name}\``, schema.description, `\`${JSON.stringify(value)}\``]];
}
