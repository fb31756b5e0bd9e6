/** A setting of git's configuration. */
export type GitSetting = readonly [key: string, value: string];

export interface GitEnvironmentOptions {
  /** What this process's own environment holds; few of it are handed on. */
  readonly inherited: Readonly<Record<string, string | undefined>>;
  /** An empty folder in place of the user's home. */
  readonly home: string;
  /** Whether `file://` is taken beside http, https and ssh. */
  readonly allowFile?: boolean;
  readonly settings?: readonly GitSetting[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** How programs are found, and how the network is reached. */
const handedOn: readonly string[] = [
  "PATH",
  "TMPDIR",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "http_proxy",
  "https_proxy",
  "HTTPS_PROXY",
  "all_proxy",
  "ALL_PROXY",
  "no_proxy",
  "NO_PROXY",
];

/**
 * Nothing that a repository, a server or the machine says starts a program, asks a question or changes bytes:
 * no hooks, filters, credential helpers, submodules or maintenance.
 */
const hardening: readonly GitSetting[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.attributesFile", "/dev/null"],
  ["core.excludesFile", "/dev/null"],
  ["core.autocrlf", "false"],
  ["core.safecrlf", "false"],
  ["core.fsmonitor", "false"],
  ["core.protectHFS", "true"],
  ["core.protectNTFS", "true"],
  ["core.quotePath", "false"],
  ["core.fileMode", "true"],
  ["safe.directory", "*"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["push.recurseSubmodules", "no"],
  ["protocol.version", "2"],
  ["transfer.bundleURI", "false"],
  ["credential.helper", ""],
  ["credential.interactive", "false"],
  ["commit.gpgSign", "false"],
  ["push.gpgSign", "false"],
  ["advice.detachedHead", "false"],
];

/** The whole environment of a git that obeys nobody but us; secrets may stand in it, and in no argument. */
export function gitEnvironment(options: GitEnvironmentOptions): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of handedOn) {
    const value = options.inherited[name];
    if (value !== undefined) env[name] = value;
  }
  const settings = [...hardening, ...(options.settings ?? [])];
  for (const [index, [key, value]] of settings.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key;
    env[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return {
    ...env,
    HOME: options.home,
    XDG_CONFIG_HOME: options.home,
    LC_ALL: "C",
    GIT_CONFIG_COUNT: String(settings.length),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: options.allowFile === true ? "http:https:ssh:file" : "http:https:ssh",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_LFS_SKIP_SMUDGE: "1",
    ...options.variables,
  };
}
