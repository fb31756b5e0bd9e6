import path from "node:path";
import { FairleadError } from "../../core/error.ts";
import { loadYamlMap } from "../../yaml/load.ts";
import { createYamlMap, isYamlList, isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";

/** A kubeconfig as it stands in a file. */
export interface KubeconfigFile {
  /** Absolute: paths in it are relative to its folder. */
  readonly file: string;
  readonly text: string;
}

export interface GatewayContext {
  /** URL of the gateway. */
  readonly server: string;
  /** Absolute path of the authorities of its certificate. */
  readonly certificateAuthority?: string | undefined;
  /** The context whose user and namespace are taken; default: the current one. */
  readonly context?: string | undefined;
  /** Of the new cluster and context. */
  readonly name: string;
}

/** What kubectl makes absolute when it reads a user (clientcmd's GetAuthInfoFileReferences). */
const pathFields = ["client-certificate", "client-key", "tokenFile"] as const;

/**
 * A kubeconfig of one context: the gateway, with the user and the namespace of a context of the given files.
 * Where several files have an entry of one name, the first counts, as for kubectl.
 * @throws FairleadError `input-invalid` for files that are no kubeconfigs, `object-missing` where context or user is not there
 */
export function gatewayKubeconfig(files: readonly KubeconfigFile[], options: GatewayContext): YamlMap {
  const configs = files.map(({ file, text }) => ({
    folder: path.dirname(file),
    config: loadYamlMap(text, { file, code: "input-invalid" }).value,
  }));
  const current = configs.map(({ config }) => textIn(config, "current-context")).find((name) => name !== "");
  const contextName = options.context ?? current;
  if (contextName === undefined) {
    throw new FairleadError("object-missing", "the kubeconfig has no current context", {
      hint: "name one with --context",
    });
  }
  const find = (list: string, name: string, member: string): { entry: YamlMap; folder: string } => {
    for (const { config, folder } of configs) {
      const entry = namedIn(config[list], name)?.[member];
      if (isYamlMap(entry)) return { entry, folder };
    }
    throw new FairleadError("object-missing", `the kubeconfig has no ${member} ${JSON.stringify(name)}`);
  };
  const { entry: context } = find("contexts", contextName, "context");
  const userName = textIn(context, "user");
  const { entry: user, folder } = find("users", userName, "user");
  const namespace = textIn(context, "namespace");
  const { server, certificateAuthority, name } = options;
  return createYamlMap(
    Object.entries({
      apiVersion: "v1",
      kind: "Config",
      clusters: [
        {
          name,
          cluster: {
            server,
            ...(certificateAuthority === undefined ? {} : { "certificate-authority": certificateAuthority }),
          },
        },
      ],
      users: [{ name: userName, user: withAbsolutePaths(user, folder) }],
      contexts: [
        { name, context: { cluster: name, user: userName, ...(namespace === "" ? {} : { namespace }) } },
      ],
      "current-context": name,
    }),
  );
}

function textIn(map: YamlMap, field: string): string {
  const value = map[field];
  return typeof value === "string" ? value : "";
}

function namedIn(list: YamlValue | undefined, name: string): YamlMap | undefined {
  if (!isYamlList(list)) return undefined;
  return list.find((entry): entry is YamlMap => isYamlMap(entry) && entry["name"] === name);
}

function withAbsolutePaths(user: YamlMap, folder: string): YamlMap {
  const { exec } = user;
  const absolute = Object.fromEntries(
    pathFields
      .map((field) => [field, textIn(user, field)] as const)
      .filter(([, value]) => value !== "")
      .map(([field, value]) => [field, path.resolve(folder, value)]),
  );
  const command = isYamlMap(exec) ? textIn(exec, "command") : "";
  // A bare name is looked for on PATH.
  if (!isYamlMap(exec) || !command.includes("/")) return { ...user, ...absolute };
  return { ...user, ...absolute, exec: { ...exec, command: path.resolve(folder, command) } };
}
