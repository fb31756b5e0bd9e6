import { FairleadError } from "../../core/error.ts";
import { hasGithubApp } from "../../registry/cloud/github-app.ts";
import { isLoopback } from "../../registry/transport/loopback.ts";
import type { GitRepository } from "../objects/git-repository.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { Secret } from "../../objects/secret.ts";

/** How a remote repository is reached; its texts must reach no message, log or argument. */
export interface GitAccess {
  /** Without user and password, but for the user of ssh. */
  readonly url: string;
  readonly transport: "http" | "ssh" | "file";
  readonly basic?: { readonly username: string; readonly password: string };
  readonly bearerToken?: string;
  readonly ssh?: { readonly identity: string; readonly knownHosts: string; readonly passphrase: string };
  /** PEM certificates that count beside the system's. */
  readonly ca?: string;
  readonly clientCertificate?: { readonly cert: string; readonly key: string };
  /** With user and password where there are some. */
  readonly proxyUrl?: string;
}

export interface GitAccessOptions {
  /** Whether `file://` URLs are taken. */
  readonly allowFile?: boolean;
}

type SecretTexts = Readonly<Record<string, string>>;

/**
 * How a GitRepository says that it is reached, with the keys of Secrets that Flux reads; without the token that a
 * provider gives.
 * @param secrets by `namespace/name`
 * @throws FairleadError `config-invalid`, `object-missing`, `credentials-invalid`
 */
export function readGitAccess(
  repository: GitRepository,
  secrets: ReadonlyMap<string, Secret>,
  options: GitAccessOptions = {},
): GitAccess {
  const { spec } = repository;
  const url = parseUrl(repository, options);
  const texts = textsOf(repository, spec.secretRef?.name, secrets);
  const { username, password } = readLogin(repository, texts, url);
  url.username = "";
  url.password = "";
  const proxyUrl = readProxy(repository, secrets);
  if (url.protocol === "ssh:") {
    if (proxyUrl !== undefined) throw invalidConfig(repository, "a proxy cannot be used with ssh");
    url.username = username === "" ? "git" : username;
    return { url: url.href, transport: "ssh", ssh: readSsh(repository, texts) };
  }
  if (url.protocol === "file:") return { url: url.href, transport: "file" };
  if (username === "" && password !== "") {
    throw invalidSecret(repository, spec.secretRef?.name, "has a password without a username");
  }
  const bearerToken = spec.provider === "generic" ? texts["bearerToken"]?.trim() : undefined;
  if (bearerToken !== undefined && !/^[!-~]+$/u.test(bearerToken)) {
    throw invalidSecret(repository, spec.secretRef?.name, "has a bearerToken that is none");
  }
  const ca = texts["ca.crt"] ?? texts["caFile"];
  return {
    url: url.href,
    transport: "http",
    ...(bearerToken === undefined ? {} : { bearerToken }),
    ...(username === "" || bearerToken !== undefined ? {} : { basic: { username, password } }),
    ...(ca === undefined ? {} : { ca }),
    ...readClientCertificate(repository, texts),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
  };
}

/** What the Secret or the URL says; nothing where a provider gives tokens of its own. */
function readLogin(
  repository: GitRepository,
  texts: SecretTexts,
  url: URL,
): { readonly username: string; readonly password: string } {
  const { provider, secretRef } = repository.spec;
  if (provider === "generic") {
    if (hasGithubApp(texts)) {
      const name = `${repository.meta.namespace}/${secretRef?.name ?? ""}`;
      throw invalidConfig(
        repository,
        `the Secret ${name} describes a GitHub App, which wants spec.provider github`,
      );
    }
    return {
      username: texts["username"] ?? decodeURIComponent(url.username),
      password: texts["password"] ?? decodeURIComponent(url.password),
    };
  }
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))) {
    return { username: "", password: "" };
  }
  throw invalidConfig(repository, `the provider ${provider} wants an https URL`);
}

