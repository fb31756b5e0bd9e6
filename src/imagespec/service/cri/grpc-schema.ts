import type { PackageDefinition } from "@grpc/proto-loader";

/**
 * The messages of a protobuf package by name; each field is `number type`, where the type is a scalar, a message or
 * an enum of the package, with `repeated` or `map` (from strings) before it.
 */
export type MessageTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Names of the values of each enum, numbered from 0. */
export type EnumTable = Readonly<Record<string, readonly string[]>>;

/** A protobuf package with unary methods, which take `<Method>Request` and give `<Method>Response`. */
export interface GrpcSchema<Messages extends MessageTable = MessageTable, Method extends string = string> {
  readonly package: string;
  readonly messages: Messages;
  readonly enums: EnumTable;
  readonly services: Readonly<Record<string, readonly Method[]>>;
}

interface Scalars {
  readonly string: string;
  readonly bool: boolean;
  readonly int32: number;
  readonly uint32: number;
  /** In decimal digits: a number of JavaScript does not hold all of them. */
  readonly int64: string;
  readonly uint64: string;
  readonly bytes: Buffer;
}

type Value<Messages, Type> = Type extends `repeated ${infer Element}`
  ? readonly NonNullable<Value<Messages, Element>>[]
  : Type extends `map ${infer Element}`
    ? Readonly<Record<string, NonNullable<Value<Messages, Element>>>>
    : Type extends keyof Scalars
      ? Scalars[Type]
      : Type extends keyof Messages
        ? Received<Messages, Type> | null
        : string;

/** A message as it is received: what was not sent is empty, `false` or `0`, and `null` in place of a message. */
export type Received<Messages, Name extends keyof Messages> = {
  readonly [Field in keyof Messages[Name]]: Messages[Name][Field] extends `${number} ${infer Type}`
    ? Value<Messages, Type>
    : never;
};

type SentValue<Messages, Type> = Type extends `repeated ${infer Element}`
  ? readonly SentValue<Messages, Element>[]
  : Type extends `map ${infer Element}`
    ? Readonly<Record<string, SentValue<Messages, Element>>>
    : Type extends keyof Scalars
      ? Scalars[Type]
      : Type extends keyof Messages
        ? Sent<Messages, Type> | null
        : string;

/** A message to send: any field may be left out. */
export type Sent<Messages, Name extends keyof Messages> = {
  readonly [Field in keyof Messages[Name]]?:
    | (Messages[Name][Field] extends `${number} ${infer Type}` ? SentValue<Messages, Type> : never)
    | undefined;
};

/** What clients and servers of @grpc/grpc-js take, by `package.Service`. */
export async function loadDefinitions(schema: GrpcSchema): Promise<PackageDefinition> {
  const { fromJSON } = await import("@grpc/proto-loader");
  const content = { ...messagesOf(schema), ...enumsOf(schema), ...servicesOf(schema) };
  const json = schema.package
    .split(".")
    .reduceRight<object>((nested, name) => ({ [name]: { nested } }), content);
  return fromJSON(
    { nested: json as Readonly<Record<string, never>> },
    { longs: String, enums: String, defaults: true },
  );
}

function messagesOf({ messages }: GrpcSchema): object {
  return mapValues(messages, (fields) => ({ fields: mapValues(fields, readField) }));
}

function readField(text: string): object {
  const [number = "", ...words] = text.split(" ");
  const [kind] = words;
  const type = words.at(-1);
  const id = Number(number);
  if (kind === "map") return { keyType: "string", type, id };
  return kind === "repeated" ? { rule: "repeated", type, id } : { type, id };
}

function enumsOf({ enums }: GrpcSchema): object {
  return mapValues(enums, (names) => ({
    values: Object.fromEntries(names.map((name, number) => [name, number])),
  }));
}

function servicesOf({ services }: GrpcSchema): object {
  return mapValues(services, (methods) => ({
    methods: Object.fromEntries(
      methods.map((name) => [name, { requestType: `${name}Request`, responseType: `${name}Response` }]),
    ),
  }));
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
