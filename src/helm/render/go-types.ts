import { goTypes, type GoType } from "../go/type.ts";
import type { HelmVersion } from "../chart/chart.ts";

/** The types of what Helm gives to templates, by the names that Go prints. */
interface HelmTypes {
  readonly values: GoType;
  readonly chart: GoType;
  readonly metadata: GoType;
  readonly maintainers: GoType;
  readonly maintainer: GoType;
  readonly dependencies: GoType;
  readonly dependency: GoType;
  readonly capabilities: GoType;
  readonly kubeVersion: GoType;
  readonly versionSet: GoType;
  readonly buildInfo: GoType;
  readonly files: GoType;
}

/** The types of one Helm: what is in `chartutil` in Helm 3 is in `common` in Helm 4. */
export function helmTypesOf(helm: HelmVersion): HelmTypes {
  return helm === "helm3" ? helm3 : helm4;
}

function makeTypes(chartPackage: string, commonPackage: string): HelmTypes {
  const maintainer: GoType = { name: `*${chartPackage}.Maintainer`, kind: "ptr" };
  const dependency: GoType = { name: `*${chartPackage}.Dependency`, kind: "ptr" };
  const { any, string, bytes } = goTypes;
  return {
    values: { name: `${commonPackage}.Values`, kind: "map", element: any, named: true },
    chart: { name: `struct { ${chartPackage}.Metadata; IsRoot bool }`, kind: "struct" },
    metadata: { name: `${chartPackage}.Metadata`, kind: "struct", named: true },
    maintainers: { name: `[]${maintainer.name}`, kind: "slice", element: maintainer },
    maintainer,
    dependencies: { name: `[]${dependency.name}`, kind: "slice", element: dependency },
    dependency,
    capabilities: { name: `*${commonPackage}.Capabilities`, kind: "ptr" },
    kubeVersion: { name: `${commonPackage}.KubeVersion`, kind: "struct", named: true },
    versionSet: { name: `${commonPackage}.VersionSet`, kind: "slice", element: string, named: true },
    buildInfo: { name: "version.BuildInfo", kind: "struct", named: true },
    files: { name: "engine.files", kind: "map", element: bytes, named: true },
  };
}

const helm3 = makeTypes("chart", "chartutil");
const helm4 = makeTypes("v2", "common");
