import { Option, type Command } from "commander";
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
}

/** Adds {@link RenderOptions}. */
export function addRenderOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--renderer <name>",
        "what proves: the embedded engine, or the helm program (default: embedded; helm with --helm)",
      ).choices(["embedded", "helm"]),
    )
    .option("--helm <program>", "the helm program to render with (default: $HELM_BIN, else helm)");
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
  options: Omit<ChartOptions, "chartPath">,
  user: UserValues,
  { helm, signal }: { readonly helm: HelmBinary | undefined; readonly signal: AbortSignal },
): Renderers {
  const { kubeVersion } = options;
  const { redact, fileValues, setValues } = user;
  const tracer = createEmbeddedRenderer({ chart, fileValues, setValues, kubeVersion, redact });
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
    redact,
    signal,
  });
  return { renderer, tracer };
}
