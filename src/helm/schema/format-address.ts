import { isIPv6 } from "node:net";
import { hostnameOf, parseUrl, type GoUrl } from "../go/url.ts";
import { fromBytes, toBytes } from "../go/utf8.ts";
import { GoError } from "../go/value.ts";
import { quoteRune } from "../go/quote.ts";

/** The formats for hosts, mail addresses and URLs (jsonschema/v6, format.go). */
export const addressFormats: Readonly<Record<string, (text: string) => string | undefined>> = {
  ipv4: ipv4Problem,
  ipv6: ipv6Problem,
  hostname: hostnameProblem,
  email: emailProblem,
  uri: uriProblem,
  iri: uriProblem,
  "uri-reference": uriReferenceProblem,
  "iri-reference": uriReferenceProblem,
  "uri-template": uriTemplateProblem,
};

function ipv4Problem(text: string): string | undefined {
  const groups = text.split(".");
  if (groups.length !== 4) return "expected four decimals";
  for (const group of groups) {
    if (group.length > 1 && group.startsWith("0")) return "leading zeros";
    if (!/^[-+]?[0-9]+$/u.test(group))
      return `strconv.Atoi: parsing ${JSON.stringify(group)}: invalid syntax`;
    if (Number(group) < 0 || Number(group) > 255) return "decimal must be between 0 and 255";
  }
  return undefined;
}

function ipv6Problem(text: string): string | undefined {
  if (!text.includes(":")) return "missing colon";
  const [address = "", zone] = text.split("%", 2);
  if (!isIPv6(address) || zone === "") return `ParseAddr(${JSON.stringify(text)}): unable to parse IP`;
  return zone === undefined ? undefined : "zone id is not a part of ipv6 address";
}

function hostnameProblem(text: string): string | undefined {
  const name = text.replace(/\.$/u, "");
  if (toBytes(name).length > 253) return "more than 253 characters long";
  for (const label of name.split(".")) {
    const length = toBytes(label).length;
    if (length < 1 || length > 63) return "label must be 1 to 63 characters long";
    if (label.startsWith("-")) return "label starts with hyphen";
    if (label.endsWith("-")) return "label ends with hyphen";
    const strange = strangeCharacter(label, /[a-zA-Z0-9-]/u);
    if (strange !== undefined) return strange;
  }
  return undefined;
}

function emailProblem(text: string): string | undefined {
  if (toBytes(text).length > 254) return "more than 255 characters long";
  const at = text.lastIndexOf("@");
  if (at === -1) return "missing @";
  return localPartProblem(text.slice(0, at)) ?? mailDomainProblem(text.slice(at + 1));
}

function localPartProblem(local: string): string | undefined {
  if (toBytes(local).length > 64) return "local part more than 64 characters long";
  if (local.length > 1 && local.startsWith('"') && local.endsWith('"')) {
    const isBroken = /["\\]/u.test(local.slice(1, -1));
    return isBroken ? "backslash and quote are not allowed within quoted local part" : undefined;
  }
  if (local.startsWith(".")) return "starts with dot";
  if (local.endsWith(".")) return "ends with dot";
  if (local.includes("..")) return "consecutive dots";
  return strangeCharacter(local, /[a-zA-Z0-9.!#$%&'*+\-/=?^_`{|}~]/u);
}

function mailDomainProblem(domain: string): string | undefined {
  if (!domain.startsWith("[") || !domain.endsWith("]")) {
    return within("domain", hostnameProblem(domain));
  }
  const address = domain.slice(1, -1);
  return address.startsWith("IPv6:")
    ? within("ipv6 address", ipv6Problem(address.slice("IPv6:".length)))
    : within("ipv4 address", ipv4Problem(address));
}

function uriProblem(text: string): string | undefined {
  const parsed = tryParse(text);
  if ("problem" in parsed) return parsed.problem;
  return parsed.url.scheme === "" ? "relative url" : undefined;
}

function uriReferenceProblem(text: string): string | undefined {
  if (text.includes("\\")) return "contains \\";
  const parsed = tryParse(text);
  return "problem" in parsed ? parsed.problem : undefined;
}

function uriTemplateProblem(text: string): string | undefined {
  const parsed = tryParse(text);
  if ("problem" in parsed) return parsed.problem;
  for (const segment of parsed.url.path.split("/")) {
    let isOpen = false;
    for (const brace of segment.match(/[{}]/gu) ?? []) {
      if ((brace === "{") === isOpen) return "nested curly braces";
      isOpen = !isOpen;
    }
    if (isOpen) return "no matching closing brace";
  }
  return undefined;
}

function tryParse(text: string): { readonly url: GoUrl } | { readonly problem: string } {
  try {
    const url = parseUrl(toBytes(text));
    const host = hostnameOf(url.host);
    if (!host.includes(":")) return { url };
    if (!/\[.*\]/su.test(url.host)) return { problem: "ipv6 address not enclosed in brackets" };
    const problem = within("ipv6 address", ipv6Problem(host));
    return problem === undefined ? { url } : { problem };
  } catch (error) {
    if (error instanceof GoError) return { problem: fromBytes(error.message) };
    throw error;
  }
}

function strangeCharacter(text: string, allowed: RegExp): string | undefined {
  const strange = Array.from(text).find((character) => !allowed.test(character));
  return strange === undefined
    ? undefined
    : `invalid character ${fromBytes(quoteRune(strange.codePointAt(0) ?? 0))}`;
}

function within(part: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `invalid ${part}: ${problem}`;
}
