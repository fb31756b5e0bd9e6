import { describe, expect, test } from "vitest";
import type { Replacement } from "../../src/relocation/verify/explain-change.ts";
import {
  verifyOverride,
  type ChartRenderer,
  type Verification,
} from "../../src/relocation/verify/verification.ts";
import type { Relocator } from "../../src/relocation/relocator.ts";
import { formatValuePath } from "../../src/yaml/value-path.ts";
import { isKnownHost, relocatorFor, yamlMap } from "./relocation.ts";

export const target: string = "registry.lan";

/** How a comparison differs from the usual one. */
export interface VerifyOptions {
  readonly relocator?: Relocator;
  readonly replacements?: readonly Replacement[];
  readonly excludeTests?: boolean;
  readonly override?: string;
  /** What a second rendering of the unchanged chart gives; default: the same. */
  readonly again?: string;
}

/** A chart that renders one text as it is and another with the override. */
export function rendererOf(before: string, after: string, again: string = before): ChartRenderer {
  let first = true;
  return {
    render: async (override) => {
      const manifests = override !== undefined ? after : first ? before : again;
      if (override === undefined) first = false;
      return Promise.resolve({ ok: true, manifests });
    },
  };
}

/** Compares two renderings as the plan of the tests has it. */
export async function verify(
  before: string,
  after: string,
  options: VerifyOptions = {},
): Promise<Verification> {
  return verifyOverride({
    renderer: rendererOf(before, after, options.again),
    override: "{}",
    planned: yamlMap(options.override ?? "{}"),
    relocator: options.relocator ?? relocatorFor(target),
    isKnownHost: (host) => host === target || isKnownHost(host),
    plannedFor: () => [],
    replacements: options.replacements ?? [],
    excludeTests: options.excludeTests ?? false,
    redact: (text) => text,
  });
}

/** What became of each image, as `image status`. */
export function outcomesOf({ outcomes }: Verification): string[] {
  return outcomes.map(({ image, status }) => `${image.text} ${status}`);
}

/** Other changes, as `object path: message`. */
export function unexpectedOf({ unexpected }: Verification): string[] {
  return unexpected.map(
    ({ manifest, path, message }) => `${manifest.name} ${formatValuePath(path)}: ${message}`,
  );
}

/** A pod of one container; `more` are lines of its metadata. */
export function pod(image: string, more: string = ""): string {
  return `---
# Source: app/templates/pod.yaml
apiVersion: v1
kind: Pod
metadata:
  name: pod
${more}spec:
  containers:
    - name: main
      image: ${image}
`;
}

/** A ConfigMap of these lines of data. */
export function configMap(data: string, metadata: string = ""): string {
  return `---
# Source: app/templates/config.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: config
${metadata}data:
${data.replaceAll(/^/gmu, "  ")}
`;
}

/** A Secret whose one entry is this text in base64. */
export function secret(text: string): string {
  return configMap(`data: ${Buffer.from(text).toString("base64")}`).replace("ConfigMap", "Secret");
}

/** An object of any kind. */
export function resource(kind: string, spec: string): string {
  return `---
# Source: app/templates/resource.yaml
apiVersion: example.com/v1
kind: ${kind}
metadata: {name: resource}
spec: ${spec}
`;
}

/** Where quay.io/a/b belongs. */
export const moved: string = `${target}/quayio/a/b`;

/** Two renderings, and what their comparison says. */
export interface RenderingRow {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly outcomes: readonly string[];
  readonly unexpected?: readonly string[];
  readonly options?: VerifyOptions;
}

/** A test for each row, in a block of its own. */
export function describeRenderings(title: string, table: readonly RenderingRow[]): void {
  describe(title, () => {
    test.each(table)("$name", async ({ before, after, outcomes, unexpected = [], options }) => {
      const verification = await verify(before, after, options);
      expect(outcomesOf(verification)).toEqual(outcomes);
      expect(unexpectedOf(verification)).toEqual(unexpected);
      expect(verification).toMatchObject({ chartInstall: "passed", diagnostics: [] });
    });
  });
}
