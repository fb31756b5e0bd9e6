import { FairleadError } from "../../../core/error.ts";
import {
  type EnumTable,
  loadDefinitions,
  type MessageTable,
  type Received,
  type Sent,
} from "./grpc-schema.ts";

/** Turns messages of a table into bytes and back. */
export interface GrpcCodec<Messages extends MessageTable> {
  encode<Name extends keyof Messages & string>(name: Name, message: Sent<Messages, Name>): Buffer;
  /** @throws Error for bytes that are no such message; fields that the table does not have are left out */
  decode<Name extends keyof Messages & string>(name: Name, bytes: Buffer): Received<Messages, Name>;
}

/** The codec of the messages of a protobuf package. */
export async function loadCodec<Messages extends MessageTable>(schema: {
  readonly package: string;
  readonly messages: Messages;
  readonly enums: EnumTable;
}): Promise<GrpcCodec<Messages>> {
  const definitions = await loadDefinitions({ ...schema, services: {} });
  const definitionOf = (
    name: string,
  ): { serialize(value: object): Buffer; deserialize(bytes: Buffer): object } => {
    const definition = definitions[`${schema.package}.${name}`];
    if (definition !== undefined && "serialize" in definition && typeof definition.serialize === "function") {
      return definition as { serialize(value: object): Buffer; deserialize(bytes: Buffer): object };
    }
    throw new FairleadError("internal", `there is no message ${name}`);
  };
  return {
    encode: (name, message) => definitionOf(name).serialize(message),
    decode: (name, bytes) => definitionOf(name).deserialize(bytes) as never,
  };
}
