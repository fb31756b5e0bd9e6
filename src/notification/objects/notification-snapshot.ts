import type { Labels } from "../../objects/label-selector.ts";
import type { Secret } from "../../objects/secret.ts";
import type { ObjectReference } from "../event.ts";
import type { ObjectSelection } from "./alert.ts";
import type { NotificationObjects, SourceObject } from "./notification-objects.ts";

/** Secrets, read when they are needed. */
export interface SecretReader {
  /**
   * Undefined where there is none. A Secret that has not changed is the same object.
   * @throws FairleadError where that cannot be told
   */
  get(name: { readonly namespace: string; readonly name: string }): Promise<Secret | undefined>;
}

/** The objects that events are about and that Receivers trigger, read when they are needed. */
export interface SourceReader {
  /** Undefined for an object that is not known. @throws FairleadError where that cannot be told for now */
  labelsOf(object: ObjectReference): Promise<Labels | undefined>;
  /**
   * The object of a name, or those that have all labels where the name is `*`.
   * @throws FairleadError `object-missing`, and where that cannot be told
   */
  select(selection: SourceSelection): Promise<readonly SourceObject[]>;
}

export type SourceSelection = ObjectSelection & Required<Pick<ObjectSelection, "namespace">>;

/** What is in force of Alerts, Providers and Receivers, by `namespace/name`, and where the rest is read. */
export interface NotificationSnapshot extends Pick<
  NotificationObjects,
  "alerts" | "providers" | "receivers"
> {
  readonly secrets: SecretReader;
  readonly sources: SourceReader;
}
