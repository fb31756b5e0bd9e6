import type { FieldReader } from "./field-reader.ts";
import type { ObjectMeta } from "./object-meta.ts";
import type { ServiceAccount } from "./service-account.ts";

/** Reads a ServiceAccount. */
export function readServiceAccount(fields: FieldReader, meta: ObjectMeta): ServiceAccount {
  return {
    kind: "ServiceAccount",
    meta,
    imagePullSecrets: fields.maps("imagePullSecrets").map((reference) => reference.requiredText("name")),
  };
}
