import { gitReference, imageReference, status } from "./common-schemas.ts";
import {
  ageColumn,
  type CustomResource,
  readyColumns,
  withoutSubstitution,
} from "./custom-resource-definition.ts";
import {
  duration,
  flag,
  list,
  localReference,
  map,
  object,
  type Schema,
  text,
  textMap,
  texts,
  time,
} from "./schema.ts";

const policySelector: Schema = object(
  "Which policies of the namespace are applied; all where it is left out.",
  {
    matchLabels: textMap("Labels that the policy has."),
    matchExpressions: list(
      "Requirements, all of which have to hold.",
      object(
        "A requirement of a label.",
        {
          key: text("The name of the label."),
          operator: text("In, NotIn, Exists or DoesNotExist."),
          values: texts("Values for In and NotIn.", { "x-kubernetes-list-type": "atomic" }),
        },
        { required: ["key", "operator"] },
      ),
      { "x-kubernetes-list-type": "atomic" },
    ),
  },
  { "x-kubernetes-map-type": "atomic" },
);

const commit: Schema = object(
  "How changes are committed.",
  {
    author: object(
      "The author of commits.",
      { name: text("Name of the author."), email: text("Address of the author.") },
      { required: ["email"] },
    ),
    signingKey: object(
      "The key that commits are signed with.",
      {
        secretRef: localReference("A Secret with git.asc and passphrase, or with identity and password."),
        type: text("The type of the key; gpg where it is left out.", { enum: ["gpg", "ssh"] }),
      },
      { required: ["secretRef"] },
    ),
    messageTemplate: text("The message as a Go template."),
    messageTemplateValues: textMap("Values for the template."),
  },
  { required: ["author"] },
);

export const imageUpdateAutomation: CustomResource = {
  group: "image.toolkit.fluxcd.io",
  version: "v1",
  kind: "ImageUpdateAutomation",
  plural: "imageupdateautomations",
  shortNames: ["iua", "imgupd", "imgauto"],
  categories: ["all", "fluxcd", "fluxcd-images"],
  annotations: withoutSubstitution,
  columns: [
    ...readyColumns,
    { name: "Last run", type: "string", jsonPath: ".status.lastAutomationRunTime", priority: 1 },
    ageColumn,
  ],
  description: "Where the images that policies have chosen are written in Git.",
  spec: object(
    "How files are updated.",
    {
      interval: duration("How often this is looked at."),
      sourceRef: object(
        "The GitRepository that is updated.",
        {
          apiVersion: text("API version of the referent."),
          kind: text("Kind of the referent.", { enum: ["GitRepository"], default: "GitRepository" }),
          name: text("Name of the referent."),
          namespace: text("Namespace of the referent; that of this object where it is left out."),
        },
        { required: ["kind", "name"] },
      ),
      policySelector,
      suspend: flag("Whether updates are suspended."),
      update: object(
        "Which files are updated, and how.",
        {
          strategy: text("How fields are found: by their markers.", {
            enum: ["Setters"],
            default: "Setters",
          }),
          path: text("The folder below which files are updated; the whole tree where it is left out."),
        },
        { default: { strategy: "Setters" } },
      ),
      git: object(
        "What is checked out, committed and pushed.",
        {
          checkout: object(
            "What is checked out, in place of the GitRepository's own ref.",
            { ref: gitReference("The ref.") },
            { required: ["ref"] },
          ),
          commit,
          push: object("Where commits are pushed; to the branch that was checked out where it is left out.", {
            branch: text("The branch, which is made where there is none."),
            refspec: text("A refspec that is pushed besides."),
            options: textMap("Push options that the server gets."),
          }),
        },
        { required: ["commit"] },
      ),
    },
    { required: ["interval", "sourceRef"] },
  ),
  status: status({
    lastAutomationRunTime: time("When the last run ended."),
    lastPushCommit: text("The hash of the commit that was pushed last."),
    lastPushTime: time("When it was pushed."),
    observedPolicies: map(
      "The policies of the last run by their names, each with its latest image.",
      imageReference("The image that was chosen."),
    ),
    observedSourceRevision: text("What the branch was at in the last run."),
  }),
};
