import { steadyClock } from "../../core/clock.ts";
import { FairleadError } from "../../core/error.ts";
import { secretKind } from "../../objects/object-kind.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { Secret } from "../../objects/secret.ts";
import type { SecretReader } from "../../notification/objects/notification-snapshot.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ObjectApi } from "../api/object-api.ts";
import { resourceTypes } from "../api/resource-types.ts";
import { ObjectReader } from "../controllers/object-reader.ts";
import { ShortMemory } from "./short-memory.ts";

interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

interface ReadSecret {
  readonly version: string;
  readonly secret: Secret;
}

/** A rotated Secret is in force after it. */
const maxAgeMs = 4_000;
const timeoutMs = 10_000;

/** The Secrets of a cluster: one GET serves all who ask within a few seconds. They are kept in memory alone. */
export class ClusterSecrets implements SecretReader {
  readonly #api: Pick<ObjectApi, "get">;
  readonly #reader = new ObjectReader("Secret", secretKind);
  readonly #memory: ShortMemory<ReadSecret | undefined>;

  constructor(api: Pick<ObjectApi, "get">, nowMs: () => number = () => steadyClock.nowMs()) {
    this.#api = api;
    this.#memory = new ShortMemory({ maxAgeMs, nowMs });
  }

  /** A Secret as it was a few seconds ago at most. @throws FairleadError what the API throws, `object-invalid` */
  async get(name: SecretName): Promise<Secret | undefined> {
    return (await this.#memory.get(objectKey(name), async (last) => this.#read(name, last)))?.secret;
  }

  /** A Secret as it is now. @throws FairleadError as {@link get} */
  async getFresh(name: SecretName): Promise<Secret | undefined> {
    return (await this.#memory.renew(objectKey(name), async (last) => this.#read(name, last)))?.secret;
  }

  async #read(name: SecretName, last: ReadSecret | undefined): Promise<ReadSecret | undefined> {
    const raw = await this.#tryGet(name);
    if (raw === undefined) return undefined;
    const version = `${raw.metadata.uid}/${raw.metadata.resourceVersion}`;
    if (last?.version === version) return last;
    const { object, problems } = this.#reader.read({ ...raw, apiVersion: "v1", kind: "Secret" });
    if (object !== undefined) return { version, secret: object };
    const why = problems.map(({ message }) => message).join("; ");
    throw new FairleadError("object-invalid", `the Secret ${objectKey(name)} cannot be read: ${why}`);
  }

  async #tryGet(name: SecretName): Promise<ApiObject | undefined> {
    try {
      return await this.#api.get(resourceTypes.Secret, name, { timeoutMs });
    } catch (error) {
      if (error instanceof FairleadError && error.code === "object-missing") return undefined;
      throw error;
    }
  }
}
