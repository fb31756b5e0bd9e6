import { sourceKinds } from "../../../src/notification/objects/source-kinds.ts";
import { integer, list, object, type Schema, text, textMap, time } from "./schema.ts";

const label = String.raw`[a-z0-9]([-a-z0-9]*[a-z0-9])?`;

/** A condition of Kubernetes' API conventions. */
const condition: Schema = object(
  "One aspect of the state of the object.",
  {
    type: text("Which aspect, in CamelCase.", {
      maxLength: 316,
      pattern: String.raw`^(${label}(\.${label})*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`,
    }),
    status: text("Whether it is so.", { enum: ["True", "False", "Unknown"] }),
    observedGeneration: integer("The generation of the object that this was found of.", {
      format: "int64",
      minimum: 0,
    }),
    lastTransitionTime: time("When the status last changed."),
    reason: text("Why it is so, as one word in CamelCase.", {
      minLength: 1,
      maxLength: 1024,
      pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
    }),
    message: text("Why it is so, for people.", { maxLength: 32_768 }),
  },
  { required: ["type", "status", "lastTransitionTime", "reason", "message"] },
);

/** A status: what every kind has, and what this kind has besides. */
export function status(properties: Readonly<Record<string, Schema>> = {}): Schema {
  return object(
    "What the controller has found.",
    {
      ...properties,
      conditions: list("The state of the object, one condition a type.", condition),
      lastHandledReconcileAt: text(
        "The value of the annotation reconcile.fluxcd.io/requestedAt that was followed last.",
      ),
      observedGeneration: integer("The generation that was looked at last.", { format: "int64" }),
    },
    { default: { observedGeneration: -1 } },
  );
}

/** An image that was chosen, with the attributes of its tag. */
export function imageReference(description: string): Schema {
  return object(
    description,
    {
      name: text("The image without tag and digest."),
      tag: text("The tag."),
      digest: text("The digest, where it is reflected."),
      attributes: textMap("The named groups of the policy's pattern, as they match the tag."),
    },
    { required: ["name", "tag"] },
  );
}

/** What to check out of a Git repository. */
export function gitReference(description: string): Schema {
  return object(description, {
    branch: text("The branch; master where nothing else is given."),
    tag: text("The tag, before branch."),
    semver: text("A range of versions among the tags, before tag."),
    name: text("The whole name of a ref, such as refs/heads/main, before semver."),
    commit: text("The hash of a commit, before everything else."),
  });
}

/** The fields of a reference to objects that events are about, or that a webhook triggers. */
export const objectSelection: Readonly<Record<string, Schema>> = {
  apiVersion: text("API version of the referent."),
  kind: text("Kind of the referent.", { enum: sourceKinds }),
  name: text("Name of the referent; * is every name.", { minLength: 1, maxLength: 253 }),
  namespace: text("Namespace of the referent; that of this object where it is left out.", {
    minLength: 1,
    maxLength: 253,
  }),
  matchLabels: textMap("Labels that the referent has."),
};

/** Objects may let other namespaces refer to them. */
export const accessFrom: Schema = object(
  "Which other namespaces may refer to this object.",
  {
    namespaceSelectors: list(
      "Selectors of namespaces, one of which has to match.",
      object("A selector of namespaces.", {
        matchLabels: textMap("Labels that the namespace has; none match every namespace."),
      }),
    ),
  },
  { required: ["namespaceSelectors"] },
);
