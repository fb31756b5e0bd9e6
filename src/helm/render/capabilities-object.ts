import type { HelmVersion } from "../chart/chart.ts";
import { define, parameters } from "../go/function.ts";
import { toBytes } from "../go/utf8.ts";
import { GoMap, GoSlice, GoStruct, type GoFunction, type GoValue } from "../go/value.ts";
import type { GoType } from "../go/type.ts";
import { knownApiVersions } from "./api-versions.ts";
import { helmTypesOf } from "./go-types.ts";
import type { KubeVersion } from "./kube-version.ts";
import { createMark } from "./source-tracking.ts";

interface CapabilitiesOptions {
  readonly helm: HelmVersion;
  readonly tracking: boolean;
  readonly chart: string;
  readonly kubeVersion: KubeVersion;
  /** Beside those that Helm knows. */
  readonly apiVersions: readonly string[];
}

/** The build that `.Capabilities.HelmVersion` tells of. */
const helmBuilds = {
  helm3: { Version: "v3.22.0", GitCommit: "", GitTreeState: "", GoVersion: "go1.26.8" },
  helm4: {
    Version: "v4.3.1",
    GitCommit: "",
    GitTreeState: "",
    GoVersion: "go1.26.8",
    KubeClientVersion: "v1.37",
  },
} as const;

/** `.Capabilities` as `helm template` has it, without a cluster (pkg/chartutil/capabilities.go). */
export function createCapabilitiesObject(options: CapabilitiesOptions): GoStruct {
  const types = helmTypesOf(options.helm);
  const mark = createMark(options.tracking);
  const field = (name: string, value: string): GoValue =>
    mark(toBytes(value), () => ({
      kind: "metadata",
      chart: options.chart,
      field: `Capabilities.${name}`,
    }));
  return new GoStruct(types.capabilities, [
    ["KubeVersion", createKubeVersion(options.kubeVersion, types.kubeVersion, field)],
    ["APIVersions", new VersionSet([...knownApiVersions, ...options.apiVersions], types.versionSet)],
    ["HelmVersion", new BuildInfo(helmBuilds[options.helm], types.buildInfo)],
  ]);
}

function createKubeVersion(
  { version, normalized, major, minor }: KubeVersion,
  type: GoType,
  field: (name: string, value: string) => GoValue,
): GoStruct {
  const fields = [
    ["Version", field("KubeVersion.Version", version)],
    ["Major", field("KubeVersion.Major", major)],
    ["Minor", field("KubeVersion.Minor", minor)],
  ] as const;
  const methods = [
    ["String", define([], () => field("KubeVersion.Version", normalized))],
    ["GitVersion", define([], () => field("KubeVersion.Version", version))],
  ] as const;
  return new KubeVersionStruct(type, fields, methods, normalized);
}

/** Printed by its `String()`, which only the pointer has. */
class KubeVersionStruct extends GoStruct {
  readonly #text: string;

  constructor(
    type: GoType,
    fields: Iterable<readonly [string, GoValue]>,
    methods: Iterable<readonly [string, GoFunction]>,
    text: string,
  ) {
    super(type, fields, methods);
    this.#text = text;
  }

  override pointerText(): string {
    return this.#text;
  }
}

/** `.Capabilities.APIVersions`: a list with the method `Has`. */
class VersionSet extends GoSlice {
  override readonly methods: ReadonlyMap<string, GoFunction>;

  constructor(versions: readonly string[], type: GoType) {
    super(versions.map(toBytes), type);
    const known = new Set(this.items);
    this.methods = new Map([["Has", define([parameters.string], ([version]) => known.has(version))]]);
  }
}

class BuildInfo extends GoStruct {
  constructor(build: Readonly<Record<string, string>>, type: GoType) {
    super(type, Object.entries(build));
  }

  override toJson(): GoMap {
    const written = [...this.fields].filter(([, value]) => value !== "");
    return new GoMap(written.map(([name, value]) => [jsonKey(name), value] as const));
  }
}

/** `GitCommit` is `git_commit` in JSON. */
function jsonKey(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/gu, "_").toLowerCase();
}
