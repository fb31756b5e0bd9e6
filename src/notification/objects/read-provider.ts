import type { FieldReader } from "../../objects/field-reader.ts";
import type { ObjectMeta } from "../../objects/object-meta.ts";
import { optionalField } from "../../objects/optional-field.ts";
import { readLocalReference } from "../../objects/read-meta.ts";
import { isCommitStatusType, providerTypes } from "../alert/provider-class.ts";
import type { Provider } from "./provider.ts";

const defaultTimeoutMs = 15_000;
/** Node's timers count no further, and no delivery takes as long. */
const maxTimeoutMs = 60 * 60_000;
const short = { maxLength: 2048 };

/** Reads a Provider of v1beta3, or of v1. Values that may be secrets, such as addresses, are not quoted. */
export function readProvider(fields: FieldReader, meta: ObjectMeta): Provider {
  const spec = fields.requiredMap("spec");
  if (!spec.has("type")) spec.problem("type", "is required");
  const type = spec.choice("type", providerTypes, "generic");
  const commitStatusExpr = spec.text("commitStatusExpr");
  if (commitStatusExpr !== undefined && !isCommitStatusType(type)) {
    spec.problem(
      "commitStatusExpr",
      "is only supported for the 'github', 'gitlab', 'gitea', 'bitbucketserver', 'bitbucket', 'azuredevops' provider types",
    );
  }
  // Deprecated and of no effect.
  spec.duration("interval");
  const provider: Provider = {
    kind: "Provider",
    apiVersion: fields.text("apiVersion") ?? "",
    meta,
    spec: {
      type,
      address: spec.text("address", short) ?? "",
      channel: spec.text("channel", short) ?? "",
      username: spec.text("username", short) ?? "",
      timeoutMs: readTimeout(spec),
      ...optionalField("proxy", readProxy(spec)),
      ...optionalField("proxySecretRef", readLocalReference(spec, "proxySecretRef")),
      ...optionalField("secretRef", readLocalReference(spec, "secretRef")),
      ...optionalField("certSecretRef", readLocalReference(spec, "certSecretRef")),
      ...optionalField("serviceAccountName", spec.text("serviceAccountName", { maxLength: 253 })),
      ...optionalField("commitStatusExpr", commitStatusExpr),
      suspend: spec.boolean("suspend"),
    },
  };
  spec.warnOfOthers();
  return provider;
}

function readTimeout(spec: FieldReader): number {
  const timeoutMs = spec.duration("timeout", { withHours: false });
  if (timeoutMs === undefined) return defaultTimeoutMs;
  if (timeoutMs > maxTimeoutMs) spec.problem("timeout", "is longer than an hour");
  return timeoutMs === 0 ? defaultTimeoutMs : timeoutMs;
}

/** It may hold a password, and is not quoted. */
function readProxy(spec: FieldReader): string | undefined {
  const proxy = spec.text("proxy", short);
  if (proxy === undefined || /^https?:\/\/./u.test(proxy)) return proxy;
  spec.problem("proxy", "is no URL with http or https", "use proxySecretRef, which keeps it secret as well");
  return undefined;
}
