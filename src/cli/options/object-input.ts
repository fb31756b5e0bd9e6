import { FairleadError } from "../../core/error.ts";
import type { RecordedObject } from "../../notification/recorder/recorded-object.ts";
import { FieldReader, type FieldProblem } from "../../objects/field-reader.ts";
import { readMeta } from "../../objects/read-meta.ts";
import { loadYamlDocuments } from "../../yaml/load.ts";
import { isYamlMap } from "../../yaml/value.ts";
import type { CliIo } from "../io.ts";
import { readInput } from "../output/read-input.ts";

const maxBytes = 16 * 1024 * 1024;

/**
 * Reads the one object of a manifest, of any kind.
 * @param path `-`: standard input
 * @param options.namespace where the manifest has none
 * @throws FairleadError `input-unreadable`, `input-invalid`, `object-invalid`
 */
export async function readObjectFile(
  path: string,
  io: Pick<CliIo, "stdin">,
  { namespace }: { readonly namespace?: string | undefined } = {},
): Promise<RecordedObject> {
  const where = { file: path === "-" ? "standard input" : path };
  const text =
    path === "-" ? new TextDecoder().decode(await io.stdin()) : await readInput(path, { maxBytes });
  const documents = loadYamlDocuments(text, { ...where, code: "object-invalid" }).filter(
    (document) => document !== null,
  );
  const [manifest] = documents;
  if (documents.length !== 1 || !isYamlMap(manifest)) {
    throw new FairleadError(
      "object-invalid",
      `the manifest holds ${documents.length} objects instead of one`,
      {
        where,
      },
    );
  }
  const problems: FieldProblem[] = [];
  const fields = new FieldReader(manifest, [], problems, { isSecret: true });
  const metadata = fields.requiredMap("metadata");
  const meta = readMeta(metadata, where, { isNamespaced: true });
  const apiVersion = fields.requiredText("apiVersion");
  const kind = fields.requiredText("kind");
  const resourceVersion = metadata.text("resourceVersion") ?? "";
  if (namespace === undefined && !metadata.has("namespace")) {
    metadata.problem("namespace", "is required", "name it with --namespace");
  }
  const problem = problems.find(({ isWarning }) => isWarning !== true);
  if (problem !== undefined) {
    throw new FairleadError("object-invalid", problem.message, { where, hint: problem.hint });
  }
  return {
    apiVersion,
    kind,
    namespace: metadata.has("namespace") ? meta.namespace : (namespace ?? ""),
    name: meta.name,
    ...(meta.uid !== undefined && { uid: meta.uid }),
    ...(resourceVersion !== "" && { resourceVersion }),
    annotations: meta.annotations,
  };
}
