import { object, type Schema, text } from "./schema.ts";

/** A kind of custom resources, in one version. */
export interface CustomResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** In lower case. */
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Annotations of the definition. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly columns: readonly PrinterColumn[];
  readonly description: string;
  readonly spec: Schema;
  readonly status: Schema;
}

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "date";
  readonly jsonPath: string;
  /** 1: with `-o wide` alone. */
  readonly priority?: number;
}

export const readyColumns: readonly PrinterColumn[] = [
  { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: "Status", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].message' },
];

export const ageColumn: PrinterColumn = {
  name: "Age",
  type: "date",
  jsonPath: ".metadata.creationTimestamp",
};

/** Flux's Kustomizations replace no variables in templates that have ${} themselves. */
export const withoutSubstitution: Readonly<Record<string, string>> = {
  "kustomize.toolkit.fluxcd.io/substitute": "disabled",
};

/** The manifest of the CustomResourceDefinition of a kind. */
export function customResourceDefinition(resource: CustomResource): object {
  const { group, version, kind, plural, shortNames, categories, annotations } = resource;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      labels: { "app.kubernetes.io/part-of": "fairlead" },
      ...(annotations && { annotations }),
    },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        ...(shortNames && { shortNames }),
        ...(categories && { categories }),
      },
      scope: "Namespaced",
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: resource.columns,
          schema: {
            openAPIV3Schema: object(resource.description, {
              apiVersion: text("The group and version of the kind."),
              kind: text("The kind."),
              metadata: { type: "object" },
              spec: resource.spec,
              status: resource.status,
            }),
          },
        },
      ],
    },
  };
}
