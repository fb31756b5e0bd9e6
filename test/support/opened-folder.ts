import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { ApiObject, ResourceType } from "../../src/cluster/api/api-object.ts";
import { resourceTypes } from "../../src/cluster/api/resource-types.ts";
import { type FolderApi, type FolderApiOptions, openFolderApi } from "../../src/cluster/folder/folder-api.ts";
import type { Diagnostic } from "../../src/core/diagnostic.ts";
import { createLogger } from "../../src/core/log.ts";
import { createTempDir, type TempDir } from "./temp-dir.ts";

/** What tests read of objects of any kind. */
export interface AnyObject extends ApiObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

/** A folder of manifests that is served, anew in each test; its ImagePolicies are in the namespace `apps`. */
export class OpenedFolder {
  #temporary: TempDir | undefined;
  #api: FolderApi | undefined;
  #logged: string[] = [];
  diagnostics: readonly Diagnostic[] = [];

  /** To be called where tests are declared. */
  constructor() {
    beforeEach(async () => {
      this.#temporary = await createTempDir("folder");
      await mkdir(this.path);
      this.#logged = [];
      this.diagnostics = [];
    });
    afterEach(async () => {
      await this.#api?.close();
      this.#api = undefined;
      await this.#temporary?.remove();
    });
  }

  /** A folder beside the manifests. */
  get parent(): string {
    return this.#temporary?.path ?? "";
  }

  get path(): string {
    return path.join(this.parent, "objects");
  }

  get stateFile(): string {
    return path.join(this.parent, "state.db");
  }

  get api(): FolderApi {
    if (this.#api === undefined) throw new Error("the folder is not open");
    return this.#api;
  }

  get logged(): string {
    return this.#logged.join("\n");
  }

  /** What is wrong: code, line and message. */
  get told(): readonly string[] {
    return this.diagnostics.map(({ code, message, where }) => `${code} ${where.line ?? ""} ${message}`);
  }

  async open(options: Partial<FolderApiOptions> = {}): Promise<void> {
    this.#api = await openFolderApi({
      paths: [this.path],
      pollMs: 20,
      settleMs: 10,
      log: createLogger({ level: "info", format: "text", write: (line) => void this.#logged.push(line) }),
      onDiagnostics: (diagnostics) => {
        this.diagnostics = diagnostics;
      },
      ...options,
    });
  }

  /** Closes it and opens it with its state file. */
  async reopen(whileClosed: () => Promise<void> = async () => Promise.resolve()): Promise<void> {
    await this.close();
    await whileClosed();
    await this.open({ stateFile: this.stateFile });
  }

  async close(): Promise<void> {
    await this.api.close();
    this.#api = undefined;
  }

  async write(name: string, text: string): Promise<void> {
    await writeFile(path.join(this.path, name), text);
  }

  async get(name: string, type: ResourceType = resourceTypes.ImagePolicy): Promise<AnyObject> {
    return this.api.get<AnyObject>(type, { namespace: "apps", name });
  }

  /** What an ImagePolicy says; undefined where it is missing. */
  async rangeOf(name: string): Promise<unknown> {
    const found = await this.get(name).catch(() => undefined);
    return (found?.spec?.["policy"] as { semver?: { range?: string } } | undefined)?.semver?.range;
  }

  /** Merges into the metadata of an ImagePolicy. */
  async patch(name: string, metadata: object): Promise<AnyObject> {
    const patch = { type: "merge", body: { metadata } } as const;
    return this.api.patch<AnyObject>(resourceTypes.ImagePolicy, { namespace: "apps", name }, patch);
  }

  /** Merges into the status of an ImagePolicy. */
  async setStatus(name: string, status: object): Promise<void> {
    const patch = { type: "merge", body: { status } } as const;
    await this.api.patchStatus(resourceTypes.ImagePolicy, { namespace: "apps", name }, patch);
  }
}

/** The manifest of an ImagePolicy. @param metadata further fields, such as `, labels: {a: b}` */
export function policyManifest(name: string, range: string, metadata: string = ""): string {
  return [
    "apiVersion: image.toolkit.fluxcd.io/v1",
    "kind: ImagePolicy",
    `metadata: {name: ${name}, namespace: apps${metadata}}`,
    `spec: {imageRepositoryRef: {name: app}, policy: {semver: {range: '${range}'}}}`,
    "",
  ].join("\n");
}
