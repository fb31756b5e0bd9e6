import { FairleadError, messageOf } from "../../../core/error.ts";
import { isAcIdentifier, isImageId, type Label } from "./ac-types.ts";
import { type AciApp, readApp } from "./image-app.ts";
import { jsonFields, type JsonFields } from "./json-fields.ts";

/** What an image says of itself (appc specification, "Image Manifest Schema"). */
export interface ImageManifest {
  readonly name: string;
  readonly labels: readonly Label[];
  readonly app: AciApp | undefined;
  readonly dependencies: readonly Dependency[];
  /** Absolute paths; empty: everything. */
  readonly pathWhitelist: readonly string[];
  readonly annotations: readonly Label[];
}

/** An image whose files come before those of the image that names it. */
export interface Dependency {
  readonly name: string;
  readonly labels: readonly Label[];
  readonly id: string | undefined;
  /** In bytes, as fetched or uncompressed: the specification does not say. */
  readonly size: number | undefined;
}

/** The largest manifest that is read. */
export const maxManifestBytes: number = 1024 * 1024;

/** Semantic versioning 2.0.0. */
const versionPattern =
  /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/u;

/** Reads and checks a manifest. @throws FairleadError `aci-invalid` with the field that breaks a rule */
export function parseImageManifest(bytes: Uint8Array): ImageManifest {
  const fields = jsonFields(parse(bytes));
  if (fields.text("acKind") !== "ImageManifest") throw fields.wrong("acKind", "is not ImageManifest");
  if (!versionPattern.test(fields.text("acVersion"))) {
    throw fields.wrong("acVersion", "is no semantic version");
  }
  const app = fields.object("app");
  return {
    name: readIdentifier(fields, "name"),
    labels: readLabels(fields, "labels"),
    app: app === undefined ? undefined : readApp(app),
    dependencies: fields.objects("dependencies").map(readDependency),
    pathWhitelist: fields.texts("pathWhitelist").map((path) => {
      if (!path.startsWith("/")) throw fields.wrong("pathWhitelist", "holds a path that is not absolute");
      return path;
    }),
    annotations: readLabels(fields, "annotations"),
  };
}

/** The value of a label, if the image has it. */
export function labelOf({ labels }: Pick<ImageManifest, "labels">, name: string): string | undefined {
  return labels.find((label) => label.name === name)?.value;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new FairleadError("aci-invalid", `the manifest is no JSON: ${messageOf(cause)}`, { cause });
  }
}

function readDependency(fields: JsonFields): Dependency {
  const id = fields.optionalText("imageID");
  if (id !== undefined && !isImageId(id)) throw fields.wrong("imageID", "is no image ID");
  return {
    name: readIdentifier(fields, "imageName"),
    labels: readLabels(fields, "labels"),
    id,
    size: fields.optionalCount("size"),
  };
}

function readLabels(fields: JsonFields, key: string): readonly Label[] {
  const labels = fields
    .objects(key)
    .map((label) => ({ name: readIdentifier(label, "name"), value: label.text("value") }));
  const names = labels.map(({ name }) => name);
  if (new Set(names).size < names.length) throw fields.wrong(key, "has a name twice");
  if (key === "labels" && names.includes("name")) throw fields.wrong(key, "has a label 'name'");
  return labels;
}

function readIdentifier(fields: JsonFields, key: string): string {
  const text = fields.text(key);
  if (!isAcIdentifier(text)) throw fields.wrong(key, "is no AC identifier");
  return text;
}
