import { isCommitStatusType, providerTypes } from "../../../src/notification/alert/provider-class.ts";
import { status } from "./common-schemas.ts";
import { ageColumn, type CustomResource, readyColumns } from "./custom-resource-definition.ts";
import { duration, flag, localReference, object, text, time } from "./schema.ts";

const long = { maxLength: 2048 };
const commitStatusTypes = providerTypes.filter(isCommitStatusType).map((type) => `'${type}'`);

export const provider: CustomResource = {
  group: "notification.toolkit.fluxcd.io",
  version: "v1beta3",
  kind: "Provider",
  plural: "providers",
  columns: [
    ageColumn,
    ...readyColumns,
    { name: "Last delivery", type: "string", jsonPath: ".status.lastDelivery.result", priority: 1 },
  ],
  description: "A system that notifications go to.",
  spec: object(
    "What the system is, and how it is reached.",
    {
      type: text("Which system it is.", { enum: providerTypes }),
      interval: duration("Deprecated, and of no effect."),
      channel: text("Where in the system notifications go.", long),
      username: text("The name under which notifications are posted.", long),
      address: text("Where the system is: mostly a URL, of some types a project or a namespace.", long),
      timeout: duration("How long a delivery may take; 15s where it is left out.", { withHours: false }),
      proxy: text("The URL of a proxy; deprecated for proxySecretRef.", {
        ...long,
        pattern: "^(http|https)://.*$",
      }),
      proxySecretRef: localReference(
        "A Secret with the address, and maybe username and password, of a proxy.",
      ),
      secretRef: localReference("A Secret with what the system asks for, such as a token or an address."),
      serviceAccountName: text("A ServiceAccount whose workload identity is used."),
      certSecretRef: localReference("A Secret with ca.crt, or tls.crt and tls.key, or all of them."),
      suspend: flag("Whether delivery is suspended."),
      commitStatusExpr: text("The context of commit statuses, as CEL over event, alert and provider."),
    },
    {
      required: ["type"],
      "x-kubernetes-validations": [
        {
          message:
            "spec.commitStatusExpr is only supported for the 'github', 'gitlab', 'gitea', 'bitbucketserver', 'bitbucket', 'azuredevops' provider types",
          rule: `!has(self.commitStatusExpr) || self.type in [${commitStatusTypes.join(", ")}]`,
        },
      ],
    },
  ),
  status: status({
    lastDelivery: object(
      "What came of the last attempt to deliver.",
      {
        time: time("When it ended."),
        result: text("Whether it arrived, is tried again, or was given up.", {
          enum: ["delivered", "retry", "dead"],
        }),
        message: text("What went wrong.", { maxLength: 32_768 }),
      },
      { required: ["time", "result"] },
    ),
  }),
};
