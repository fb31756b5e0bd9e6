import { matchesSelector, type Labels } from "../../objects/label-selector.ts";
import { objectKey } from "../../objects/object-meta.ts";
import type { NotificationEvent } from "../event.ts";
import { annotationValue, controllerValue, knownKeys } from "../metadata/metadata-keys.ts";
import type { Alert, ObjectSelection } from "../objects/alert.ts";
import type { Provider } from "../objects/provider.ts";
import { type MessagePattern, tryCompilePattern } from "./message-pattern.ts";
import { involvedObjectText, type Mismatch, type SourceMismatch } from "./mismatch.ts";
import { isChangeRequestType, isCommitStatusType, isGenericType } from "./provider-class.ts";

export interface AlertMatcherOptions {
  /** By `namespace/name`. */
  readonly providers: ReadonlyMap<string, Provider>;
  /** Whether Alerts take events of their own namespace alone; default: false. */
  readonly noCrossNamespaceRefs?: boolean;
}

/** Something that the Alert's owner should know: a Kubernetes Event of type Warning on the Alert, in Flux's words. */
export interface AlertWarning {
  readonly reason: "InvalidConfig" | "SourceFetchFailed" | "NotificationDispatchFailed";
  readonly message: string;
}

export type AlertMatch =
  | { readonly isMatch: true; readonly provider: Provider; readonly warnings: readonly AlertWarning[] }
  | { readonly isMatch: false; readonly mismatch: Mismatch; readonly warnings: readonly AlertWarning[] };

type Pattern = MessagePattern | { readonly expression: string; readonly problem: string };

interface Patterns {
  readonly inclusions: readonly Pattern[];
  readonly exclusions: readonly Pattern[];
}

/** Alerts that do not change are not compiled anew when others do. */
const compiled = new WeakMap<Alert, Patterns>();

/** An Alert, ready to be asked for many events. */
export class AlertMatcher {
  readonly alert: Alert;
  readonly #options: AlertMatcherOptions;
  readonly #patterns: Patterns;

  constructor(alert: Alert, options: AlertMatcherOptions) {
    this.alert = alert;
    this.#options = options;
    this.#patterns = patternsOf(alert);
  }

  /** Whether it takes the labels of an event's object to say if the event is for the Alert. */
  needsLabels(event: NotificationEvent): boolean {
    const { eventSources, suspend } = this.alert.spec;
    return (
      !suspend &&
      eventSources.some(
        (source) => source.matchLabels !== undefined && this.#nameMismatch(event, source) === undefined,
      )
    );
  }

  /**
   * Whether an event is for the Alert and its Provider, by notification-controller's rules.
   * @param event its metadata cleaned
   * @param labels of the event's object; undefined where they are not known, or not needed
   */
  match(event: NotificationEvent, labels: Labels | undefined): AlertMatch {
    const warnings: AlertWarning[] = [];
    const mismatch = this.#findMismatch(event, labels, warnings) ?? this.#findRefusal(event, warnings);
    if (mismatch !== undefined) return { isMatch: false, mismatch, warnings };
    const provider = this.#provider();
    if (provider === undefined) throw new Error("an Alert without a Provider matches nothing");
    return { isMatch: true, provider, warnings };
  }

