import { gitReference, status } from "./common-schemas.ts";
import {
  ageColumn,
  type CustomResource,
  readyColumns,
  withoutSubstitution,
} from "./custom-resource-definition.ts";
import { duration, localReference, object, text } from "./schema.ts";

/** What automation reads of Flux's GitRepository; the rest is kept as it is, and means nothing here. */
export const gitRepository: CustomResource = {
  group: "source.toolkit.fluxcd.io",
  version: "v1",
  kind: "GitRepository",
  plural: "gitrepositories",
  shortNames: ["gitrepo"],
  categories: ["all", "fluxcd", "fluxcd-sources"],
  annotations: withoutSubstitution,
  columns: [{ name: "URL", type: "string", jsonPath: ".spec.url" }, ageColumn, ...readyColumns],
  description: "A Git repository.",
  spec: object(
    "Where the repository is, and who asks.",
    {
      url: text("An http, https or ssh URL.", { pattern: "^(http|https|ssh)://.*$" }),
      interval: duration("How often Flux looks at the repository."),
      timeout: duration("How long an operation of git may take.", { withHours: false, default: "60s" }),
      ref: gitReference("What to check out."),
      secretRef: localReference(
        "A Secret with username and password, bearerToken, or identity and known_hosts.",
      ),
      proxySecretRef: localReference(
        "A Secret with the address, and maybe username and password, of a proxy.",
      ),
      provider: text("Whose identity authenticates; generic where it is left out.", {
        enum: ["generic", "azure", "github"],
      }),
      serviceAccountName: text("A ServiceAccount whose workload identity is used."),
    },
    { required: ["interval", "url"], "x-kubernetes-preserve-unknown-fields": true },
  ),
  status: { ...status(), "x-kubernetes-preserve-unknown-fields": true },
};
