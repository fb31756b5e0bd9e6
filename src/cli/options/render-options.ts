import { InvalidArgumentError, Option, type Command } from "commander";
import type { Chart } from "../../helm/chart/chart.ts";
import type { RenderLimits } from "../../helm/go/context.ts";
import { createEmbeddedRenderer, type EmbeddedRenderer } from "../../helm/render/embedded-renderer.ts";
import { createHelmBinary, type HelmBinary } from "../../helm/render/helm-binary.ts";
import { createOverrideRenderer } from "../../helm/render/override-renderer.ts";
import type { ChartRenderer, ChartRendering } from "../../relocation/verify/verification.ts";
import type { CliIo } from "../io.ts";
import { positiveInteger, type ChartOptions } from "./chart-options.ts";
import type { OpenedChart } from "./chart-source.ts";
import type { UserValues } from "./user-values.ts";

/** Flags that bound what templates may take. */
export interface LimitOptions {
  readonly maxRenderBytes?: number;
  readonly maxRenderSteps?: number;
}

/** Flags of every command that renders with the embedded engine. */
export interface ReleaseOptions extends LimitOptions {
  readonly releaseName?: string;
  readonly namespace?: string;
}

/** Flags of every command that proves by rendering. */
export interface RenderOptions extends ReleaseOptions {
  readonly renderer?: "embedded" | "helm";
  readonly helm?: string;
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

/** Adds {@link LimitOptions}. */
export function addLimitOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--max-render-bytes <bytes>",
        "refuse templates that make more text (default: 256 MiB)",
      ).argParser(positiveInteger),
    )
    .addOption(
      new Option(
        "--max-render-steps <steps>",
        "refuse templates that take more steps (default: 50000000)",
      ).argParser(positiveInteger),
    );
}

/** The limits that the flags set. */
export function limitsOf({ maxRenderBytes, maxRenderSteps }: LimitOptions): RenderLimits {
  return { maxBytes: maxRenderBytes, maxSteps: maxRenderSteps };
}

/** Adds {@link ReleaseOptions}; most objects are named by them. */
export function addReleaseOptions(command: Command): Command {
  return addLimitOptions(command)
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

/** Flags of the commands that look for images in what a chart keeps off. */
export interface ExploreOptions {
  readonly explore: boolean;
  readonly exploreLimit: number;
}

/** Adds {@link ExploreOptions}. */
export function addExploreOptions(command: Command): Command {
  return command
    .option("--no-explore", "leave alone what the chart keeps off, and look at it as it is")
    .addOption(
      new Option(
        "--explore-limit <number>",
        "renderings that may look for images in what the chart keeps off",
      )
        .argParser(positiveInteger)
        .default(8),
    );
}

/** How many renderings the flags allow for exploring. */
export function exploreLimitOf({ explore, exploreLimit }: ExploreOptions): number {
  return explore ? exploreLimit : 0;
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
  /** The same with other random texts. */
  readonly again: ChartRenderer;
  /** What tells where each text comes from. */
  readonly tracer: EmbeddedRenderer;
}

/**
 * The renderers of one chart.
 * @param helm what proves; undefined for the embedded engine
 */
export function renderersFor(
  { chart, path, archive }: Pick<OpenedChart, "chart" | "path" | "archive">,
  options: Omit<ChartOptions, "chartPath"> & RenderOptions,
  user: UserValues,
  { helm, signal }: { readonly helm: HelmBinary | undefined; readonly signal: AbortSignal },
): Renderers {
  const { kubeVersion, releaseName, namespace } = options;
  const { redact } = user;
  const tracer = embeddedRendererFor(chart, options, user);
  if (helm === undefined) {
    return { renderer: tracer, tracer, again: embeddedRendererFor(chart, options, user, "again") };
  }
  const renderer = createOverrideRenderer(helm, {
    chartPath: path,
    archive,
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
  return { renderer, tracer, again: renderer };
}

/** Renders a chart with the embedded engine, so that each text knows what it comes from. */
export async function renderTraced(
  chart: Chart,
  options: Pick<ChartOptions, "kubeVersion"> & ReleaseOptions,
  user: UserValues,
): Promise<ChartRendering> {
  return embeddedRendererFor(chart, options, user).render(undefined);
}

function embeddedRendererFor(
  chart: Chart,
  options: Pick<ChartOptions, "kubeVersion"> & ReleaseOptions,
  { fileValues, setValues, redact }: UserValues,
  seed?: string,
): EmbeddedRenderer {
  const { kubeVersion, releaseName, namespace } = options;
  const limits = limitsOf(options);
  const release = { kubeVersion, releaseName, namespace };
  return createEmbeddedRenderer({ chart, fileValues, setValues, ...release, limits, redact, seed });
}
