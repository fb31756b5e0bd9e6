import { mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { load, type PackageDefinition } from "@grpc/proto-loader";
import { beforeAll, expect, test } from "vitest";
import { createTempDir } from "../../../../test/support/temp-dir.ts";
import { describeWithTools } from "../../../../test/support/tools.ts";
import { run } from "../../../core/process.ts";
import { loadDefinitions } from "../cri/grpc-schema.ts";
import {
  containerdEnums,
  containerdMessages,
  containerdMethods,
  writeContentPath,
} from "./containerd-api.ts";

// The oracle is the .proto files of containerd, in the version that test/conformance/containerd-api names.

const folder = path.join(import.meta.dirname, "../../../../test/conformance/containerd-api");
const packages = ["services.images.v1", "services.leases.v1", "services.content.v1", "types"];
const schema = { package: "containerd", messages: containerdMessages, enums: containerdEnums, services: {} };

await describeWithTools(["go"], "containerd's API is what containerd says it is", ({ go }) => {
  let oracle: PackageDefinition = {};

  beforeAll(async () => {
    const include = await createTempDir("containerd-api");
    try {
      await mkdir(path.join(include.path, "github.com/containerd"), { recursive: true });
      await symlink(
        await download(go, "github.com/containerd/containerd"),
        path.join(include.path, "github.com/containerd/containerd"),
      );
      const gogo = await download(go, "github.com/gogo/protobuf");
      await symlink(path.join(gogo, "gogoproto"), path.join(include.path, "gogoproto"));
      const files = ["images/v1/images", "leases/v1/leases", "content/v1/content"];
      oracle = await load(
        files.map((file) => `github.com/containerd/containerd/api/services/${file}.proto`),
        { includeDirs: [include.path] },
      );
    } finally {
      await include.remove();
    }
  });

  test.each(Object.keys(containerdMessages).filter((name) => name !== "Empty"))(
    "%s has these fields",
    async (name) => {
      const ours = partsOf(await loadDefinitions(schema), [`containerd.${name}`]);
      expect(ours.length).toBeGreaterThan(0);
      const theirs = partsOf(
        oracle,
        packages.map((each) => `containerd.${each}.${name}`),
      );
      expect(theirs).toEqual(expect.arrayContaining([...ours]));
    },
  );

  test("the methods take and give these messages", () => {
    for (const { path: at, request, response } of Object.values(containerdMethods)) {
      expect(methodAt(oracle, at)).toBe(`false false ${request} ${response}`);
    }
    expect(methodAt(oracle, writeContentPath)).toBe("true true WriteContentRequest WriteContentResponse");
  });
});

async function download(go: string, name: string): Promise<string> {
  const { stdout } = await run(go, ["mod", "download", "-json", name], { cwd: folder });
  return (JSON.parse(stdout) as { readonly Dir: string }).Dir;
}

interface Descriptor {
  readonly field: readonly {
    readonly name: string;
    readonly number: number;
    readonly label: string;
    readonly type: string;
    readonly typeName: string;
  }[];
}

/** Each field of the first of these messages that there is, with the values of its enums. */
function partsOf(definitions: PackageDefinition, names: readonly string[]): readonly string[] {
  const name = names.find((each) => definitions[each] !== undefined) ?? "";
  const descriptor = typeOf(definitions, name) as Descriptor;
  return descriptor.field.map((field) => {
    const target = field.typeName.split(".").at(-1) ?? "";
    const values = field.type === "TYPE_ENUM" ? valuesOf(definitions, name, target) : "";
    return `${field.name} = ${field.number}: ${field.label} ${field.type} ${target} ${values}`;
  });
}

function valuesOf(definitions: PackageDefinition, message: string, name: string): string {
  const place = message.split(".").slice(0, -1).join(".");
  const { value } = typeOf(definitions, `${place}.${name}`) as {
    readonly value: readonly { readonly name: string; readonly number: number }[];
  };
  return value.map((each) => `${each.name}=${each.number}`).join(",");
}

function typeOf(definitions: PackageDefinition, name: string): object {
  const definition = definitions[name];
  if (definition === undefined || !("type" in definition)) throw new Error(`there is no ${name}`);
  return definition.type;
}

function methodAt(definitions: PackageDefinition, at: string): string {
  for (const service of Object.values(definitions)) {
    if ("format" in service) continue;
    for (const { path: own, requestStream, responseStream, requestType, responseType } of Object.values(
      service,
    )) {
      if (own !== at) continue;
      const types = [requestType, responseType].map(({ type }) => (type as { readonly name: string }).name);
      return `${String(requestStream)} ${String(responseStream)} ${types.join(" ")}`;
    }
  }
  throw new Error(`there is no method ${at}`);
}
