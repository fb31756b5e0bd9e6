import type { ProviderSettings } from "./provider.ts";

/** Keys of a Secret whose values are told to everybody. */
const openKeys: ReadonlySet<string> = new Set([
  "ca.crt",
  "caFile",
  "githubAppBaseURL",
  "githubAppID",
  "githubAppInstallationID",
  "githubAppInstallationOwner",
  "headers",
  "tls.crt",
  "username",
]);

/** What must not be told of a provider: the values of its Secret and of its headers, its login, and its hook. */
export function secretsOf(settings: ProviderSettings): readonly string[] {
  const { secret, headers, username } = settings;
  const values = Object.entries(secret)
    .filter(([key, value]) => !openKeys.has(key) && value.trim() !== "")
    .flatMap(([key, value]) => (key === "address" ? urlSecrets(value.trim()) : [value, value.trim()]));
  const password = secret["password"] ?? secret["token"] ?? "";
  const logins = [secret["username"] ?? username, ""].map((name) => base64(`${name}:${password.trim()}`));
  return distinct([...values, ...Object.values(headers), ...(password === "" ? [] : logins)]);
}

/**
 * What is secret in the address of a hook: all that follows the host, and the parts of it that look random, which
 * an answer may quote by themselves.
 */
export function urlSecrets(address: string): readonly string[] {
  const url = URL.parse(address);
  if (url === null) return [address];
  const path = `${url.pathname}${url.search}`;
  const parts = [...url.pathname.split("/"), ...url.searchParams.values()].filter(isRandom);
  return distinct([
    ...(path.length > 1 ? [path, path.slice(1)] : []),
    ...(url.pathname.length > 1 ? [url.pathname, url.pathname.slice(1)] : []),
    ...(url.search.length > 1 ? [url.search.slice(1)] : []),
    url.password,
    decode(url.password),
    ...parts,
    ...parts.map(decode),
  ]);
}

function isRandom(part: string): boolean {
  const text = part.length;
  return text >= 24 || (text >= 8 && /\d/u.test(part)) || (text >= 8 && /[a-z][A-Z]/u.test(part));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].filter((text) => text.length >= 4);
}
