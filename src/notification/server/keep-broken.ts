import type { Diagnostic } from "../../core/diagnostic.ts";
import type { ObjectMeta } from "../../objects/object-meta.ts";
import type { NotificationObjects } from "../objects/notification-objects.ts";

/**
 * Puts back the objects of before that a change has broken: those of files that do not parse, and those that are
 * invalid where they were valid. An object that was taken out of a file that is whole is gone.
 */
export function keepBroken(
  before: NotificationObjects,
  after: NotificationObjects,
  diagnostics: readonly Diagnostic[],
): NotificationObjects {
  const brokenFiles = new Set(
    diagnostics
      .filter(({ code, severity }) => code === "file-unparsable" || severity === "error")
      .map(({ where }) => where.file),
  );
  const keep = <Value extends { readonly meta: ObjectMeta }>(
    old: ReadonlyMap<string, Value>,
    current: ReadonlyMap<string, Value>,
  ): ReadonlyMap<string, Value> => {
    const lost = [...old].filter(([key, { meta }]) => !current.has(key) && brokenFiles.has(meta.where.file));
    return lost.length === 0 ? current : new Map([...current, ...lost]);
  };
  return {
    alerts: keep(before.alerts, after.alerts),
    providers: keep(before.providers, after.providers),
    receivers: keep(before.receivers, after.receivers),
    secrets: keep(before.secrets, after.secrets),
    sources: keep(before.sources, after.sources),
  };
}
