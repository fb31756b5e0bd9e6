import { FairleadError } from "../../core/error.ts";
import type { HelmVersion } from "../chart/chart.ts";

/** A version of Kubernetes as `.Capabilities.KubeVersion` shows it. */
export interface KubeVersion {
  /** With its leading `v`; in Helm 4 with whatever follows the numbers. */
  readonly version: string;
  /** What ranges such as a chart's `kubeVersion` are compared with. */
  readonly normalized: string;
  readonly major: string;
  readonly minor: string;
}

/** What Helm 3.22 and 4.3 take where nobody says otherwise: the version of their Kubernetes client. */
export const defaultKubeVersion = "v1.37.0";

const pattern = /^[\t\n\f\r ]*v?(?<numbers>[0-9]+(?:\.[0-9]+)*)(?<rest>[^\n]*)$/u;

/**
 * Reads a version of Kubernetes: two or more numbers, then anything (apimachinery's ParseGeneric).
 * @throws FairleadError `input-invalid`
 */
export function parseKubeVersion(text: string, helm: HelmVersion): KubeVersion {
  const refuse = (problem: string): FairleadError =>
    new FairleadError("input-invalid", `invalid kube version '${text}': ${problem}`);
  const quoted = JSON.stringify(text);
  const numbers = pattern.exec(text)?.groups?.["numbers"];
  if (numbers === undefined) throw refuse(`could not parse ${quoted} as version`);
  const [major = "", minor = "", ...others] = numbers.split(".");
  if (minor === "") throw refuse(`illegal version string ${quoted}`);
  if (/^0[0-9]/u.test(major)) {
    throw refuse(`illegal zero-prefixed version component ${JSON.stringify(major)} in ${quoted}`);
  }
  const [plainMajor = "", plainMinor = "", ...plainOthers] = [major, minor, ...others].map((part) =>
    part.replace(/^0+(?=[0-9])/u, ""),
  );
  const normalized = `v${[plainMajor, plainMinor, ...plainOthers].join(".")}`;
  const version = helm === "helm3" ? normalized : text.startsWith("v") ? text : `v${text}`;
  return { version, normalized, major: plainMajor, minor: plainMinor };
}
