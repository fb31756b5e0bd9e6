import type { FieldReader } from "./field-reader.ts";
import type { ObjectMeta } from "./object-meta.ts";
import type { Secret } from "./secret.ts";

/** The most that Kubernetes stores in a Secret, with room for base64. */
const maxDataLength = 2 * 1024 * 1024;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/u;

/** Reads a Secret. Its values are not quoted in problems. */
export function readSecret(fields: FieldReader, meta: ObjectMeta): Secret {
  const data = Object.create(null) as Record<string, Uint8Array>;
  for (const [key, text] of Object.entries(fields.textMap("data", { maxLength: maxDataLength }))) {
    // Go's decoder passes line ends over.
    const encoded = text.replaceAll(/[\r\n]/gu, "");
    if (base64.test(encoded)) data[key] = Buffer.from(encoded, "base64");
    else
      fields.problem("data", `holds something that is not base64 at '${key.slice(0, 100)}'`, hintFor(text));
  }
  for (const [key, text] of Object.entries(fields.textMap("stringData", { maxLength: maxDataLength }))) {
    if (text.startsWith(encrypted)) fields.problem("stringData", "is encrypted", hintFor(text));
    data[key] = Buffer.from(text, "utf8");
  }
  return { kind: "Secret", meta, type: fields.text("type") || "Opaque", data };
}

/** How sops writes a value. */
const encrypted = "ENC[";

function hintFor(text: string): string {
  return text.startsWith(encrypted)
    ? "decrypt the file with sops before it is read"
    : "texts that are not encoded belong in stringData";
}