function parseUrl(repository: GitRepository, { allowFile = false }: GitAccessOptions): URL {
  const url = URL.parse(repository.spec.url);
  const schemes = ["http:", "https:", "ssh:", ...(allowFile ? ["file:"] : [])];
  if (url === null || !schemes.includes(url.protocol)) {
    throw invalidConfig(repository, "the URL is no http, https or ssh URL");
  }
  if (
    url.protocol !== "file:" &&
    !/^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])$/iu.test(url.hostname)
  ) {
    throw invalidConfig(repository, "the URL names no host");
  }
  if (url.hash !== "" || url.search !== "") {
    throw invalidConfig(repository, "the URL has a query or a fragment");
  }
  return url;
}

function readSsh(repository: GitRepository, texts: SecretTexts): NonNullable<GitAccess["ssh"]> {
  const name = repository.spec.secretRef?.name;
  const { identity, known_hosts: knownHosts, password = "" } = texts;
  if (identity === undefined || identity.trim() === "") {
    throw invalidSecret(repository, name, "has no identity, which ssh needs");
  }
  if (knownHosts === undefined || knownHosts.trim() === "") {
    throw invalidSecret(repository, name, "has no known_hosts, which ssh needs");
  }
  return { identity, knownHosts, passphrase: password };
}

function readClientCertificate(
  repository: GitRepository,
  texts: SecretTexts,
): Pick<GitAccess, "clientCertificate"> {
  const cert = texts["tls.crt"] ?? texts["certFile"];
  const key = texts["tls.key"] ?? texts["keyFile"];
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined || key === undefined) {
    const name = repository.spec.secretRef?.name;
    throw invalidSecret(repository, name, "has only one of tls.crt and tls.key");
  }
  return { clientCertificate: { cert, key } };
}

function readProxy(repository: GitRepository, secrets: ReadonlyMap<string, Secret>): string | undefined {
  const name = repository.spec.proxySecretRef?.name;
  if (name === undefined) return undefined;
  const { address, username = "", password = "" } = textsOf(repository, name, secrets);
  const url = address === undefined ? null : URL.parse(address.trim());
  if (url === null || !/^(?:https?|socks5h?):$/u.test(url.protocol)) {
    throw invalidSecret(repository, name, "has no address of an http, https or socks5 proxy");
  }
  if (username !== "") {
    url.username = encodeURIComponent(username);
    url.password = encodeURIComponent(password);
  }
  return url.href;
}

function textsOf(
  { meta }: GitRepository,
  name: string | undefined,
  secrets: ReadonlyMap<string, Secret>,
): SecretTexts {
  if (name === undefined) return {};
  const secret = secrets.get(objectKey({ namespace: meta.namespace, name }));
  if (secret === undefined) throw missingSecret(meta.namespace, name);
  return secretTexts(secret);
}

/** The error for a Secret that something refers to and nothing describes. */
export function missingSecret(namespace: string, name: string): FairleadError {
  return new FairleadError("object-missing", `there is no Secret ${namespace}/${name}`);
}

/** What a Secret holds, as text. */
export function secretTexts({ data }: Secret): SecretTexts {
  const decoder = new TextDecoder();
  const entries = Object.entries(data).map(([key, bytes]) => [key, decoder.decode(bytes)] as const);
  return Object.fromEntries(entries);
}

/** The error for a GitRepository that says something that cannot be. */
export function invalidConfig({ meta }: GitRepository, reason: string): FairleadError {
  return new FairleadError("config-invalid", `GitRepository ${objectKey(meta)}: ${reason}`, {
    where: meta.where,
  });
}

/** The error for a Secret that lacks what a GitRepository wants of it: it may be put right without the latter. */
export function invalidSecret(
  { meta }: GitRepository,
  name: string | undefined,
  reason: string,
): FairleadError {
  const message =
    name === undefined
      ? `GitRepository ${objectKey(meta)} names no Secret, which ssh needs`
      : `the Secret ${meta.namespace}/${name} ${reason}`;
  return new FairleadError("credentials-invalid", message, { where: meta.where });
}
