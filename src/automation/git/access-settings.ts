import { getCACertificates } from "node:tls";
import type { GitAccess } from "./git-access.ts";
import type { GitSetting } from "./git-environment.ts";
import { type PrivateFolder, quoteShell } from "./private-folder.ts";

/** What git needs to reach a remote repository, in its environment. */
export interface AccessSettings {
  readonly settings: readonly GitSetting[];
  readonly variables: Readonly<Record<string, string>>;
  /** Texts that no message may hold. */
  readonly secrets: readonly string[];
}

/**
 * Puts credentials where git finds them: in files of a private folder, or in its environment. They are given to the
 * host of the URL alone, wherever the server redirects to.
 */
export async function writeAccess(access: GitAccess, folder: PrivateFolder): Promise<AccessSettings> {
  if (access.ssh !== undefined) return writeSsh(access.ssh, folder);
  const settings: GitSetting[] = [];
  const secrets: string[] = [];
  const { origin, host, protocol } = new URL(access.url);
  if (access.bearerToken !== undefined) {
    // The header would follow a redirect to another host.
    settings.push(
      ["http.followRedirects", "false"],
      [`http.${origin}/.extraHeader`, `Authorization: Bearer ${access.bearerToken}`],
    );
    secrets.push(access.bearerToken);
  }
  if (access.basic !== undefined) {
    const { username, password } = access.basic;
    const user = encodeURIComponent(username);
    const line = `${protocol}//${user}:${encodeURIComponent(password)}@${host}\n`;
    const file = await folder.file("credentials", line);
    settings.push(["credential.helper", `store --file=${quoteShell(file)}`]);
    secrets.push(password, encodeURIComponent(password), `${username}:${password}`);
    if (password === "") secrets.push(username, user);
  }
  if (access.ca !== undefined) {
    const system = getCACertificates("system");
    const file = await folder.file("ca.pem", [...system, access.ca, ""].join("\n"));
    settings.push(["http.sslCAInfo", file]);
  }
  if (access.clientCertificate !== undefined) {
    const { cert, key } = access.clientCertificate;
    settings.push(
      ["http.sslCert", await folder.file("client.pem", cert)],
      ["http.sslKey", await folder.file("client-key.pem", key)],
    );
    secrets.push(key);
  }
  const variables: Record<string, string> = {};
  if (access.proxyUrl !== undefined) {
    settings.push(["http.proxy", access.proxyUrl]);
    const { password } = new URL(access.proxyUrl);
    secrets.push(password, decodeURIComponent(password));
    // The environment's exceptions are for the environment's proxy.
    Object.assign(variables, { no_proxy: "", NO_PROXY: "" });
  }
  return { settings, variables, secrets };
}

async function writeSsh(ssh: NonNullable<GitAccess["ssh"]>, folder: PrivateFolder): Promise<AccessSettings> {
  const { identity, knownHosts, passphrase } = ssh;
  const identityFile = await folder.file("identity", withLineEnd(identity));
  const knownHostsFile = await folder.file("known_hosts", withLineEnd(knownHosts));
  const lines = [
    "Host *",
    `IdentityFile ${quoteConfig(identityFile)}`,
    `UserKnownHostsFile ${quoteConfig(knownHostsFile)}`,
    "GlobalKnownHostsFile /dev/null",
    "IdentitiesOnly yes",
    "IdentityAgent none",
    "StrictHostKeyChecking yes",
    "UpdateHostKeys no",
    "CheckHostIP no",
    "PreferredAuthentications publickey",
    "NumberOfPasswordPrompts 1",
    "ClearAllForwardings yes",
    "ForwardAgent no",
    "PermitLocalCommand no",
    "ControlMaster no",
    "ControlPath none",
    "RequestTTY no",
    "ConnectTimeout 30",
    "ServerAliveInterval 15",
    "LogLevel ERROR",
    "",
  ];
  const config = await folder.file("ssh_config", lines.join("\n"));
  return {
    settings: [],
    variables: {
      GIT_SSH_COMMAND: `ssh -F ${quoteShell(config)}`,
      GIT_SSH_VARIANT: "ssh",
      ...(await askpassFor(passphrase, "ssh", folder)),
    },
    secrets: [identity, passphrase],
  };
}

/** The environment in which OpenSSH's programs take a passphrase from a file; an empty one is answered too. */
export async function askpassFor(
  passphrase: string,
  name: string,
  folder: PrivateFolder,
): Promise<Record<string, string>> {
  const file = await folder.file(`${name}-passphrase`, `${passphrase}\n`);
  return {
    SSH_ASKPASS: await folder.printer(`${name}-askpass`, file),
    SSH_ASKPASS_REQUIRE: "force",
  };
}

/** A text that ends as OpenSSH's programs want their files to end. */
export function withLineEnd(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

function quoteConfig(path: string): string {
  return `"${path}"`;
}
