/** Takes texts that must not be told out of a message. */
export type Redactor = (text: string) => string;

const placeholder = "[redacted]";

/** Shorter texts are no secrets, and to take them out would take a message apart. */
const minLength = 4;

/**
 * A redactor for these texts, also where they stand escaped as in JSON or Go's `%q`, in base64, or line by line.
 * Texts of fewer than four characters and the words `true`, `false` and `null` are left.
 */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const forms = new Set<string>();
  for (const secret of secrets) {
    for (const text of [secret, secret.trim(), ...secret.split(/\r?\n/u).map((line) => line.trim())]) {
      if (text.length < minLength || /^(?:true|false|null)$/iu.test(text)) continue;
      forms.add(text).add(JSON.stringify(text).slice(1, -1)).add(Buffer.from(text).toString("base64"));
    }
  }
  // The longest first: one secret may be a part of another.
  const ordered = [...forms].toSorted((left, right) => right.length - left.length);
  return (text) => ordered.reduce((redacted, form) => redacted.replaceAll(form, () => placeholder), text);
}
