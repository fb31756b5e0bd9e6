import { FairleadError } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { objectKey } from "../../objects/object-meta.ts";
import { optionalField } from "../../objects/optional-field.ts";
import type { Secret } from "../../objects/secret.ts";
import { loadYamlMap } from "../../yaml/load.ts";
import type { YamlMap } from "../../yaml/value.ts";
import type { ProviderSettings } from "../providers/provider.ts";
import type { Provider } from "./provider.ts";

const maxAddressLength = 2048;
const maxHeaders = 100;

/** Keys that people fill from files and pipes, which end in line ends. */
const trimmed: ReadonlySet<string> = new Set(["address", "token", "username", "password"]);

/**
 * What a Provider and its Secret say, put together.
 * @param secrets by `namespace/name`
 * @param commitStatus the context of a commit status by `commitStatusExpr`
 * @throws FairleadError `object-missing`, `object-invalid`; no value of a Secret is told
 */
export function providerSettings(
  { meta, spec }: Provider,
  secrets: ReadonlyMap<string, Secret>,
  commitStatus?: string,
): ProviderSettings {
  const { type, channel, timeoutMs, secretRef } = spec;
  const { namespace, name, uid } = meta;
  const texts = secretRef === undefined ? {} : readTexts(namespace, secretRef.name, secrets);
  const { address = spec.address, username = spec.username, headers } = texts;
  if (address.length > maxAddressLength) {
    throw new FairleadError("object-invalid", `the address is longer than ${maxAddressLength} characters`);
  }
  return {
    type,
    namespace,
    name,
    ...optionalField("uid", uid),
    address,
    channel,
    username,
    timeoutMs,
    secret: texts,
    headers: headers === undefined ? {} : readHeaders(headers),
    ...optionalField("commitStatus", commitStatus),
  };
}

function readTexts(
  namespace: string,
  name: string,
  secrets: ReadonlyMap<string, Secret>,
): Readonly<Record<string, string>> {
  const key = objectKey({ namespace, name });
  const secret = secrets.get(key);
  if (secret === undefined) throw new FairleadError("object-missing", `there is no Secret ${excerpt(key)}`);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const texts = Object.create(null) as Record<string, string>;
  for (const [field, data] of Object.entries(secret.data)) {
    try {
      const text = decoder.decode(data);
      texts[field] = trimmed.has(field) ? text.trim() : text;
    } catch {
      throw new FairleadError(
        "object-invalid",
        `the Secret ${excerpt(key)} holds no text at '${excerpt(field)}'`,
      );
    }
  }
  return texts;
}

/** A map of texts in YAML. */
function readHeaders(text: string): Readonly<Record<string, string>> {
  let value: YamlMap;
  try {
    ({ value } = loadYamlMap(text));
  } catch {
    // What the parser says quotes the text, which is secret.
    throw invalidHeaders();
  }
  const entries = Object.entries(value);
  if (entries.length > maxHeaders || !entries.every(([, item]) => typeof item === "string"))
    throw invalidHeaders();
  return Object.fromEntries(entries) as Record<string, string>;
}

function invalidHeaders(): FairleadError {
  return new FairleadError("object-invalid", "headers of the Secret is no map of texts in YAML", {
    hint: "write each header as Name: 'value'",
  });
}
