import { defaultExclusionList } from "../../../src/automation/objects/read-image-repository.ts";
import { accessFrom, status } from "./common-schemas.ts";
import { ageColumn, type CustomResource, readyColumns } from "./custom-resource-definition.ts";
import { duration, flag, integer, localReference, object, text, texts, time } from "./schema.ts";

export const imageRepository: CustomResource = {
  group: "image.toolkit.fluxcd.io",
  version: "v1",
  kind: "ImageRepository",
  plural: "imagerepositories",
  shortNames: ["imgrepo", "imagerepo"],
  categories: ["all", "fluxcd", "fluxcd-images"],
  columns: [
    { name: "Image", type: "string", jsonPath: ".spec.image" },
    { name: "Tags", type: "string", jsonPath: ".status.lastScanResult.tagCount" },
    ...readyColumns,
    { name: "Last scan", type: "string", jsonPath: ".status.lastScanResult.scanTime", priority: 1 },
    ageColumn,
  ],
  description: "A repository of images whose tags are listed again and again.",
  spec: object(
    "Where and how tags are listed.",
    {
      image: text("Host and path, without scheme, tag and digest."),
      interval: duration("How often the tags are listed."),
      timeout: duration("How long listing may take; the interval where it is left out.", {
        withHours: false,
      }),
      secretRef: localReference("A Secret of the type kubernetes.io/dockerconfigjson."),
      proxySecretRef: localReference(
        "A Secret with the address, and maybe username and password, of a proxy.",
      ),
      certSecretRef: localReference("A Secret with ca.crt, or tls.crt and tls.key, or all of them."),
      serviceAccountName: text(
        "A ServiceAccount whose image pull secrets, or whose workload identity, is used.",
        {
          maxLength: 253,
        },
      ),
      suspend: flag("Whether listing is suspended."),
      insecure: flag("Whether the registry is asked by plain HTTP."),
      accessFrom,
      exclusionList: texts("Expressions; tags that one of them matches do not exist.", {
        default: defaultExclusionList,
        maxItems: 25,
      }),
      provider: text("Whose identity authenticates with the registry.", {
        enum: ["generic", "aws", "azure", "gcp"],
        default: "generic",
      }),
    },
    { required: ["image", "interval"] },
  ),
  status: status({
    canonicalImageName: text("The image with all that its name leaves out."),
    lastScanResult: object(
      "What was listed last.",
      {
        revision: text("A checksum of the tags."),
        tagCount: integer("How many tags there are."),
        scanTime: time("When they were listed."),
        latestTags: texts("The first ten tags in descending order."),
      },
      { required: ["tagCount"] },
    ),
    observedExclusionList: texts("The exclusionList that the tags were listed with."),
  }),
};
