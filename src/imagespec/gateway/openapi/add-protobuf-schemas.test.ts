import { describe, expect, test } from "vitest";
import { loadCodec } from "../../service/cri/grpc-codec.ts";
import type { Received, Sent } from "../../service/cri/grpc-schema.ts";
import { addImageSpecMessages } from "./add-protobuf-schemas.ts";
import { imageSpecProperty, imageSpecSchemas, type OpenApiSchema } from "./image-spec-schemas.ts";

const messages = {
  Document: { swagger: "1 string", definitions: "9 Schemas", tags: "14 repeated string" },
  Schemas: { entries: "1 repeated NamedSchema" },
  NamedSchema: { name: "1 string", value: "2 Schema" },
  Schema: {
    ref: "1 string",
    description: "4 string",
    max_length: "11 int64",
    required: "19 repeated string",
    type: "22 Type",
    properties: "25 Schemas",
    extensions: "31 repeated NamedAny",
  },
  Type: { value: "1 repeated string" },
  NamedAny: { name: "1 string", value: "2 Any" },
  Any: { yaml: "2 string" },
} as const;
const codec = await loadCodec({ package: "openapi.v2", enums: {}, messages });

type SentSchema = Sent<typeof messages, "Schema">;

const text: SentSchema = { type: { value: ["string"] }, max_length: "300" };
const description = "A container. ".repeat(20);
const container = (...properties: string[]): SentSchema => ({
  description,
  properties: { entries: properties.map((name) => ({ name, value: text })) },
  required: ["name"],
});
const prefix = "io.k8s.api.core.v1.";

function documentOf(schemas: Readonly<Record<string, SentSchema>>): Buffer {
  const entries = Object.entries(schemas).map(([name, value]) => ({ name: prefix + name, value }));
  return codec.encode("Document", { swagger: "2.0", definitions: { entries }, tags: ["one", "two"] });
}

const document = documentOf({
  Container: container("image", "name"),
  ContainerImage: container("image", "name"),
  EphemeralContainer: container("name", "image"),
});

/** A schema as JSON has it. */
function schemaOf(schema: Received<typeof messages, "Schema"> | null): OpenApiSchema {
  if (schema === null) return {};
  const { ref, description: told, type, properties, required, extensions } = schema;
  const members = (properties?.entries ?? []).map((entry) => [entry.name, schemaOf(entry.value)]);
  return {
    ...(ref === "" ? {} : { $ref: ref }),
    ...(told === "" ? {} : { description: told }),
    ...(type === null ? {} : { type: type.value.join() }),
    ...(members.length === 0
      ? {}
      : { properties: Object.fromEntries(members) as Record<string, OpenApiSchema> }),
    ...(required.length === 0 ? {} : { required }),
    ...Object.fromEntries(
      extensions.map(({ name, value }) => [name, JSON.parse(value?.yaml ?? "") as unknown]),
    ),
  };
}

describe("imageSpec in a document in protobuf", () => {
  test("is as in JSON, and all else as it was", () => {
    const before = codec.decode("Document", document);
    const after = codec.decode("Document", addImageSpecMessages(document));
    expect(after).toMatchObject({ swagger: "2.0", tags: ["one", "two"] });
    const schemas = (after.definitions?.entries ?? []).map(({ name, value }) => [name, schemaOf(value)]);
    const known = (before.definitions?.entries ?? []).map(({ name, value }) => {
      const schema = schemaOf(value);
      const imageSpec = name === `${prefix}ContainerImage` ? {} : { imageSpec: imageSpecProperty("v2") };
      return [name, { ...schema, properties: { ...schema.properties, ...imageSpec } }];
    });
    expect(schemas).toEqual([...known, ...Object.entries(imageSpecSchemas("v2"))]);
  });

  test("keeps fields that it does not know", () => {
    // A varint, 8 bytes, 4 bytes and text, in a document and beside a definition.
    const others = Buffer.from(
      "f0ffffff0fffffffffffffffffff01f1010102030405060708f50101020304f2010161",
      "hex",
    );
    const edited = addImageSpecMessages(Buffer.concat([others, document, others]));
    expect(edited).toEqual(Buffer.concat([others, addImageSpecMessages(document), others]));
    expect(edited.length).toBeGreaterThan(document.length + 2 * others.length);
  });

  test.each([
    { name: "that has it", bytes: documentOf({ Container: container("image", "imageSpec") }) },
    { name: "without containers", bytes: documentOf({ Pod: container("image") }) },
    { name: "whose containers have no image", bytes: documentOf({ Container: container("name") }) },
    { name: "without anything", bytes: Buffer.alloc(0) },
    { name: "in JSON", bytes: Buffer.from('{"swagger":"2.0","definitions":{}}') },
    { name: "with a field 0", bytes: Buffer.concat([document, Buffer.from("0200", "hex")]) },
    { name: "with a group", bytes: Buffer.concat([document, Buffer.from("0b0c", "hex")]) },
    { name: "with an endless number", bytes: Buffer.concat([document, Buffer.alloc(64, 0xff)]) },
    { name: "with an endless text", bytes: Buffer.concat([document, Buffer.from("0affffffffff0f", "hex")]) },
  ])("stays as it is $name", ({ bytes }) => {
    expect(addImageSpecMessages(bytes)).toBe(bytes);
  });

  test("stays as it is where it breaks off", () => {
    const tags = codec.encode("Document", { tags: ["one", "two"] }).length;
    for (let length = 0; length < document.length - tags; length += 1) {
      const bytes = document.subarray(0, length);
      expect(addImageSpecMessages(bytes)).toBe(bytes);
    }
  });

  test("stands any byte in place of another", () => {
    for (let index = 0; index < document.length; index += 1) {
      for (const byte of [0, 0xff]) {
        const bytes = Buffer.from(document);
        bytes[index] = byte;
        expect(() => addImageSpecMessages(bytes)).not.toThrow();
      }
    }
  });
});
