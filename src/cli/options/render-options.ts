import { InvalidArgumentError, Option, type Command } from "commander";
import type { Chart } from "../../helm/chart/chart.ts";
import { createEmbeddedRenderer, type EmbeddedRenderer } from "../../helm/render/embedded-renderer.ts";
import { createHelmBinary, type HelmBinary } from "../../helm/render/helm-binary.ts";
import { createOverrideRenderer } from "../../helm/render/override-renderer.ts";
import type { ChartRenderer } from "../../relocation/verify/verification.ts";
import type { CliIo } from "../io.ts";
import type { ChartOptions } from "./chart-options.ts";
import type { UserValues } from "./user-values.ts";

/** Flags of every command that renders. */
export interface RenderOptions {
  readonly renderer?: "embedded" | "helm";
  readonly helm?: string;
  readonly releaseName?: string;
  readonly namespace?: string;
}

/** Adds {@link RenderOptions}. */
export function addRenderOptions(command: Command): Command {
  command
    .addOption(
      new Option(
        "--renderer <name>",
        "what proves: the embedded engine, or the helm program (default: embedded; helm with --helm)",
      ).choices(["embedded", "helm"]),
    )
    .option("--helm <program>", "the helm program to render with (default: $HELM_BIN, else helm)");
  return addReleaseOptions(command);
}

/** Adds the flags that name the release, which most objects are named by. */
export function addReleaseOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--release-name <name>", "release to render (default: release-name)").argParser(dnsName(53)),
    )
    .addOption(
      new Option("--namespace <name>", "namespace to render for (default: default)").argParser(dnsName(63)),
    );
}

/** Reads a name such as Kubernetes takes it; what begins with a dash would be a flag of helm's. */
function dnsName(maxLength: number): (text: string) => string {
  return (text) => {
    if (text.length <= maxLength && /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/u.test(text)) return text;
    throw new InvalidArgumentError("It must be a name of a-z, 0-9, - and dots.");
  };
}

/** The helm program that is to prove, where the flags ask for one; Helm sets HELM_BIN for its plugins. */
export function tryHelmFor(options: RenderOptions, io: CliIo): HelmBinary | undefined {
  const renderer = options.renderer ?? (options.helm === undefined ? "embedded" : "helm");
  if (renderer === "embedded") return undefined;
  const program = options.helm ?? io.env["HELM_BIN"];
  return createHelmBinary(program === undefined || program === "" ? {} : { program });
}

/** What renders one chart with the user's values. */
export interface Renderers {
  /** What proves. */
  readonly renderer: ChartRenderer;
  /** What tells where each text comes from. */
  readonly tracer: EmbeddedRenderer;
}

/**
 * The renderers of one chart.
 * @param helm what proves; undefined for the embedded engine
 */
export function renderersFor(
  chart: Chart,
  chartPath: string,
  options: Omit<ChartOptions, "chartPath"> & RenderOptions,
  user: UserValues,
  { helm, signal }: { readonly helm: HelmBinary | undefined; readonly signal: AbortSignal },
): Renderers {
  const { kubeVersion, releaseName, namespace } = options;
  const { redact, fileValues, setValues } = user;
  const tracer = createEmbeddedRenderer({
    chart,
    fileValues,
    setValues,
    kubeVersion,
    releaseName,
    namespace,
    redact,
  });
  if (helm === undefined) return { renderer: tracer, tracer };
  const renderer = createOverrideRenderer(helm, {
    chartPath,
    valueFiles: options.values,
    setFlags: [
      ...options.set.map((text) => ["--set", text] as const),
      ...options.setString.map((text) => ["--set-string", text] as const),
      ...options.setFile.map((text) => ["--set-file", text] as const),
    ],
    kubeVersion,
    releaseName,
    namespace,
    redact,
    signal,
  });
  return { renderer, tracer };
}
