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

/** What is secret in the address of a hook, which is all that follows its host. */
export function urlSecrets(address: string): readonly string[] {
  const url = URL.parse(address);
  if (url === null) return partSecrets(address);
  const { pathname, search } = url;
  const whole = [`${pathname}${search}`, pathname].filter((text) => text.length > 1);
  return distinct([...whole, ...whole.map((text) => text.slice(1)), ...partSecrets(address)]);
}

/** What may be secret in any address: its query, its password, and the parts of its path that look random. */
export function partSecrets(address: string): readonly string[] {
  const url = URL.parse(address);
  // A connection string is no URL.
  if (url === null) return address.includes("Key=") ? [address] : [];
  const parts = [...url.pathname.split("/"), ...url.searchParams.values()].filter(isRandom);
  return distinct([url.search.slice(1), url.password, decode(url.password), ...parts, ...parts.map(decode)]);
}

function isRandom(part: string): boolean {
  return part.length >= 24 || (part.length >= 8 && /\d|[a-z][A-Z]/u.test(part));
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