  /** What the Alert itself says. */
  #findMismatch(
    event: NotificationEvent,
    labels: Labels | undefined,
    warnings: AlertWarning[],
  ): Mismatch | undefined {
    const { spec } = this.alert;
    if (spec.suspend) return { kind: "alert-suspended" };
    const sources: SourceMismatch[] = [];
    const isSelected = spec.eventSources.some((source) => {
      const reason = this.#sourceMismatch(event, labels, source, warnings);
      if (reason !== undefined) sources.push({ source, reason });
      return reason === undefined;
    });
    if (!isSelected) return { kind: "no-source", sources };
    const { message } = event;
    const { inclusions, exclusions } = this.#patterns;
    if (inclusions.length > 0 && !findPattern(inclusions, "inclusion", message, warnings)) {
      return { kind: "not-included" };
    }
    const expression = findPattern(exclusions, "exclusion", message, warnings)?.expression;
    return expression === undefined ? undefined : { kind: "excluded", expression };
  }

  #nameMismatch(
    { involvedObject, severity }: NotificationEvent,
    source: ObjectSelection,
  ): SourceMismatch["reason"] | undefined {
    const { namespace = this.alert.meta.namespace, kind, name } = source;
    if (involvedObject.namespace !== namespace) return "namespace";
    if (involvedObject.kind !== kind) return "kind";
    const { eventSeverity } = this.alert.spec;
    if (eventSeverity !== "info" && eventSeverity !== severity) return "severity";
    return name === "*" || name === involvedObject.name ? undefined : "name";
  }

  #sourceMismatch(
    event: NotificationEvent,
    labels: Labels | undefined,
    source: ObjectSelection,
    warnings: AlertWarning[],
  ): SourceMismatch["reason"] | undefined {
    const { matchLabels } = source;
    const reason = this.#nameMismatch(event, source);
    if (reason !== undefined || matchLabels === undefined) return reason;
    if (labels === undefined) {
      const message = `error getting source object ${involvedObjectText(event.involvedObject)}`;
      warnings.push({ reason: "SourceFetchFailed", message });
      return "object-unknown";
    }
    return matchesSelector(labels, { matchLabels, matchExpressions: [] }) ? undefined : "labels";
  }

  /** What keeps an event that the Alert selects from its Provider. */
  #findRefusal(event: NotificationEvent, warnings: AlertWarning[]): Mismatch | undefined {
    const { namespace, name } = this.alert.meta;
    const object = involvedObjectText(event.involvedObject);
    const fail = (why: string): void => {
      const message = `failed to dispatch notification for ${object}: ${why}`;
      warnings.push({ reason: "NotificationDispatchFailed", message });
    };
    if (this.#options.noCrossNamespaceRefs === true && event.involvedObject.namespace !== namespace) {
      fail(
        "discarding event, access denied to cross-namespace sources: " +
          `alert '${namespace}/${name}' can't process event from '${object}', cross-namespace references have been blocked`,
      );
      return { kind: "access-denied" };
    }
    const provider = this.#provider();
    if (provider === undefined) {
      const missing = this.alert.spec.providerRef.name;
      fail(`failed to read provider: Provider.notification.toolkit.fluxcd.io "${missing}" not found`);
      return { kind: "provider-missing", provider: this.#providerKey() };
    }
    if (provider.spec.suspend) return { kind: "provider-suspended", provider: this.#providerKey() };
    return gateOf(event, provider.spec.type);
  }

  #provider(): Provider | undefined {
    return this.#options.providers.get(this.#providerKey());
  }

  #providerKey(): string {
    const { meta, spec } = this.alert;
    return objectKey({ namespace: meta.namespace, name: spec.providerRef.name });
  }
}

/** Which events a type of Provider does not take. */
function gateOf(event: NotificationEvent, type: Provider["spec"]["type"]): Mismatch | undefined {
  const isUpdate = controllerValue(event, knownKeys.commitStatus) === "update";
  if (isCommitStatusType(type)) {
    const isTaken = annotationValue(event, knownKeys.commit) || isUpdate || event.severity === "error";
    return isTaken ? undefined : { kind: "commit-missing", type };
  }
  if (isUpdate && !isGenericType(type)) return { kind: "commit-status-update", type };
  if (isChangeRequestType(type) && !annotationValue(event, knownKeys.changeRequest)) {
    return { kind: "change-request-missing", type };
  }
  return undefined;
}

function patternsOf(alert: Alert): Patterns {
  const known = compiled.get(alert);
  if (known !== undefined) return known;
  const { inclusionList, exclusionList } = alert.spec;
  const patterns = { inclusions: inclusionList.map(compile), exclusions: exclusionList.map(compile) };
  compiled.set(alert, patterns);
  return patterns;
}

function compile(expression: string): Pattern {
  return { expression, ...tryCompilePattern(expression) };
}

/** The first expression that matches; those that are none are told and passed over. */
function findPattern(
  patterns: readonly Pattern[],
  list: "inclusion" | "exclusion",
  message: string,
  warnings: AlertWarning[],
): Pattern | undefined {
  return patterns.find((pattern) => {
    const isMatch = "matches" in pattern ? pattern.matches(message) : undefined;
    if (isMatch !== undefined) return isMatch;
    const what = "matches" in pattern ? "match" : "compile";
    warnings.push({
      reason: "InvalidConfig",
      message: `failed to ${what} ${list} regex: ${pattern.expression}`,
    });
    return false;
  });
}
