import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { vi } from "vitest";
import type { ApiObject, ObjectName } from "../../src/cluster/api/api-object.ts";
import { resourceTypes } from "../../src/cluster/api/resource-types.ts";
import { type FolderApi, openFolderApi } from "../../src/cluster/folder/folder-api.ts";
import { createLogger } from "../../src/core/log.ts";
import {
  describeImageControllers,
  type ImageControllerHost,
  type WrittenObject,
} from "../support/image-controller-contract.ts";
import { createTempDir } from "../support/temp-dir.ts";

interface SpecifiedObject extends ApiObject {
  readonly spec?: Readonly<Record<string, unknown>>;
}

const log = createLogger({ level: "error", format: "text", write: () => undefined });

/** A folder with a file for each object; its user changes annotations by the API, as they are in no file. */
async function openHost(): Promise<ImageControllerHost> {
  const temporary = await createTempDir("folder-controllers");
  const folder = path.join(temporary.path, "objects");
  await mkdir(folder);
  const open = async (): Promise<FolderApi> =>
    openFolderApi({
      paths: [folder],
      stateFile: path.join(temporary.path, "state.db"),
      pollMs: 5_000,
      settleMs: 5,
      onDiagnostics: () => undefined,
      log,
    });
  let api = await open();
  const written = new Map<string, WrittenObject & { readonly spec?: object }>();
  const fileOf = (kind: string, { namespace, name }: ObjectName): string =>
    path.join(folder, `${kind}.${namespace}.${name}.json`);

  async function write(file: string, object: WrittenObject & { readonly spec?: object }): Promise<void> {
    const { kind, metadata, spec } = object;
    const draft = path.join(temporary.path, "draft");
    await writeFile(draft, JSON.stringify(object));
    await rename(draft, file);
    written.set(file, object);
    await vi.waitUntil(
      async () => {
        const served = await api.get<SpecifiedObject>(resourceTypes[kind], metadata).catch(() => undefined);
        return served !== undefined && isDeepStrictEqual(served.spec, spec);
      },
      { timeout: 10_000, interval: 5 },
    );
  }

  return {
    get api() {
      return api;
    },
    // A namespace is there with its first object.
    createNamespace: async () => Promise.resolve(),
    create: async (object) => write(fileOf(object.kind, object.metadata), object),
    patch: async (kind, name, { metadata, spec }) => {
      if (metadata !== undefined) {
        await api.patch(resourceTypes[kind], name, { type: "merge", body: { metadata } });
      }
      const file = fileOf(kind, name);
      const before = written.get(file);
      if (spec === undefined || before === undefined) return;
      await write(file, { ...before, spec: { ...before.spec, ...spec } });
    },
    delete: async (kind, name) => rm(fileOf(kind, name)),
    restart: async () => {
      await api.close();
      api = await open();
    },
    stop: async () => {
      await api.close();
      await temporary.remove();
    },
  };
}

describeImageControllers("the image controllers of a folder", openHost);
