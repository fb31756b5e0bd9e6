import type { NotificationEvent } from "../event.ts";

/** `kind/name.namespace` of the object that an event is about, the kind in lower case. */
export function objectName({ involvedObject: { kind, name, namespace } }: NotificationEvent): string {
  return `${kind.toLowerCase()}/${name}.${namespace}`;
}

/** What tells an object from all others where it has no UID: its kind, namespace and name. */
export function objectKey({ involvedObject }: NotificationEvent): string {
  const { uid, kind, namespace, name } = involvedObject;
  return uid === undefined || uid === "" ? `${kind}/${namespace}/${name}` : uid;
}

/** Whether an event only says that work goes on; some systems are told of its end alone. */
export function isProgressing({ reason }: NotificationEvent): boolean {
  return reason === "Progressing";
}

/** A reason in lower-case words, as Flux splits camel case: `ReconciliationSucceeded` is `reconciliation succeeded`. */
export function reasonWords(reason: string): string {
  const runs = reason.match(/\p{Ll}+|\p{Lu}+|\p{Nd}+|[^\p{Ll}\p{Lu}\p{Nd}]+/gu) ?? [];
  for (const [index, run] of runs.entries()) {
    const next = runs[index + 1];
    if (next === undefined || !/^\p{Lu}/u.test(run) || !/^\p{Ll}/u.test(next)) continue;
    // The last capital begins the next word.
    const letters = Array.from(run);
    runs[index + 1] = `${letters.at(-1) ?? ""}${next}`;
    runs[index] = letters.slice(0, -1).join("");
  }
  return runs
    .filter((run) => run !== "")
    .join(" ")
    .toLowerCase();
}
