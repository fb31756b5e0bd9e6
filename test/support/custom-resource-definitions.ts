import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";
import type { ApiClient } from "./kubernetes/api-client.ts";

interface Definition {
  readonly metadata: { readonly name: string };
}

interface Installed {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const folders = ["deploy/crds", "deploy/source-crd"];

/** Installs the project's custom resource definitions, and waits until the API server serves them. */
export async function installDefinitions(api: ApiClient): Promise<void> {
  const files = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(folder))
        .filter((name) => name.includes("toolkit.fluxcd.io_"))
        .map((name) => path.join(folder, name)),
    ),
  );
  const names: string[] = [];
  for (const file of files.flat()) {
    const definition = parse(await readFile(file, "utf8")) as Definition;
    await api.post(collection, definition);
    names.push(definition.metadata.name);
  }
  for (const name of names) {
    while (!isEstablished(await api.get<Installed>(`${collection}/${name}`))) await sleep(50);
  }
}

function isEstablished({ status }: Installed): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === "Established" && is === "True") === true;
}
