import type { Command } from "commander";
import type { Redactor } from "../../core/redaction.ts";
import { createHelmBinary, type HelmBinary } from "../../helm/render/helm-binary.ts";
import { createOverrideRenderer, type OverrideRenderer } from "../../helm/render/override-renderer.ts";
import type { CliIo } from "../io.ts";
import type { ChartOptions } from "./chart-options.ts";

/** Flags of every command that renders. */
export interface RenderOptions {
  readonly helm?: string;
}

/** Adds {@link RenderOptions}. */
export function addRenderOptions(command: Command): Command {
  return command.option(
    "--helm <program>",
    "the helm program to render with (default: $HELM_BIN, else helm)",
  );
}

/** The helm program that the flags or the environment name; Helm sets HELM_BIN for its plugins. */
export function helmFor(options: RenderOptions, io: CliIo): HelmBinary {
  const program = options.helm ?? io.env["HELM_BIN"];
  return createHelmBinary(program === undefined || program === "" ? {} : { program });
}

/** Renders one chart with the user's values, as `helm template` would with the same flags. */
export function rendererFor(
  helm: HelmBinary,
  chartPath: string,
  options: Omit<ChartOptions, "chartPath">,
  context: { readonly redact: Redactor; readonly signal: AbortSignal },
): OverrideRenderer {
  return createOverrideRenderer(helm, {
    chartPath,
    valueFiles: options.values,
    setFlags: [
      ...options.set.map((text) => ["--set", text] as const),
      ...options.setString.map((text) => ["--set-string", text] as const),
      ...options.setFile.map((text) => ["--set-file", text] as const),
    ],
    kubeVersion: options.kubeVersion,
    redact: context.redact,
    signal: context.signal,
  });
}
