import path from "node:path";
import { load, type PackageDefinition } from "@grpc/proto-loader";
import { beforeAll, expect, test } from "vitest";
import { run } from "../../../core/process.ts";
import { criRuntimeApi } from "../../../../test/support/cri-runtime.ts";
import { describeWithTools } from "../../../../test/support/tools.ts";
import { criImageApi } from "./cri-api.ts";
import { type GrpcSchema, loadDefinitions } from "./grpc-schema.ts";

// The oracle is api.proto of k8s.io/cri-api, in the version that test/conformance/cri-api names.

const folder = path.join(import.meta.dirname, "../../../../test/conformance/cri-api");

await describeWithTools(["go"], "runtime.v1 is what Kubernetes says it is", ({ go }) => {
  let oracle: PackageDefinition = {};

  beforeAll(async () => {
    const { stdout } = await run(go, ["mod", "download", "-json", "k8s.io/cri-api"], { cwd: folder });
    const { Dir } = JSON.parse(stdout) as { readonly Dir: string };
    oracle = await load(path.join(Dir, "pkg/apis/runtime/v1/api.proto"));
  });

  test("its ImageService, with every field", async () => {
    const ours = await loadDefinitions(criImageApi);
    expect(Object.keys(criImageApi.messages).length).toBeGreaterThan(30);
    for (const name of Object.keys(criImageApi.messages)) {
      expect(partsOf(ours, name), name).toEqual(partsOf(oracle, name));
    }
    expect(methodsOf(ours, "ImageService")).toEqual(methodsOf(oracle, "ImageService"));
  });

  test("what tests use of its RuntimeService", async () => {
    const ours = await loadDefinitions(criRuntimeApi);
    for (const name of Object.keys(criRuntimeApi.messages)) {
      expect(partsOf(oracle, name), name).toEqual(expect.arrayContaining([...partsOf(ours, name)]));
    }
    expect(methodsOf(oracle, "RuntimeService")).toEqual(
      expect.arrayContaining([...methodsOf(ours, "RuntimeService")]),
    );
  });

  test("a wrong number, type and name are seen", async () => {
    for (const field of [
      { repoTag: "2 repeated string" },
      { repoTags: "3 repeated string" },
      { repoTags: "2 string" },
    ]) {
      const wrong: GrpcSchema = {
        package: "runtime.v1",
        messages: { Image: field },
        enums: {},
        services: {},
      };
      const ours = partsOf(await loadDefinitions(wrong), "Image");
      expect(partsOf(oracle, "Image")).not.toEqual(expect.arrayContaining([...ours]));
    }
  });
});

interface Field {
  readonly name: string;
  readonly number: number;
  readonly label: string;
  readonly type: string;
  readonly typeName: string;
}

interface Descriptor {
  readonly field: readonly Field[];
  readonly nestedType: readonly (Descriptor & { readonly name: string })[];
  readonly enumType: readonly Enum[];
}

interface Enum {
  readonly name: string;
  readonly value: readonly Field[];
}

/** Each field of a message as text, with those of the entries of its maps and the values of its enums. */
function partsOf(definitions: PackageDefinition, name: string): readonly string[] {
  const { field, nestedType } = descriptorOf(definitions, name) as Descriptor;
  const own = field.map(({ name: fieldName, number, label, type, typeName }) => {
    const target = typeName.split(".").at(-1) ?? "";
    const values = type === "TYPE_ENUM" ? enumOf(definitions, name, target) : "";
    return `${fieldName} = ${number}: ${label} ${type} ${target} ${values}`;
  });
  const entries = nestedType.map((nested) => `${nested.name}: ${JSON.stringify(nested.field)}`);
  return [...own, ...entries].toSorted();
}

/** The values of an enum, which may stand within the message that uses it. */
function enumOf(definitions: PackageDefinition, message: string, name: string): string {
  const { enumType } = descriptorOf(definitions, message) as Descriptor;
  const found = enumType.find((nested) => nested.name === name) ?? descriptorOf(definitions, name);
  return (found as Enum).value.map((one) => `${one.name}=${one.number}`).join(",");
}

function descriptorOf(definitions: PackageDefinition, name: string): object {
  const definition = definitions[`runtime.v1.${name}`];
  if (definition === undefined || !("type" in definition)) throw new Error(`there is no ${name}`);
  return definition.type;
}

function methodsOf(definitions: PackageDefinition, name: string): readonly string[] {
  const service = definitions[`runtime.v1.${name}`];
  if (service === undefined || "format" in service) throw new Error(`there is no ${name}`);
  return Object.values(service).map(({ path: at, requestType, responseType, ...method }) => {
    const streams = `${String(method.requestStream)} ${String(method.responseStream)}`;
    const types = [requestType, responseType].map(({ type }) => (type as { readonly name: string }).name);
    return `${at} ${streams} ${types.join(" ")}`;
  });
}
