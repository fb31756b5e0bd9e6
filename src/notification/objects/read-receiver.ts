import type { FieldReader } from "../../objects/field-reader.ts";
import type { ObjectMeta } from "../../objects/object-meta.ts";
import { optionalField } from "../../objects/optional-field.ts";
import { readLocalReference } from "../../objects/read-meta.ts";
import { readObjectSelection } from "./read-object-selection.ts";
import { type OidcProvider, type Receiver, type ReceiverResource, receiverTypes } from "./receiver.ts";

const defaultIntervalMs = 10 * 60_000;
const defaultAudience = "notification-controller";
const expression = { maxLength: 64 * 1024 };

/** Reads a Receiver of v1. */
export function readReceiver(fields: FieldReader, meta: ObjectMeta): Receiver {
  const spec = fields.requiredMap("spec");
  if (!spec.has("type")) spec.problem("type", "is required");
  const type = spec.choice("type", receiverTypes, "generic");
  const oidcProviders = readOidcProviders(spec);
  const secretRef = readLocalReference(spec, "secretRef");
  if (type === "generic-oidc") {
    if (oidcProviders.length === 0)
      spec.problem("oidcProviders", "must have at least one item for generic-oidc");
    if (secretRef !== undefined) spec.problem("secretRef", "cannot be set for generic-oidc");
  } else {
    if (oidcProviders.length > 0) spec.problem("oidcProviders", "can only be set for generic-oidc");
    if (!spec.has("secretRef")) spec.problem("secretRef", `is required for ${type}`);
  }
  const receiver: Receiver = {
    kind: "Receiver",
    meta,
    spec: {
      type,
      intervalMs: spec.duration("interval") ?? defaultIntervalMs,
      events: spec.texts("events"),
      resources: readResources(spec),
      ...optionalField("resourceFilter", spec.text("resourceFilter", expression)),
      ...optionalField("secretRef", secretRef),
      oidcProviders,
      suspend: spec.boolean("suspend"),
    },
  };
  spec.warnOfOthers();
  return receiver;
}

function readResources(spec: FieldReader): readonly ReceiverResource[] {
  if (!spec.has("resources")) spec.problem("resources", "is required");
  return spec.maps("resources").map((resource) => {
    const selection = readObjectSelection(resource);
    if (selection.name === "*" && Object.keys(selection.matchLabels ?? {}).length === 0) {
      resource.problem("matchLabels", "is required where the name is *");
    }
    const filter = optionalField("filter", resource.text("filter", expression));
    resource.warnOfOthers();
    return Object.assign(filter, selection);
  });
}

function readOidcProviders(spec: FieldReader): readonly OidcProvider[] {
  const issuers = new Set<string>();
  return spec.maps("oidcProviders").map((provider) => {
    const issuerUrl = provider.requiredText("issuerURL", {
      pattern: /^https?:\/\//u,
      expected: "a URL with http or https",
    });
    if (issuers.has(issuerUrl)) provider.problem("issuerURL", "is given more than once");
    issuers.add(issuerUrl);
    const validations = provider.maps("validations").map((validation) => {
      const read = {
        expression: validation.requiredText("expression", expression),
        message: validation.requiredText("message"),
      };
      validation.warnOfOthers();
      return read;
    });
    if (validations.length === 0) provider.problem("validations", "must have at least one item");
    const variables = provider.maps("variables").map((variable) => {
      const read = {
        name: variable.requiredText("name"),
        expression: variable.requiredText("expression", expression),
      };
      variable.warnOfOthers();
      return read;
    });
    const audience = provider.text("audience") || defaultAudience;
    provider.warnOfOthers();
    return { issuerUrl, audience, variables, validations };
  });
}
