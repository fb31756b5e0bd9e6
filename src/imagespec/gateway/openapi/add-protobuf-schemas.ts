import { FairleadError } from "../../../core/error.ts";
import {
  containerSchemas,
  imageSpecProperty,
  imageSpecSchemas,
  type OpenApiSchema,
} from "./image-spec-schemas.ts";
import { contentsAt, editFields, encodeField } from "./protobuf-fields.ts";

// Numbers of fields in openapiv2/OpenAPIv2.proto of github.com/google/gnostic-models.
const definitions = 9;
/** Of Definitions and Properties. */
const namedSchema = 1;
/** Of NamedSchema and NamedAny. */
const [name, value] = [1, 2];
const schemaFields = { ref: 1, description: 4, required: 19, type: 22, properties: 25, extension: 31 };
const typeValue = 1;
const anyYaml = 2;

/**
 * Adds `imageSpec` to the containers of an OpenAPI document, version 2, in protobuf; every other byte stays but the
 * lengths of what it is in.
 * @returns the document itself where it has no containers, has it already, or is malformed
 */
export function addImageSpecMessages(document: Buffer): Buffer {
  try {
    return editFields(document, definitions, editDefinitions);
  } catch (error) {
    if (error instanceof FairleadError) return document;
    throw error;
  }
}

function editDefinitions(message: Buffer): Buffer {
  let hasIt = false;
  const editProperties = (properties: Buffer): Buffer => {
    const names = new Set(contentsAt(properties, [namedSchema, name]).map(String));
    hasIt ||= names.has("imageSpec");
    if (!names.has("image")) return properties;
    return Buffer.concat([properties, namedSchemas({ imageSpec: imageSpecProperty("v2") })]);
  };
  const edited = editFields(message, namedSchema, (entry) => {
    if (!containerSchemas.has(String(contentsAt(entry, [name])[0]))) return entry;
    return editFields(entry, value, (schema) => editFields(schema, schemaFields.properties, editProperties));
  });
  if (hasIt || edited === message) return message;
  return Buffer.concat([edited, namedSchemas(imageSpecSchemas("v2"))]);
}

function namedSchemas(schemas: Readonly<Record<string, OpenApiSchema>>): Buffer {
  const entries = Object.entries(schemas).map(([key, schema]) =>
    encodeField(namedSchema, named(key, schemaMessage(schema))),
  );
  return Buffer.concat(entries);
}

function schemaMessage({ $ref, description, required, type, properties, ...rest }: OpenApiSchema): Buffer {
  const fields: Buffer[] = [];
  if ($ref !== undefined) fields.push(encodeField(schemaFields.ref, $ref));
  if (description !== undefined) fields.push(encodeField(schemaFields.description, description));
  for (const member of required ?? []) fields.push(encodeField(schemaFields.required, member));
  if (type !== undefined) fields.push(encodeField(schemaFields.type, encodeField(typeValue, type)));
  if (properties !== undefined) fields.push(encodeField(schemaFields.properties, namedSchemas(properties)));
  for (const [key, extension] of Object.entries(rest)) {
    // JSON is YAML too.
    const any = encodeField(anyYaml, JSON.stringify(extension));
    fields.push(encodeField(schemaFields.extension, named(key, any)));
  }
  return Buffer.concat(fields);
}

function named(key: string, content: Buffer): Buffer {
  return Buffer.concat([encodeField(name, key), encodeField(value, content)]);
}
