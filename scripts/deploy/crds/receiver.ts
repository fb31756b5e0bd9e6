import { receiverTypes } from "../../../src/notification/objects/receiver.ts";
import { objectSelection, status } from "./common-schemas.ts";
import { ageColumn, type CustomResource, readyColumns } from "./custom-resource-definition.ts";
import { duration, flag, list, localReference, object, type Schema, text, texts } from "./schema.ts";

const oidcProvider: Schema = object(
  "An issuer of tokens.",
  {
    issuerURL: text("The URL of the issuer, as tokens have it in iss.", { pattern: "^https?://" }),
    audience: text("What tokens have in aud; notification-controller where it is left out."),
    variables: list(
      "Expressions that others may use as vars.NAME.",
      object(
        "A variable.",
        {
          name: text("Its name."),
          expression: text("Its value, as CEL over claims and the vars before it."),
        },
        { required: ["name", "expression"] },
      ),
    ),
    validations: list(
      "What has to hold of a token.",
      object(
        "A requirement of a token.",
        {
          expression: text("The requirement, as CEL over claims and vars."),
          message: text("What the sender is told where it does not hold."),
        },
        { required: ["expression", "message"] },
      ),
      { minItems: 1 },
    ),
  },
  { required: ["issuerURL", "validations"] },
);

export const receiver: CustomResource = {
  group: "notification.toolkit.fluxcd.io",
  version: "v1",
  kind: "Receiver",
  plural: "receivers",
  columns: [ageColumn, ...readyColumns],
  description: "A webhook that asks for objects to be looked at.",
  spec: object(
    "Who may call the webhook, and what it triggers.",
    {
      type: text("Who calls, which tells how a call is checked.", { enum: receiverTypes }),
      interval: duration("How often this is looked at.", { default: "10m" }),
      events: texts("Names of the events that count; all where it is left out."),
      resources: list(
        "The objects that are looked at.",
        object(
          "Objects of a kind.",
          { ...objectSelection, filter: text("Which of them, as CEL over res and req.") },
          { required: ["kind", "name"] },
        ),
      ),
      resourceFilter: text("Which of all objects, as CEL over res and req, and claims of generic-oidc."),
      secretRef: localReference(
        "A Secret with the token of the webhook; every type needs it but generic-oidc, which takes none.",
      ),
      oidcProviders: list("The issuers of tokens that generic-oidc takes.", oidcProvider, {
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["issuerURL"],
      }),
      suspend: flag("Whether the webhook is suspended."),
    },
    {
      required: ["resources", "type"],
      "x-kubernetes-validations": [
        {
          message: "generic-oidc receivers must define at least one oidcProvider",
          rule: "self.type != 'generic-oidc' || (has(self.oidcProviders) && size(self.oidcProviders) > 0)",
        },
        {
          message: "oidcProviders can only be set when type is generic-oidc",
          rule: "self.type == 'generic-oidc' || !has(self.oidcProviders) || size(self.oidcProviders) == 0",
        },
        {
          message: "secretRef cannot be set when type is generic-oidc",
          rule: "self.type != 'generic-oidc' || !has(self.secretRef)",
        },
        {
          message: "secretRef is required when type is not generic-oidc",
          rule: "self.type == 'generic-oidc' || has(self.secretRef)",
        },
      ],
    },
  ),
  status: status({ webhookPath: text("The path of the webhook.") }),
};
