import { z } from "zod";
import { FairleadError } from "../../core/error.ts";
import { formatValuePath, parseValuePath } from "../../yaml/value-path.ts";
import { formatJson } from "../report/json-text.ts";
import type { ResidualField, ResidualObject } from "./residual-object.ts";

const text = z.string();
const count = z.int().min(0);

const documentSchema = z.strictObject({
  tool: z.literal("fairlead"),
  kind: z.literal("residual-plan"),
  schemaVersion: z.literal(1),
  chart: z.strictObject({ name: text, version: text }),
  objects: z.array(
    z.strictObject({
      apiVersion: text,
      kind: text,
      namespace: text,
      name: text,
      template: text.optional(),
      hook: text.optional(),
      fields: z.array(
        z.strictObject({
          path: text,
          container: text.optional(),
          encoding: z.literal("base64").optional(),
          changes: z.array(
            z.strictObject({
              from: text,
              to: text,
              occurrence: z.strictObject({ index: count, of: count }).optional(),
            }),
          ),
        }),
      ),
    }),
  ),
});

type PlanDocument = z.infer<typeof documentSchema>;
type DocumentObject = PlanDocument["objects"][number];
type DocumentField = DocumentObject["fields"][number];

/** The residual plan of a chart as JSON, which {@link parseResidualPlan} reads. */
export function formatResidualPlan(
  chart: { readonly name: string; readonly version: string },
  objects: readonly ResidualObject[],
): string {
  const document: PlanDocument = {
    tool: "fairlead",
    kind: "residual-plan",
    schemaVersion: 1,
    chart: { name: chart.name, version: chart.version },
    objects: objects.map(({ apiVersion, kind, namespace, name, template, hook, fields }) => ({
      apiVersion,
      kind,
      namespace,
      name,
      template,
      hook,
      fields: fields.map(({ path, container, encoded, changes }) => ({
        path: formatValuePath(path),
        container,
        encoding: encoded === true ? "base64" : undefined,
        changes: [...changes],
      })),
    })),
  };
  return formatJson(document);
}

/**
 * Reads what {@link formatResidualPlan} writes.
 * @param file its name, for messages
 * @throws FairleadError `input-invalid`, `value-path-invalid`
 */
export function parseResidualPlan(json: string, file: string): ResidualObject[] {
  const { data, error } = documentSchema.safeParse(tryParseJson(json));
  if (error !== undefined) {
    const place = formatValuePath((error.issues[0]?.path ?? []).filter((step) => typeof step !== "symbol"));
    throw new FairleadError("input-invalid", "this is no residual plan of this version of fairlead", {
      where: { file, ...(place === "" ? {} : { valuePath: place }) },
      hint: "write it with fairlead override --verify --residual post-renderer FOLDER",
    });
  }
  return data.objects.map(objectOf);
}

function objectOf({ template, hook, fields, ...identity }: DocumentObject): ResidualObject {
  return {
    ...identity,
    ...(template === undefined ? {} : { template }),
    ...(hook === undefined ? {} : { hook }),
    fields: fields.map(fieldOf),
  };
}

function fieldOf({ path, container, encoding, changes }: DocumentField): ResidualField {
  return {
    path: parseValuePath(path),
    ...(container === undefined ? {} : { container }),
    ...(encoding === undefined ? {} : { encoded: true }),
    changes: changes.map(({ from, to, occurrence }) =>
      occurrence === undefined ? { from, to } : { from, to, occurrence },
    ),
  };
}

function tryParseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
