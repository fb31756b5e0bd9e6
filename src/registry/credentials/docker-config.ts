import { FairleadError, type Where } from "../../core/error.ts";
import { isObject, tryParseJsonObject } from "../json-body.ts";

/** What a docker config says of credentials (docker/cli, cli/config/configfile). */
export interface DockerConfig {
  /** Entries as they are, by key as written. */
  readonly auths: ReadonlyMap<string, unknown>;
  /** Names of helper programs by registry. */
  readonly credHelpers: ReadonlyMap<string, string>;
  /** The helper for every other registry. */
  readonly credsStore: string | undefined;
}

/** Kubernetes allows a Secret as much; a docker config of a person has a few kilobytes. */
export const maxConfigBytes: number = 1024 * 1024;

/**
 * Reads a `config.json` of docker, or podman's `auth.json`.
 * @param where the file or variable it comes from, for messages: they never repeat a text of the config
 * @throws FairleadError `credentials-invalid`
 */
export function parseDockerConfig(text: string, where: Where): DockerConfig {
  const config = text.trim() === "" ? {} : parseJsonObject(text, where);
  const { credsStore } = config;
  if (credsStore !== undefined && typeof credsStore !== "string") throw invalid("credsStore", where);
  return {
    auths: new Map(entriesOf(config["auths"], "auths", where)),
    credHelpers: new Map(
      entriesOf(config["credHelpers"], "credHelpers", where).map(([key, name]) => {
        if (typeof name !== "string") throw invalid("credHelpers", where);
        return [key, name];
      }),
    ),
    credsStore: credsStore === "" ? undefined : credsStore,
  };
}

/**
 * Reads a text that is one JSON object, without repeating any of it in a message.
 * @throws FairleadError `credentials-invalid`
 */
export function parseJsonObject(text: string, where: Where): Readonly<Record<string, unknown>> {
  const bytes = Buffer.from(text);
  if (bytes.length > maxConfigBytes) {
    throw new FairleadError("credentials-invalid", `the config is larger than ${maxConfigBytes} bytes`, {
      where,
    });
  }
  const object = tryParseJsonObject(bytes);
  if (object !== undefined) return object;
  throw new FairleadError("credentials-invalid", "the docker config is not a JSON object", { where });
}

function entriesOf(value: unknown, key: string, where: Where): [string, unknown][] {
  if (value === undefined || value === null) return [];
  if (!isObject(value)) throw invalid(key, where);
  return Object.entries(value);
}

function invalid(key: string, where: Where): FairleadError {
  return new FairleadError("credentials-invalid", `${key} of the docker config has a wrong form`, { where });
}
