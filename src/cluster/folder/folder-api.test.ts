import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import {
  describeObjectApi,
  type ObjectApiHost,
  type Widget,
  widgets,
} from "../../../test/support/object-api-contract.ts";
import { createTempDir } from "../../../test/support/temp-dir.ts";
import { createLogger } from "../../core/log.ts";
import type { ApiObject } from "../api/api-object.ts";
import { openFolderApi } from "./folder-api.ts";

const log = createLogger({ level: "error", format: "text", write: () => undefined });
const kinds = new Map([["Widget", { type: widgets }]]);
const waitMs = { timeout: 10_000, interval: 5 };

async function openHost(): Promise<ObjectApiHost> {
  const temporary = await createTempDir("folder-api");
  const folder = path.join(temporary.path, "objects");
  await mkdir(folder);
  const options = {
    paths: [folder],
    stateFile: path.join(temporary.path, "state.db"),
    pollMs: 20,
    settleMs: 10,
    kinds,
    log,
    onDiagnostics: () => undefined,
  };
  let api = await openFolderApi(options);
  const fileOf = ({ metadata: { namespace, name } }: Widget): string =>
    path.join(folder, `${namespace}-${name}.yaml`);
  return {
    get api() {
      return api;
    },
    apply: async (...manifests) => {
      for (const manifest of manifests) {
        const temporaryFile = path.join(temporary.path, "written");
        await writeFile(temporaryFile, JSON.stringify(manifest));
        await rename(temporaryFile, fileOf(manifest));
      }
      for (const { metadata, spec } of manifests) {
        const { name, namespace, ...given } = metadata;
        const get = async (): Promise<ApiObject | undefined> =>
          api.get(widgets, { name, namespace }).catch(() => undefined);
        await expect.poll(get, waitMs).toMatchObject({ metadata: given, spec });
      }
    },
    remove: async (...manifests) => {
      for (const manifest of manifests) await rm(fileOf(manifest));
      for (const { metadata } of manifests) {
        const isEnding = async (): Promise<boolean> =>
          api.get(widgets, metadata).then(
            (object) => object.metadata.deletionTimestamp !== undefined,
            () => true,
          );
        await expect.poll(isEnding, waitMs).toBe(true);
      }
    },
    restart: async () => {
      await api.close();
      api = await openFolderApi(options);
    },
    stop: async () => {
      await api.close();
      await temporary.remove();
    },
  };
}

describeObjectApi("the objects of a folder", openHost);
