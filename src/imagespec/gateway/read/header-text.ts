import type { HeaderFields } from "../api-exchange.ts";

/** The value of a field, its lines joined (RFC 9110, section 5.3); empty where there is none. */
export function headerText(headers: HeaderFields, name: string): string {
  const value = headers[name];
  return typeof value === "object" ? value.join(",") : (value ?? "");
}

/** The fields without some of them. */
export function withoutHeaders(headers: HeaderFields, names: ReadonlySet<string>): HeaderFields {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name)));
}
