import { imageReference, status } from "./common-schemas.ts";
import { ageColumn, type CustomResource, readyColumns } from "./custom-resource-definition.ts";
import { duration, flag, object, type Schema, text } from "./schema.ts";

export const imagePolicy: CustomResource = {
  group: "image.toolkit.fluxcd.io",
  version: "v1",
  kind: "ImagePolicy",
  plural: "imagepolicies",
  shortNames: ["imgpol", "imagepol"],
  categories: ["all", "fluxcd", "fluxcd-images"],
  columns: [
    { name: "Image", type: "string", jsonPath: ".status.latestRef.name" },
    { name: "Tag", type: "string", jsonPath: ".status.latestRef.tag" },
    ...readyColumns,
    ageColumn,
  ],
  description: "Which tag of a repository of images is the latest.",
  spec: object(
    "How the latest tag is chosen.",
    {
      imageRepositoryRef: object(
        "The ImageRepository that lists the tags.",
        {
          name: text("Name of the referent."),
          namespace: text("Namespace of the referent; that of this object where it is left out."),
        },
        { required: ["name"] },
      ),
      policy: object("How tags are ordered: by semver, else alphabetical, else numerical.", {
        semver: object(
          "By versions.",
          { range: text("The versions that count, such as 1.x.") },
          { required: ["range"] },
        ),
        alphabetical: object("By their bytes.", { order: order("asc chooses the last in the alphabet.") }),
        numerical: object("By their numbers.", { order: order("asc chooses the greatest number.") }),
      }),
      filterTags: object("Which tags count, and what of them is compared.", {
        pattern: text("An expression that a tag has to match; its named groups become attributes."),
        extract: text(
          "What is compared, by groups of the pattern such as $ts; the tag where it is left out.",
        ),
      }),
      suspend: flag("Whether choosing is suspended."),
      digestReflectionPolicy: text("When the digest of the latest tag is looked up.", {
        enum: ["Never", "IfNotPresent", "Always"],
        default: "Never",
      }),
      interval: duration("How often the digest is looked up; for digestReflectionPolicy Always alone."),
    },
    {
      required: ["imageRepositoryRef", "policy"],
      "x-kubernetes-validations": [
        {
          message: "spec.interval is only accepted when spec.digestReflectionPolicy is set to 'Always'",
          rule: "!has(self.interval) || (has(self.digestReflectionPolicy) && self.digestReflectionPolicy == 'Always')",
        },
        {
          message: "spec.interval must be set when spec.digestReflectionPolicy is set to 'Always'",
          rule: "has(self.interval) || !has(self.digestReflectionPolicy) || self.digestReflectionPolicy != 'Always'",
        },
      ],
    },
  ),
  status: status({
    latestRef: imageReference("The image that was chosen."),
    observedPreviousRef: imageReference("The image that was chosen before."),
  }),
};

function order(description: string): Schema {
  return text(description, { enum: ["asc", "desc"], default: "asc" });
}
